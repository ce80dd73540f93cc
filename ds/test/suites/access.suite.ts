/** Access: every operation refuses a caller that the contract does not allow. */
import {
  type CryptoKey,
  exportJWK,
  exportSPKI,
  generateKeyPair,
  importJWK,
  type JWK,
  SignJWT,
} from 'jose'
import { expect, test } from 'vitest'
import type { DistributionService } from '../../../test/bed/distribution-service.ts'
import { proves } from '../../../test/bed/proves.ts'
import {
  fillPath,
  getNeededRole,
  type ServiceAccess,
  serviceAccess,
} from '../../../test/bed/service-access.ts'
import type { ServiceRequestOptions } from '../../../test/bed/service-request.ts'
import { createLabel, createVersion, getApplicationToken } from '../harness/arrange.ts'

const claims = {
  sub: 'admin',
  iss: '',
  aud: 'cardwire-ds',
  realm_access: { roles: ['administrator'] },
}

/** What a request without credentials gets where that is not `token-refused`. */
const codes: Readonly<Partial<Record<ServiceAccess, string>>> = {
  'api-key': 'api-key-refused',
  registration: 'api-key-refused',
  device: 'assertion-refused',
}

export function accessSuite(service: () => DistributionService): void {
  // Not of this machine, which needs no role for metrics.
  const headers = { 'content-type': 'application/json', 'x-forwarded-for': '198.51.100.1' }
  const ask = async (method: string, path: string, options: ServiceRequestOptions = {}) => {
    const more = { ...options, headers: { ...headers, ...options.headers } }
    return service().request(method, fillPath(path), more)
  }
  const guarded = serviceAccess.flatMap(([method, path, access]) =>
    // Responses to proxies have no body: `gateway-check.suite.ts` tests them.
    access === 'anyone' || access === 'gateway' ? [] : [[method, path, access] as const],
  )

  test.each(guarded)(
    '%s %s refuses a request without credentials',
    async (method, path, access) => {
      proves('management-needs-token', 'stranger-manages')
      const answer = await ask(method, path)
      expect([answer.status, answer.json.code]).toEqual([401, codes[access] ?? 'token-refused'])
      if (getNeededRole(access)) expect(answer.headers.get('www-authenticate')).toBe('Bearer')
    },
  )

  test('what needs an API key, an installation key or a device refuses every other credential', async () => {
    proves('stranger-manages')
    const token = await service().login()
    const version = await createVersion(service(), token)
    const label = await createLabel(service(), token)
    const credentials = {
      'api-key': [{ token }, { headers: { apikey: version.installationApiKey } }],
      registration: [{ token }, { headers: { apikey: label.apiKey } }],
      device: [{ token }, { headers: { apikey: version.installationApiKey } }],
    }
    const answered = []
    for (const [method, path, access] of guarded) {
      const others: readonly ServiceRequestOptions[] =
        access in credentials ? credentials[access as keyof typeof credentials] : []
      for (const [at, other] of others.entries()) {
        const { status, json } = await ask(method, path, other)
        // The subject of a token is looked up as a device before its signature is verified.
        if (status !== 401 && json?.code !== 'device-unknown')
          answered.push([method, path, at, status])
      }
    }
    expect(answered).toEqual([])
  })

  const withoutPages = serviceAccess.flatMap(([method, path, , pages]) =>
    pages === 'pages refused' ? [[method, path] as const] : [],
  )
  test.each(withoutPages)('%s %s refuses a page', async (method, path) => {
    proves('page-manages', 'api-key-hidden-from-pages')
    for (const page of [{ origin: 'https://shop.example' }, { 'sec-fetch-site': 'none' }]) {
      const { status, json } = await ask(method, path, { headers: page })
      // The token endpoint says it in the words of OAuth.
      expect([status, json.code ?? json.error]).toEqual([
        403,
        json.code === undefined ? 'unauthorized_client' : 'page-refused',
      ])
    }
  })

  test('forged tokens are refused with the same text, and the log has the reason', async () => {
    proves('invalid-tokens-refused', 'token-forged')
    const { json: keySet } = await service().request(
      'GET',
      '/auth/realms/cardwire/protocol/openid-connect/certs',
    )
    const published = keySet.keys[0]
    const issuer = `${service().url}/auth/realms/cardwire`
    const { privateKey } = await generateKeyPair('ES256', { extractable: true })
    const body = { ...claims, iss: issuer }
    const signed = (
      key: CryptoKey | Uint8Array,
      header: { alg: string; kid?: string; typ?: string; jwk?: JWK },
    ) =>
      new SignJWT(body).setProtectedHeader(header).setIssuedAt().setExpirationTime('5m').sign(key)
    const publicPem = await exportSPKI((await importJWK(published, 'ES256')) as CryptoKey)
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
    const good = await service().login()
    const [head, payload, signature = ''] = good.split('.')
    const tokens = {
      'another key': await signed(privateKey, { alg: 'ES256', kid: published.kid, typ: 'at+jwt' }),
      'an unknown kid': await signed(privateKey, { alg: 'ES256', kid: 'nobody', typ: 'at+jwt' }),
      'no kid': await signed(privateKey, { alg: 'ES256', typ: 'at+jwt' }),
      'HS256 with the public key as PEM': await signed(new TextEncoder().encode(publicPem), {
        alg: 'HS256',
        kid: published.kid,
        typ: 'at+jwt',
      }),
      'HS256 with the public key as JWK': await signed(
        new TextEncoder().encode(JSON.stringify(published)),
        { alg: 'HS256', kid: published.kid, typ: 'at+jwt' },
      ),
      'alg none': `${part({ alg: 'none', kid: published.kid, typ: 'at+jwt' })}.${part({ ...body, exp: 9999999999, iat: 1 })}.`,
      'its own public key in the header': await signed(privateKey, {
        alg: 'ES256',
        typ: 'at+jwt',
        jwk: await exportJWK(privateKey),
      }),
      'a changed payload': `${head}.${part({ ...body, sub: 'somebody', exp: 9999999999, iat: 1 })}.${signature}`,
      'a cut signature': `${head}.${payload}.${signature.slice(0, -4)}`,
      'three dots': '...',
      'no JWT': 'undefined',
    }
    const answers = await Promise.all(
      Object.values(tokens).map((token) =>
        service().request('GET', '/v3/organizations', { token }),
      ),
    )
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 401))
    expect(new Set(answers.map(({ json }) => json.description)).size).toBe(1)
    await expect.poll(() => service().output()).toContain('no applicable key found')
  })

  test('application token allows what pages may read, and no management', async () => {
    proves('stranger-manages')
    const token = await service().login()
    const { apiKey } = await createLabel(service(), token)
    const application = await getApplicationToken(service(), apiKey)
    expect((await service().request('GET', '/v3/versions', { token: application })).status).toBe(
      200,
    )
    expect(
      (await service().request('GET', '/v3/organizations', { token: application })).status,
    ).toBe(401)
    expect(
      (await service().request('PUT', '/v3/versions', { token: application, body: {} })).status,
    ).toBe(401)
  })

  test('bearer scheme is accepted in any case', async () => {
    const token = await service().login()
    const answer = await service().request('GET', '/v3/organizations', {
      headers: { authorization: `bearer ${token}` },
    })
    expect(answer.status).toBe(200)
  })
}
