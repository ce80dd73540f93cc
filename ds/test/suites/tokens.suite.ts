/** Application tokens: what a back end gets for a label's key. */
import { createRemoteJWKSet, jwtVerify } from 'jose'
import { expect, test } from 'vitest'
import type { DistributionService } from '../../../test/bed/distribution-service.ts'
import { proves } from '../../../test/bed/proves.ts'
import type { Json } from '../../../test/bed/service-request.ts'
import { createLabel, createVersion, getData, nextAddress } from '../harness/arrange.ts'

export function tokenSuite(service: () => DistributionService): void {
  const path = '/v3/tokens/application'
  const exchange = (headers: Record<string, string>) =>
    service().request('GET', path, { headers, from: nextAddress() })

  test('GET /v3/tokens/application exchanges a key for a token that the published keys verify', async () => {
    proves('application-token')
    const label = await createLabel(service(), await service().login())
    const { status, json, headers } = await exchange({ apikey: label.apiKey })
    expect(status).toBe(200)
    expect(json).toEqual({ success: true, data: expect.any(String) })
    expect(headers.get('cache-control')).toBe('no-store')
    const keys = createRemoteJWKSet(new URL('/.well-known/jwks.json', service().url))
    const { payload, protectedHeader } = await jwtVerify(json.data, keys, {
      issuer: service().url,
      audience: 'cardwire-connector',
      typ: 'cw-app+jwt',
    })
    expect(protectedHeader).toEqual({ alg: 'ES256', kid: expect.any(String), typ: 'cw-app+jwt' })
    const { iat = 0 } = payload
    expect(payload).toEqual({
      iss: service().url,
      sub: label.id,
      aud: 'cardwire-connector',
      iat,
      nbf: iat - 5,
      exp: iat + 1200,
    })
  })

  test('GET /v3/tokens/application refuses a wrong, a malformed and a missing key with the same text', async () => {
    const { installationApiKey } = await createVersion(service(), await service().login())
    const answers = [
      await exchange({ apikey: crypto.randomUUID() }),
      await exchange({ apikey: "' or 1=1 --" }),
      await exchange({ apikey: '' }),
      await exchange({}),
      // The key of an installer registers devices, it is no application's.
      await exchange({ apikey: installationApiKey }),
    ]
    expect(answers.map(({ status }) => status)).toEqual([401, 401, 401, 401, 401])
    expect(new Set(answers.map(({ json }) => json.description)).size).toBe(1)
    expect(answers[0]?.json.code).toBe('api-key-refused')
  })

  test.each([
    ['Origin', { origin: 'https://shop.example' }],
    ['the null origin', { origin: 'null' }],
    ['Sec-Fetch-Site: cross-site', { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'cors' }],
    [
      'Sec-Fetch-Site: none, a typed address',
      { 'sec-fetch-site': 'none', 'sec-fetch-mode': 'navigate' },
    ],
  ])('GET /v3/tokens/application refuses %s, even with the right key', async (_, headers) => {
    proves('api-key-hidden-from-pages', 'page-manages')
    const { apiKey } = await createLabel(service(), await service().login())
    const answer = await exchange({ apikey: apiKey, ...(headers as Record<string, string>) })
    expect(answer.status).toBe(403)
    expect(answer.json.code).toBe('page-refused')
    expect(answer.headers.get('access-control-allow-origin')).toBeNull()
  })

  test('GET /.well-known/jwks.json publishes only public keys', async () => {
    const { json, headers } = await service().request('GET', '/.well-known/jwks.json')
    expect(headers.get('content-type')).toBe('application/jwk-set+json')
    expect(json.keys.length).toBeGreaterThan(0)
    for (const key of json.keys)
      expect(Object.keys(key).sort()).toEqual(['alg', 'crv', 'kid', 'kty', 'use', 'x', 'y'])
  })

  test('POST /v3/signing-keys announces a key that is published before it signs', async () => {
    const token = await service().login()
    const announced = getData(
      await service().request('POST', '/v3/signing-keys', { token, body: { use: 'application' } }),
    )
    expect(announced).toMatchObject({ state: 'announced', algorithm: 'ES256' })
    const { json: keySet } = await service().request('GET', '/.well-known/jwks.json')
    expect(keySet.keys.map((key: Json) => key.kid)).toContain(announced.id)
    const label = await createLabel(service(), token)
    const { json } = await exchange({ apikey: label.apiKey })
    expect(json.data.split('.')[0]).not.toBe(announced.id)
    const all = getData(await service().request('GET', '/v3/signing-keys', { token }))
    expect(
      all.filter((key: Json) => key.use === 'application').map((key: Json) => key.state),
    ).toContain('signing')
    expect(JSON.stringify(all)).not.toContain('"d"')
  })

  test('DELETE /v3/signing-keys/{id} ends a leaked key: its tokens are refused, the next key signs at once', async () => {
    const token = await service().login()
    const { apiKey } = await createLabel(service(), token)
    const before = (await exchange({ apikey: apiKey })).json.data
    const keys = getData(await service().request('GET', '/v3/signing-keys', { token }))
    const signing = keys.find((key: Json) => key.use === 'application' && key.state === 'signing')
    expect(
      (await service().request('DELETE', `/v3/signing-keys/${signing.id}`, { token })).status,
    ).toBe(200)
    expect((await service().request('GET', '/v3/versions', { token: before })).status).toBe(401)
    const after = (await exchange({ apikey: apiKey })).json.data
    expect((await service().request('GET', '/v3/versions', { token: after })).status).toBe(200)
    expect(
      (await service().request('DELETE', `/v3/signing-keys/${signing.id}`, { token })).status,
    ).toBe(404)
  })
}
