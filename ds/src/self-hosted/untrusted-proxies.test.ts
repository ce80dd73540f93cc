/** The warning of proxies that are not trusted: once per address and hour, for so many addresses. */
import { Hono } from 'hono'
import ipaddr from 'ipaddr.js'
import { expect, test } from 'vitest'
import { proves } from '../../../test/bed/proves.ts'
import { warnOfUntrustedProxies } from './untrusted-proxies.ts'

/** Sends requests from a peer; `peers` are those of the warnings. */
function createTestApp() {
  const state = { now: 0, peer: '' }
  const peers: unknown[] = []
  const log = {
    info: () => undefined,
    error: () => undefined,
    warn: (_: string, details?: Readonly<Record<string, unknown>>) => peers.push(details?.['peer']),
  }
  const getPeerAddress = warnOfUntrustedProxies(() => state.peer, {
    settings: { trustProxy: [ipaddr.parseCIDR('10.0.0.0/8')] },
    log,
    clock: () => state.now,
  })
  const app = new Hono().get('/', (context) => context.text(getPeerAddress(context)))
  return {
    state,
    peers,
    async request(
      peer: string,
      headers: Record<string, string> = { 'x-forwarded-for': '1.2.3.4' },
    ) {
      state.peer = peer
      return (await app.request('/', { headers })).text()
    },
  }
}

test('an untrusted peer with X-Forwarded-For is warned of once an hour, and its address counts', async () => {
  proves('proxy-untrusted')
  const { state, peers, request } = createTestApp()
  for (const at of [0, 1000, 3_599_999, 3_600_000]) {
    state.now = at
    expect(await request('192.0.2.1')).toBe('192.0.2.1')
  }
  expect(peers).toEqual(['192.0.2.1', '192.0.2.1'])
})

test('a trusted proxy is not warned of, nor a peer without the header', async () => {
  const { peers, request } = createTestApp()
  await request('10.1.2.3')
  await request('192.0.2.1', {})
  expect(peers).toEqual([])
})

test('more than a hundred addresses in an hour are not warned of', async () => {
  proves('proxy-untrusted')
  const { peers, request } = createTestApp()
  for (let n = 0; n < 150; n += 1) await request(`192.0.2.${n}`)
  expect(peers.length).toBe(100)
})
