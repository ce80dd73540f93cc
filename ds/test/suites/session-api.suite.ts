/** Operations with the session of a browser, as the page at /docs sends them. */
import { expect, test } from 'vitest'
import type { DistributionService } from '../../../test/bed/distribution-service.ts'
import { proves } from '../../../test/bed/proves.ts'
import { createAccount } from '../harness/account.ts'
import { createVersionBody, getData, uploadInstaller } from '../harness/arrange.ts'
import { fromOwnPage, openPageSession } from '../harness/page-session.ts'

export function sessionApiSuite(service: () => DistributionService): void {
  const send = (
    method: string,
    path: string,
    { cookie, headers = {}, ...rest }: { cookie?: string; headers?: object; body?: unknown } = {},
  ) =>
    service().request(method, `/admin/session${path}`, {
      headers: { ...fromOwnPage(service()), ...(cookie && { cookie }), ...headers },
      ...rest,
    })

  test('says who is logged in, and to nobody else', async () => {
    const { cookie } = await openPageSession(service())
    expect((await send('GET', '', { cookie })).json).toEqual({ name: 'admin' })
    expect((await send('GET', '')).json).toEqual({})
    const headers = { 'sec-fetch-site': 'cross-site' }
    expect((await send('GET', '', { cookie, headers })).json).toEqual({})
  })

  test('operations act with the session, and answer as they answer a program', async () => {
    proves('docs-use-session')
    const { cookie } = await openPageSession(service())
    const body = createVersionBody()
    const created = await send('PUT', '/v3/versions?force=true', { cookie, body })
    expect([created.status, created.json.data.id]).toEqual([201, body.id])
    const found = await send('GET', `/v3/versions/${body.id}`, { cookie })
    expect(getData(found).id).toBe(body.id)
    expect(found.headers.get('cache-control')).toBe('no-store')
    expect((await send('DELETE', `/v3/versions/${body.id}`, { cookie })).status).toBe(200)
    const gone = await send('GET', `/v3/versions/${body.id}`, { cookie })
    expect([gone.status, gone.json.code]).toEqual([404, 'version-unknown'])
  })

  test('a file is sent as it comes', async () => {
    proves('docs-use-session')
    const { cookie } = await openPageSession(service())
    const client = {
      request: (method: string, path: string, options: object) => {
        const { headers, body } = options as { headers: object; body: unknown }
        return send(method, path, { cookie, headers, body })
      },
    }
    expect((await uploadInstaller(client as never, '')).size).toBe(21)
  })

  test('a viewer changes nothing with it', async () => {
    proves('docs-session-misused')
    const account = await createAccount(service(), 'viewer')
    const { cookie } = await openPageSession(service(), account)
    expect((await send('GET', '/v3/versions', { cookie })).status).toBe(200)
    const body = { name: 'Org of a viewer' }
    const answer = await send('PUT', '/v3/organizations', { cookie, body })
    expect([answer.status, answer.json.code]).toEqual([403, 'role-missing'])
  })

  test.each([
    [
      'a form of another site',
      'PUT',
      { 'sec-fetch-site': 'cross-site', origin: 'https://a.example' },
    ],
    [
      'a form of another port',
      'PUT',
      { 'sec-fetch-site': 'same-site', origin: 'http://127.0.0.1:1' },
    ],
    ['a script of another site', 'GET', { 'sec-fetch-site': 'cross-site' }],
    [
      'an address that is opened',
      'GET',
      { 'sec-fetch-site': 'none', 'sec-fetch-mode': 'navigate' },
    ],
  ])('%s is refused, whatever the cookie', async (_, method, headers) => {
    proves('docs-session-misused')
    const { cookie } = await openPageSession(service())
    const body = method === 'GET' ? undefined : { name: 'Nobody Asked' }
    const answer = await send(method, '/v3/organizations', { cookie, headers, body })
    expect([403, 404]).toContain(answer.status)
    expect(answer.text).not.toContain('items')
  })

  test('without a session, and with one that has ended, operations are refused', async () => {
    proves('docs-session-misused')
    const session = await openPageSession(service())
    await session.post('logout')
    for (const cookie of [undefined, session.cookie]) {
      const answer = await send('GET', '/v3/organizations', cookie ? { cookie } : {})
      expect([answer.status, answer.json.code]).toEqual([401, 'token-refused'])
    }
  })

  test.each([
    ['POST', '/auth/realms/cardwire/protocol/openid-connect/token', 'route-unknown'],
    ['GET', '/v3/tokens/application', 'route-unknown'],
    ['GET', '/admin/session/v3/organizations', 'route-unknown'],
    // A page of the admin console that is not there, and a label of that name.
    ['GET', '/../v3/organizations', undefined],
    ['GET', '/v3/labels/%5C..%5C..%5C..%5Chealth', 'label-unknown'],
    ['GET', '/v3/labels/%2e%2e', 'route-unknown'],
    ['PUT', '/v3/sync', 'route-unknown'],
  ])('%s %s is no operation that a session sends', async (method, path, code) => {
    proves('docs-session-misused')
    const { cookie } = await openPageSession(service())
    const answer = await send(method, path, { cookie, ...(method !== 'GET' && { body: {} }) })
    expect([answer.status, answer.json?.code]).toEqual([404, code])
  })
}
