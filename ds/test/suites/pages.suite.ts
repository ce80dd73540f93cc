/** CORS: which operations a web page may call, and from which origins. */
import { expect, test } from 'vitest'
import type { DistributionService } from '../../../test/bed/distribution-service.ts'
import { proves } from '../../../test/bed/proves.ts'
import { fillPath, serviceAccess } from '../../../test/bed/service-access.ts'
import { createLabel, createVersion, getApplicationToken } from '../harness/arrange.ts'

export function pageSuite(service: () => DistributionService, allowed: string): void {
  const allow = async (cors: string[]) => {
    const token = await service().login()
    const { id: versionId } = await createVersion(service(), token)
    const body = { type: 'CONTEXT_CONFIG', versionId, config: { cors } }
    await service().request('PUT', '/v3/configurations', { token, body })
  }
  const preflight = (path: string, origin: string) =>
    service().request('OPTIONS', path, {
      headers: {
        origin,
        'access-control-request-method': 'GET',
        'access-control-request-headers': 'authorization,x-csrf-token',
      },
    })

  test('origin of DS_CORS gets credentialed CORS headers, in the preflight too', async () => {
    const response = await preflight('/v3/system/status', allowed)
    expect(response.status).toBe(204)
    expect(response.headers.get('access-control-allow-headers')).toContain('x-csrf-token')
    expect(response.headers.get('access-control-max-age')).toBe('600')
    const answer = await service().request('GET', '/v3/system/status', {
      headers: { origin: allowed },
    })
    expect(answer.headers.get('access-control-allow-origin')).toBe(allowed)
    expect(answer.headers.get('access-control-allow-credentials')).toBe('true')
    expect(answer.headers.get('vary')).toContain('Origin')
  })

  test('origin of a CONTEXT_CONFIG is allowed as soon as it is stored, wildcards at any depth', async () => {
    await allow(['https://new.example', 'https://*.wild.example'])
    for (const origin of [
      'https://new.example',
      'https://a.wild.example',
      'https://a.b.wild.example',
    ]) {
      const answer = await service().request('GET', '/v3/system/status', { headers: { origin } })
      expect(answer.headers.get('access-control-allow-origin')).toBe(origin)
    }
  })

  test.each([
    'https://evil.example',
    'https://wild.example',
    'http://new.example',
    'https://new.example.evil.example',
    'null',
  ])('origin %s gets no CORS headers', async (origin) => {
    await allow(['https://new.example', 'https://*.wild.example'])
    const answer = await service().request('GET', '/v3/system/status', { headers: { origin } })
    expect(answer.headers.get('access-control-allow-origin')).toBeNull()
    expect(
      (await preflight('/v3/system/status', origin)).headers.get('access-control-allow-origin'),
    ).toBeNull()
  })

  test('a failure has the CORS headers too, so that a page can read the problem', async () => {
    const answer = await service().request('GET', '/v3/versions/latest', {
      headers: { origin: allowed },
    })
    expect(answer.status).toBe(401)
    expect(answer.headers.get('access-control-allow-origin')).toBe(allowed)
    const { apiKey } = await createLabel(service(), await service().login())
    const token = await getApplicationToken(service(), apiKey)
    const found = await service().request('GET', '/v3/versions/latest', {
      token,
      headers: { origin: allowed },
    })
    expect([200, 404]).toContain(found.status)
    expect(found.headers.get('access-control-allow-origin')).toBe(allowed)
  })

  const closed = serviceAccess.filter(([, , , pages]) => pages !== 'pages allowed')
  test.each(closed.map(([method, path]) => [method, fillPath(path)] as const))(
    '%s %s sends no CORS headers, whatever the origin',
    async (method, path) => {
      proves('api-key-hidden-from-pages', 'page-manages')
      expect((await preflight(path, allowed)).headers.get('access-control-allow-origin')).toBeNull()
      const answer = await service().request(method, path, { headers: { origin: allowed } })
      expect(answer.headers.get('access-control-allow-origin')).toBeNull()
    },
  )
}
