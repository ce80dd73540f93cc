/** The samples for nginx and Caddy, as the real programs run them in front of the real service. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  type DistributionService,
  startDistributionService,
} from '../../../test/bed/distribution-service.ts'
import { type ReverseProxy, startReverseProxy } from '../../../test/bed/reverse-proxy.ts'

let service: DistributionService
beforeAll(async () => {
  service = await startDistributionService(
    undefined,
    { DS_URL: 'https://ds.example' },
    { 'a/cardwire.deb': new Uint8Array(3_000_000) },
  )
})
afterAll(() => service?.stop())

describe.each([
  ['nginx', 'nginx.conf'],
  ['Caddy', 'Caddyfile'],
] as const)('sample for %s', (name, sample) => {
  let proxy: ReverseProxy
  beforeAll(async () => {
    const addresses = { '127.0.0.1:8080': new URL(service.url).host }
    proxy = await startReverseProxy(name, sample, 'ds.example', addresses)
  })
  afterAll(() => proxy?.stop())

  /** As a client that claims another address. */
  const send = (method: string, path: string, headers: Record<string, string>, body = '') =>
    proxy.send(method, path, { headers: { 'x-forwarded-for': '198.51.100.1', ...headers }, body })
  const json = { 'content-type': 'application/json' }

  test('is valid, and passes requests on', async () => {
    expect([proxy.checked.status, proxy.checked.err]).toEqual([
      0,
      expect.not.stringContaining('[warn]'),
    ])
    expect((await send('GET', '/health', {})).status).toBe(200)
  })

  test('passes on no check of a key', async () => {
    for (const path of ['/v3/gateway/check', '/v3/gateway/check-registration/x'])
      expect((await send('GET', path, { apikey: 'a' })).status).toBe(404)
  })

  test('keeps browsers from plain http, and has the log-in shown over https', async () => {
    for (const path of ['/admin/login', '/admin/no-such-page', '/v3/installers/none.deb']) {
      const { headers } = await send('GET', path, {})
      expect(headers['strict-transport-security']).toBe('max-age=31536000')
    }
    expect((await send('GET', '/admin/login', {})).text).toContain('type="password"')
  })

  test('passes uploads of 1 MiB; the service refuses larger ones in its own form', async () => {
    const authorization = `Bearer ${await service.login()}`
    const organization = JSON.stringify({ name: `Bank of uploads through ${name}` })
    const put = (size: number) =>
      send('PUT', '/v3/organizations', { ...json, authorization }, organization.padEnd(size))
    expect((await put(1024 * 1024)).status).toBeLessThan(300)
    const { status, text: body } = await put(1024 * 1024 + 1)
    expect(status).toBe(413)
    expect(JSON.parse(body)).toMatchObject({ success: false })
  })

  test('passes installers of many MiB', async () => {
    const headers = { 'content-type': 'application/octet-stream', 'content-length': '9000000' }
    const authorization = `Bearer ${await service.login()}`
    const path = `/v3/installers/cardwire-${name}.deb`
    const { status, text: body } = await send(
      'PUT',
      path,
      { ...headers, authorization },
      'x'.repeat(9_000_000),
    )
    expect([status, JSON.parse(body).data.size]).toEqual([201, 9_000_000])
  })

  test('the service sees the address of the client, whatever that claims', async () => {
    const authorization = `Bearer ${await service.login()}`
    const put = await send(
      'PUT',
      '/v3/organizations',
      { ...json, authorization },
      JSON.stringify({ name: `Bank behind ${name}` }),
    )
    expect(put.status).toBeLessThan(300)
    const { text: audit } = await send('GET', '/v3/audit', { authorization })
    expect(audit).toContain('127.0.0.2')
    expect(audit).not.toContain('198.51.100.1')
  })

  test('passes downloads on, whole and in part', async () => {
    const authorization = `Bearer ${await service.login()}`
    const version = {
      ...{ id: '4.0.0', recommended: false, mandatory: false, allowed: true },
      uris: [{ os: 'UNIX', uri: 'file:///a/cardwire.deb' }],
    }
    const put = await send(
      'PUT',
      '/v3/versions',
      { ...json, authorization },
      JSON.stringify(version),
    )
    expect(put.status).toBeLessThan(300)
    const agent = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Firefox/140.0' }
    const whole = await send('GET', '/v3/downloads/installer', agent)
    expect([whole.status, whole.text.length]).toEqual([200, 3_000_000])
    const part = await send('GET', '/v3/downloads/installer', { ...agent, range: 'bytes=0-99' })
    expect([part.status, part.text.length]).toEqual([206, 100])
  })
})
