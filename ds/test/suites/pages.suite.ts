/** What a browser's page may ask for, and what it never may. */
import { dsOperations } from '@cardwire/client/protocol'
import { expect, test } from 'vitest'
import { aLabel, anApplicationToken, aVersion } from '../harness/arrange.ts'
import type { Service } from '../harness/service.ts'

export function pageSuite(service: () => Service, allowed: string): void {
  const allow = async (cors: string[]) => {
    const token = await service().login()
    const { id: versionId } = await aVersion(service(), token)
    const body = { type: 'CONTEXT_CONFIG', versionId, config: { cors } }
    await service().ask('PUT', '/v3/configurations', { token, body })
  }
  const preflight = (path: string, origin: string) =>
    service().ask('OPTIONS', path, {
      headers: {
        origin,
        'access-control-request-method': 'GET',
        'access-control-request-headers': 'authorization,x-csrf-token',
      },
    })

  test('origin of DS_CORS gets credentialed answers, its preflight included', async () => {
    const asked = await preflight('/v3/system/status', allowed)
    expect(asked.status).toBe(204)
    expect(asked.headers.get('access-control-allow-headers')).toContain('x-csrf-token')
    expect(asked.headers.get('access-control-max-age')).toBe('600')
    const answer = await service().ask('GET', '/v3/system/status', { headers: { origin: allowed } })
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
      const answer = await service().ask('GET', '/v3/system/status', { headers: { origin } })
      expect(answer.headers.get('access-control-allow-origin')).toBe(origin)
    }
  })

  test.each([
    'https://evil.example',
    'https://wild.example',
    'http://new.example',
    'https://new.example.evil.example',
    'null',
  ])('origin %s gets no leave', async (origin) => {
    await allow(['https://new.example', 'https://*.wild.example'])
    const answer = await service().ask('GET', '/v3/system/status', { headers: { origin } })
    expect(answer.headers.get('access-control-allow-origin')).toBeNull()
    expect(
      (await preflight('/v3/system/status', origin)).headers.get('access-control-allow-origin'),
    ).toBeNull()
  })

  test('a failure carries the headers too, so that a page can read why', async () => {
    const answer = await service().ask('GET', '/v3/versions/latest', {
      headers: { origin: allowed },
    })
    expect(answer.status).toBe(401)
    expect(answer.headers.get('access-control-allow-origin')).toBe(allowed)
    const { apiKey } = await aLabel(service(), await service().login())
    const token = await anApplicationToken(service(), apiKey)
    const found = await service().ask('GET', '/v3/versions/latest', {
      token,
      headers: { origin: allowed },
    })
    expect([200, 404]).toContain(found.status)
    expect(found.headers.get('access-control-allow-origin')).toBe(allowed)
  })

  const closed = dsOperations.filter(({ pages }) => pages !== 'allowed')
  test.each(closed.map(({ method, path }) => [method, path.replaceAll(/\{\w+\}/g, 'x')] as const))(
    '%s %s gives a page no leave, whatever its origin',
    async (method, path) => {
      expect((await preflight(path, allowed)).headers.get('access-control-allow-origin')).toBeNull()
      const answer = await service().ask(method, path, { headers: { origin: allowed } })
      expect(answer.headers.get('access-control-allow-origin')).toBeNull()
    },
  )
}
