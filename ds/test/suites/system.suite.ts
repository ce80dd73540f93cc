/** Status, health, document and pages of the service, and what every response has. */
import { dsOperations } from '@cardwire/client/protocol'
import { expect, test } from 'vitest'
import type { DistributionService } from '../../../.ci/test-bed/distribution-service.ts'
import type { Json } from '../../../.ci/test-bed/service-request.ts'

export function systemSuite(service: () => DistributionService): void {
  test('GET /v3/system/status reports that the service is alive', async () => {
    expect((await service().request('GET', '/v3/system/status')).json).toEqual({
      success: true,
      data: { isAlive: true },
    })
  })

  test('GET /health answers when the database works', async () => {
    const { status, json } = await service().request('GET', '/health')
    expect([status, json]).toEqual([
      200,
      { status: 'ok', version: expect.stringMatching(/^\d+\.\d+\.\d+$/) },
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

  test('GET /docs and everything it loads come from the service itself', async () => {
    const page = await service().request('GET', '/docs')
    expect(page.status).toBe(200)
    expect(page.headers.get('content-security-policy')).toContain("default-src 'self'")
    const loaded = [...page.text.matchAll(/(?:src|href)="([^"]+)"/g)].map(
      ([, address]) => address ?? '',
    )
    expect(loaded.length).toBeGreaterThan(3)
    for (const address of loaded) {
      // Relative, so that a proxy may put the service below a path.
      expect(address).toMatch(/^\w/)
      expect((await service().request('GET', `/${address}`)).status).toBe(200)
    }
    expect((await service().request('GET', '/docs/package.json')).status).toBe(404)
    expect((await service().request('GET', '/docs/..%2fpackage.json')).status).toBe(404)
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
