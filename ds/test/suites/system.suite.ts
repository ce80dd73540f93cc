/** Status, health, document and pages of the service, and what every response has. */
import { get } from 'node:http'
import { dsOperations } from '@cardwire/protocol'
import { expect, test } from 'vitest'
import type { DistributionService } from '../../../test/bed/distribution-service.ts'
import { proves } from '../../../test/bed/proves.ts'
import { fillPath, serviceAccess } from '../../../test/bed/service-access.ts'
import type { Json } from '../../../test/bed/service-request.ts'

export function systemSuite(service: () => DistributionService): void {
  test('GET /v3/system/status reports that the service is alive', async () => {
    proves('success-envelope')
    expect((await service().request('GET', '/v3/system/status')).json).toEqual({
      success: true,
      data: { isAlive: true },
    })
  })

  test('GET /health answers when the database works', async () => {
    const { status, json } = await service().request('GET', '/health')
    expect([status, json]).toEqual([
      200,
      {
        status: 'ok',
        version: expect.stringMatching(/^\d+\.\d+\.\d+$/),
        // The suites share the service, and some name files that are gone.
        files: expect.stringMatching(/^(readable|missing)$/),
      },
    ])
  })

  test('GET /openapi.json lists every operation, at the address of the document itself', async () => {
    const { json } = await service().request('GET', '/openapi.json')
    expect(json.openapi).toMatch(/^3\.1\./)
    expect(json.servers).toEqual([{ url: '.' }])
    const listed = Object.values(json.paths).flatMap((item: Json) =>
      Object.values(item).map((operation: Json) => operation.operationId),
    )
    expect(listed.sort()).toEqual(dsOperations.map(({ name }) => name).sort())
  })

  test('paths begin with /v3, except those that standards and monitoring name', async () => {
    proves('v3-paths')
    const { json } = await service().request('GET', '/openapi.json')
    const others = Object.keys(json.paths).filter((path) => !path.startsWith('/v3/'))
    expect(others.toSorted()).toEqual([
      '/.well-known/jwks.json',
      '/.well-known/oauth-authorization-server',
      '/auth/realms/cardwire/.well-known/openid-configuration',
      '/auth/realms/cardwire/protocol/openid-connect/certs',
      '/auth/realms/cardwire/protocol/openid-connect/logout',
      '/auth/realms/cardwire/protocol/openid-connect/token',
      '/health',
      '/metrics',
    ])
    const answered = []
    for (const [method, path] of serviceAccess) {
      if (!path.startsWith('/v3/')) continue
      const without = fillPath(path.replace('/v3', ''))
      const { status, json: problem } = await service().request(method, without)
      if (problem?.code !== 'route-unknown') answered.push([method, without, status])
    }
    expect(answered).toEqual([])
  })

  test('GET /docs and everything it loads come from the service itself', async () => {
    const page = await service().request('GET', '/docs')
    expect(page.status).toBe(200)
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'")
    expect(page.headers.get('content-security-policy')).not.toContain('unsafe')
    const loaded = [...page.text.matchAll(/(?:src|href)="([^"]+)"/g)].map(
      ([, address]) => address ?? '',
    )
    expect(loaded.length).toBeGreaterThan(3)
    for (const address of loaded.filter((one) => !one.startsWith('#'))) {
      // Relative, so that a proxy may put the service below a path.
      expect(address).toMatch(/^\w/)
      expect((await service().request('GET', `/${address}`)).status).toBe(200)
    }
  })

  test.each(['/docs', '/docs/page.js', '/docs/page.css', '/openapi.json'])(
    'GET %s is compressed for those who accept it, and not sent again to those who have it',
    async (path) => {
      const getWith = (headers: Record<string, string>) =>
        service().request('GET', path, { headers })
      const [plain, compressed, refused] = await Promise.all([
        getWith({ 'accept-encoding': 'identity' }),
        // Alone: Workers compress what is not, with what they like best.
        getWith({ 'accept-encoding': 'gzip' }),
        getWith({ 'accept-encoding': 'gzip;q=0' }),
      ])
      expect(plain.headers.get('content-encoding')).toBeNull()
      expect(refused.headers.get('content-encoding')).toBeNull()
      expect(compressed.headers.get('content-encoding')).toBe('gzip')
      // It was decompressed once to become this: not at all, or twice compressed, it would be another text.
      expect(compressed.text).toBe(plain.text)
      expect(compressed.headers.get('vary')).toContain('accept-encoding')
      const etag = compressed.headers.get('etag') ?? ''
      const again = await getWith({ 'if-none-match': etag })
      expect([again.status, again.text]).toEqual([304, ''])
    },
  )

  test('GET /docs with all that it loads is less than 75 kB', async () => {
    const paths = ['/docs', '/docs/page.js', '/docs/page.css', '/docs/icon.svg']
    const lengths = await Promise.all(paths.map((path) => countBytes(service().url + path)))
    expect(Math.min(...lengths)).toBeGreaterThan(100)
    expect(lengths.reduce((sum, length) => sum + length)).toBeLessThan(75_000)
  })

  test('every request has an id, in its response and in one line of the log', async () => {
    const { headers } = await service().request('GET', '/v3/system/status')
    const id = headers.get('x-request-id') ?? ''
    await expect.poll(() => lines(id)).toHaveLength(1)
    expect(lines(id)[0]).toMatchObject({
      message: 'request',
      method: 'GET',
      route: '/v3/system/status',
      status: 200,
      ms: expect.any(Number),
    })
  })

  test('a problem contains the id of its request', async () => {
    const { json, headers } = await service().request('GET', '/nowhere')
    expect(headers.get('content-type')).toBe('application/problem+json')
    expect(json).toEqual({
      success: false,
      code: 'route-unknown',
      description: expect.stringContaining('/nowhere'),
      type: 'urn:cardwire:problem:route-unknown',
      title: expect.any(String),
      status: 404,
      detail: json.description,
      instance: `urn:uuid:${headers.get('x-request-id')}`,
    })
  })

  function lines(id: string): Json[] {
    return service()
      .output()
      .split('\n')
      .filter((line) => line.includes(id) && line.includes('"request"'))
      .map((line) => JSON.parse(line.slice(line.indexOf('{'), line.lastIndexOf('}') + 1)))
  }
}

/** The bytes of a compressed body, as they are on the way. */
const countBytes = (url: string): Promise<number> =>
  new Promise((resolve, reject) => {
    const sent = get(url, { headers: { 'accept-encoding': 'gzip' } }, async (response) => {
      let length = 0
      for await (const chunk of response) length += chunk.length
      resolve(length)
    })
    sent.on('error', reject)
  })
