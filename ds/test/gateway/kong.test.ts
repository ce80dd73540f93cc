/** Kong's Admin API: the adapter and the stand-in pass the same contract, and the service keeps its keys there up to date. */
import { describe, expect, test } from 'vitest'
import { proves } from '../../../test/bed/proves.ts'
import { createKongTarget } from '../../src/gateway/kong/admin-api.ts'
import { type Exchange, now, scenarios, tag, token } from './kong-contract.ts'
import { createKongStandIn } from './kong-stand-in.ts'

const url = 'https://kong.example:8444'
const settings = { url, token }

/** Answers the requests of the contract, and no others. */
function createPlayer(exchanges: readonly Exchange[]) {
  const rest = [...exchanges]
  return {
    rest,
    fetch: async (address: string, init: RequestInit): Promise<Response> => {
      const next = rest.shift()
      const { method, body, redirect, headers } = init
      expect([method, address, body && JSON.parse(String(body))]).toEqual([
        ...[next?.method, url + next?.path, next?.body],
      ])
      expect([redirect, new Headers(headers).get('kong-admin-token')]).toEqual(['error', token])
      const { status = 500, answer } = next ?? {}
      return new Response(answer === undefined ? null : JSON.stringify(answer), { status })
    },
  }
}

describe('contract with Kong', () => {
  test.each(scenarios)('adapter: $title', async ({ act, exchanges, result, failure }) => {
    proves('kong-keys')
    const player = createPlayer(exchanges)
    const target = createKongTarget({ settings, tag, clock: () => now, fetch: player.fetch })
    const ended = await act(target).then(
      (value) => ({ value, message: undefined }),
      (error: Error) => ({ value: undefined, message: error.message }),
    )
    expect(ended).toEqual({ value: result, message: failure })
    expect(player.rest).toEqual([])
  })

  test.each(scenarios)('stand-in: $title', async ({ given, exchanges }) => {
    const { app } = createKongStandIn(() => now, token)
    for (const { method, path, body, status, answer } of [...given, ...exchanges]) {
      const response = await app.request(path, {
        method,
        headers: { 'kong-admin-token': token, 'content-type': 'application/json' },
        ...(body && { body: JSON.stringify(body) }),
      })
      const text = await response.text()
      expect([method, path, response.status, text === '' ? undefined : JSON.parse(text)]).toEqual([
        ...[method, path, status, answer],
      ])
    }
  })

  test('what others have put beside ours, or cannot be read, hides nothing', async () => {
    proves('kong-foreign', 'kong-behind')
    const tags = [tag, ...Array.from({ length: 200 }, (_, at) => `tag-${at}`)]
    const username = `${tag}:application:shop`
    const lists: Readonly<Record<string, unknown>> = {
      '/consumers': [
        { id: 'a', username: 'x'.repeat(5000), tags },
        { username: 'without an ID', tags },
        { id: 'b', username, custom_id: username, tags: [tag] },
      ],
      '/key-auths': [
        { id: 'one', key: 'k', consumer: { id: 'a' }, tags },
        { id: 'two', key: 'k'.repeat(20_000), consumer: null, tags },
        { id: 'three', key: 'ours', consumer: { id: 'b' }, tags: [tag] },
      ],
    }
    const fetch = async (address: string) =>
      Response.json({ data: lists[new URL(address).pathname] })
    const target = createKongTarget({ settings, tag, clock: () => now, fetch })
    const found = await target.list()
    expect([...found].map(([name, { keys }]) => [name, keys.map(({ id }) => id)])).toEqual([
      [username, ['three']],
    ])
  })

  test('lists go on where a page ends', async () => {
    const standIn = createKongStandIn(() => now)
    const fetch = async (address: string, init: RequestInit) =>
      // Small pages: Kong may have its own limit.
      standIn.app.request(address.replace(url, '').replace('size=1000', 'size=2'), init)
    const target = createKongTarget({ settings, tag, clock: () => now, fetch })
    for (let count = 0; count < 5; count += 1) {
      await target.putConsumer(`tills:application:${count}`)
      const id = `6f1c5a52-3f0b-8c1d-9b7e-2d4c8a1e0f3${count}`
      await target.putKey(`tills:application:${count}`, { id, key: id, lifetimeS: undefined })
    }
    const listed = await target.list()
    expect([...listed.values()].map(({ keys }) => keys.length)).toEqual([1, 1, 1, 1, 1])
  })

  test('a response that is no JSON, not as documented, or endless is a failure', async () => {
    const endless = new ReadableStream({
      pull: (controller) => controller.enqueue(new Uint8Array(1024 * 1024)),
    })
    for (const body of ['<html>', '{"data":1}', '{}', endless]) {
      const fetch = async () => new Response(body)
      const target = createKongTarget({ settings, tag, clock: () => now, fetch })
      await expect(target.list()).rejects.toThrow()
    }
  })
})
