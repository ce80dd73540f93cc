/** API clients: how programs get access tokens, and what these may do. */
import { type CryptoKey, exportJWK, generateKeyPair, SignJWT } from 'jose'
import * as oauth from 'oauth4webapi'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { DistributionService } from '../../../test/bed/distribution-service.ts'
import { proves } from '../../../test/bed/proves.ts'
import { fillPath, serviceAccess } from '../../../test/bed/service-access.ts'
import type { Json } from '../../../test/bed/service-request.ts'
import { createVersion, getData, nextAddress } from '../harness/arrange.ts'
import { type OpenIdIssuer, startOpenIdIssuer } from '../harness/openid-issuer.ts'

const base = '/v3/api-clients'
const tokenPath = '/v3/oauth/token'
const exchange = 'urn:ietf:params:oauth:grant-type:token-exchange'
const jwtType = 'urn:ietf:params:oauth:token-type:jwt'
const subject = 'repo:example/cards:ref:refs/tags/v3.9.1'

export function apiClientSuite(service: () => DistributionService): void {
  const admin = async (method: string, path: string, body?: Json) =>
    service().request(method, `${base}${path}`, { token: await service().login(), body })
  const createClient = async (changes: object = {}): Promise<string> => {
    const id = `client-${crypto.randomUUID()}`
    return getData(await admin('POST', '', { id, role: 'viewer', ...changes })).id
  }
  const addCredential = async (id: string, body: Json) =>
    getData(await admin('POST', `/${id}/credentials`, body))
  const ask = (form: Readonly<Record<string, string>>, headers = {}) =>
    // Refused ones are limited by address: each request comes from another one.
    service().request('POST', tokenPath, { form, headers, from: nextAddress() })
  const askWithSecret = (client_id: string, client_secret: string) =>
    ask({ grant_type: 'client_credentials', client_id, client_secret })
  const list = (token: string) => service().request('GET', '/v3/organizations', { token })
  const errorOf = ({ status, json }: { status: number; json: Json }) => [status, json.error]

  describe('client credentials', () => {
    const discover = async () => {
      const url = new URL(service().url)
      const options = { algorithm: 'oauth2', [oauth.allowInsecureRequests]: true } as const
      return oauth.processDiscoveryResponse(url, await oauth.discoveryRequest(url, options))
    }
    const grant = async (client_id: string, authentication: oauth.ClientAuth) => {
      const server = await discover()
      const options = { [oauth.allowInsecureRequests]: true }
      const client = { client_id }
      const response = await oauth.clientCredentialsGrantRequest(
        ...[server, client, authentication, {}, options],
      )
      return oauth.processClientCredentialsResponse(server, client, response)
    }

    test.each([
      ['client_secret_basic', oauth.ClientSecretBasic],
      ['client_secret_post', oauth.ClientSecretPost],
    ] as const)('an OAuth library gets a token with %s', async (_, authenticate) => {
      proves('api-clients')
      const id = await createClient()
      const { secret } = await addCredential(id, { kind: 'secret' })
      const tokens = await grant(id, authenticate(secret))
      expect([tokens.token_type, tokens.expires_in]).toEqual(['bearer', 900])
      expect((await list(tokens.access_token)).status).toBe(200)
    })

    test.each(['ES256', 'ES384', 'Ed25519', 'RS256', 'PS256'])(
      'an OAuth library gets a token with private_key_jwt and %s, once for each assertion',
      async (algorithm) => {
        proves('api-clients')
        const { publicKey, privateKey } = await generateKeyPair(algorithm, { extractable: true })
        const id = await createClient()
        await addCredential(id, { kind: 'key', jwk: await exportJWK(publicKey) })
        const tokens = await grant(id, oauth.PrivateKeyJwt(privateKey as CryptoKey))
        expect((await list(tokens.access_token)).status).toBe(200)
      },
    )

    test('an assertion that is used again, is for someone else, or lives long is refused', async () => {
      proves('api-clients', 'client-impersonated')
      const { publicKey, privateKey } = await generateKeyPair('ES256', { extractable: true })
      const id = await createClient()
      await addCredential(id, { kind: 'key', jwk: await exportJWK(publicKey) })
      const assert = async (changes: object, expires = '1m') =>
        ask({
          grant_type: 'client_credentials',
          client_id: id,
          client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
          client_assertion: await new SignJWT({
            ...{ iss: id, sub: id, aud: service().url, jti: crypto.randomUUID(), ...changes },
          })
            .setProtectedHeader({ alg: 'ES256' })
            .setExpirationTime(expires)
            .sign(privateKey),
        })
      const jti = crypto.randomUUID()
      expect((await assert({ jti })).status).toBe(200)
      expect((await assert({ aud: service().url + tokenPath })).status).toBe(200)
      for (const refused of [
        await assert({ jti }),
        await assert({ jti: undefined }),
        await assert({ aud: 'https://other.example' }),
        await assert({ iss: 'other' }),
        await assert({ sub: 'other' }),
        await assert({}, '1h'),
        await assert({}, '-5m'),
      ])
        expect(errorOf(refused)).toEqual([401, 'invalid_client'])
    })

    test('wrong secrets, other clients and unknown clients get the same answer', async () => {
      proves('api-clients', 'client-impersonated')
      const [one, two] = [await createClient(), await createClient()]
      const { secret } = await addCredential(one, { kind: 'secret' })
      await addCredential(two, { kind: 'secret' })
      const answers = [
        await askWithSecret(one, `${secret}x`),
        await askWithSecret(two, secret),
        await askWithSecret('nobody', secret),
        await ask({ grant_type: 'client_credentials', client_id: one }),
        await ask({ grant_type: 'client_credentials' }, { authorization: `Bearer ${secret}` }),
      ]
      expect(answers.map(errorOf)).toEqual(answers.map(() => [401, 'invalid_client']))
      expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
      expect(answers[4]?.headers.get('www-authenticate')).toBe('Basic realm="Cardwire"')
    })

    test('what a request lacks, or has twice, is named', async () => {
      proves('api-clients')
      const basic = { authorization: `Basic ${btoa('a:b')}` }
      expect(
        errorOf(
          await ask(
            { grant_type: 'client_credentials', client_id: 'a', client_secret: 'b' },
            basic,
          ),
        ),
      ).toEqual([400, 'invalid_request'])
      expect(errorOf(await ask({ grant_type: 'client_credentials', client_secret: 'b' }))).toEqual([
        ...[400, 'invalid_request'],
      ])
      expect(errorOf(await ask({ grant_type: 'password', client_id: 'a' }))).toEqual([
        ...[400, 'unsupported_grant_type'],
      ])
      expect(errorOf(await ask({ grant_type: exchange, client_id: 'a' }))).toEqual([
        ...[400, 'invalid_request'],
      ])
    })

    test('a page gets no token', async () => {
      proves('page-manages')
      const refused = await ask(
        { grant_type: 'client_credentials', client_id: 'a', client_secret: 'b' },
        { origin: 'https://shop.example' },
      )
      expect(errorOf(refused)).toEqual([403, 'unauthorized_client'])
    })
  })

  describe('end of access', () => {
    const getToken = async (id: string, secret: string): Promise<string> =>
      (await askWithSecret(id, secret)).json.access_token
    const create = async () => {
      const id = await createClient()
      // One more, so that the client keeps a credential.
      await addCredential(id, { kind: 'federated', issuer: 'https://ci.example', subject: 'one' })
      const added = await addCredential(id, { kind: 'secret' })
      const { id: credential, secret } = added
      return { id, credential, secret, token: await getToken(id, secret) }
    }

    test.each([
      ['the client is removed', (id: string, _: string) => admin('DELETE', `/${id}`)],
      [
        'its credential is removed',
        (id: string, credential: string) => admin('DELETE', `/${id}/credentials/${credential}`),
      ],
      [
        'it expires',
        (id: string) =>
          admin('PUT', `/${id}`, { role: 'viewer', expiresAt: new Date(Date.now()).toISOString() }),
      ],
    ])('tokens that are out, and the secret, stop working when %s', async (_, end) => {
      proves('api-clients', 'client-keeps-access')
      const { id, credential, secret, token } = await create()
      expect((await list(token)).status).toBe(200)
      expect((await end(id, credential)).status).toBe(200)
      expect((await list(token)).status).toBe(401)
      expect(errorOf(await askWithSecret(id, secret))).toEqual([401, 'invalid_client'])
    })

    test('a changed role counts at once', async () => {
      proves('api-clients', 'client-keeps-access')
      const { id, token } = await create()
      const organization = { name: 'By a program' }
      const put = () => service().request('PUT', '/v3/organizations', { token, body: organization })
      expect((await put()).json.code).toBe('role-missing')
      await admin('PUT', `/${id}`, { role: 'administrator' })
      expect((await put()).status).toBe(201)
    })

    test('a rotated secret works until its overlap ends', async () => {
      proves('api-clients', 'client-keeps-access')
      const { id, secret, token } = await create()
      const next = await addCredential(id, { kind: 'secret', retireOthersInS: 3600 })
      expect((await askWithSecret(id, secret)).status).toBe(200)
      expect((await askWithSecret(id, next.secret)).status).toBe(200)
      const last = await addCredential(id, { kind: 'secret', retireOthersInS: 0 })
      expect((await askWithSecret(id, secret)).status).toBe(401)
      expect((await askWithSecret(id, next.secret)).status).toBe(401)
      expect((await list(token)).status).toBe(401)
      expect((await askWithSecret(id, last.secret)).status).toBe(200)
    })
  })

  describe('tokens of another issuer', () => {
    let issuer: OpenIdIssuer
    beforeAll(async () => {
      issuer = await startOpenIdIssuer()
    })
    afterAll(() => issuer?.stop())

    const createTrusting = async (changes: object = {}, client: object = {}) => {
      const id = await createClient({ role: 'publisher', ...client })
      const pattern = 'repo:example/cards:ref:refs/tags/*'
      const credential = { kind: 'federated', issuer: issuer.issuer, subject: pattern }
      await addCredential(id, { ...credential, ...changes })
      return id
    }
    const sign = (claims: object = {}, expires = '5m', key = issuer.privateKey) =>
      new SignJWT({ iss: issuer.issuer, aud: service().url, sub: subject, ...claims })
        .setProtectedHeader({ alg: 'RS256', kid: 'one' })
        .setIssuedAt()
        .setExpirationTime(expires)
        .sign(key)
    const trade = (client_id: string, subject_token: string) =>
      ask({ grant_type: exchange, client_id, subject_token, subject_token_type: jwtType })

    test('are exchanged for access with the role of the client', async () => {
      proves('federated-credentials')
      const id = await createTrusting()
      const { status, json } = await trade(id, await sign())
      expect([status, json.token_type, json.issued_token_type]).toEqual([
        ...[200, 'Bearer', 'urn:ietf:params:oauth:token-type:access_token'],
      ])
      const { id: version } = await createVersion(service(), json.access_token)
      const entries = await service().request('GET', `/v3/audit?kind=version&id=${version}`, {
        token: await service().login(),
      })
      expect(getData(entries).items[0].who).toEqual({
        ...{ subject: id, issuer: service().url, name: id },
      })
    })

    test.each([
      ['another subject', { sub: 'repo:other/cards:ref:refs/tags/v1' }],
      ['a branch', { sub: 'repo:example/cards:ref:refs/heads/main' }],
      ['another audience', { aud: 'https://other.example' }],
      ['no audience', { aud: undefined }],
      ['another claim', { environment: 'test' }],
    ])('with %s are refused', async (_, claims) => {
      proves('federated-credentials', 'client-impersonated')
      const id = await createTrusting({ claims: { environment: 'production' } })
      const fine = { environment: 'production' }
      expect((await trade(id, await sign(fine))).status).toBe(200)
      expect(errorOf(await trade(id, await sign({ ...fine, ...claims })))).toEqual([
        ...[400, 'invalid_grant'],
      ])
    })

    test('that expired, are of another key or issuer, or for another client are refused', async () => {
      proves('federated-credentials', 'client-impersonated')
      const id = await createTrusting()
      const { privateKey } = await generateKeyPair('RS256')
      const other = await createClient()
      for (const refused of [
        await trade(id, await sign({}, '-5m')),
        await trade(id, await sign({}, '5m', privateKey)),
        await trade(id, await sign({ iss: 'https://other.example' })),
        await trade(other, await sign()),
        await trade(id, 'x.y.z'),
      ])
        expect(errorOf(refused)).toEqual([400, 'invalid_grant'])
    })

    test('of an issuer that is down are a problem of their own', async () => {
      proves('federated-credentials')
      const down = 'http://127.0.0.1:9/realm'
      const id = await createTrusting({ issuer: down })
      const answer = await trade(id, await sign({ iss: down }))
      expect(errorOf(answer)).toEqual([503, 'temporarily_unavailable'])
    })
  })

  test('programs manage neither accounts nor API clients', async () => {
    proves('api-clients', 'program-manages-access')
    const id = await createClient({ role: 'administrator' })
    const { secret } = await addCredential(id, { kind: 'secret' })
    const token = (await askWithSecret(id, secret)).json.access_token
    const refused = []
    for (const [method, path] of serviceAccess) {
      // Names nothing that exists, and has no body that is valid.
      const headers = { 'content-type': 'application/json' }
      const { json } = await service().request(method, fillPath(path), { token, headers })
      if (json?.code === 'program-refused') refused.push(`${method} ${path}`)
    }
    expect(refused.toSorted()).toEqual(
      [
        'DELETE /v3/account/sessions',
        'DELETE /v3/account/sessions/{id}',
        'DELETE /v3/administrators/{name}',
        'DELETE /v3/administrators/{name}/second-factor',
        'DELETE /v3/administrators/{name}/sessions',
        'DELETE /v3/api-clients/{id}',
        'DELETE /v3/api-clients/{id}/credentials/{credential}',
        'GET /v3/account',
        'GET /v3/account/sessions',
        'GET /v3/administrators',
        'GET /v3/administrators/{name}',
        'GET /v3/administrators/{name}/sessions',
        'GET /v3/api-clients',
        'GET /v3/api-clients/{id}',
        'POST /v3/account/recovery-codes',
        'POST /v3/account/second-factor/confirm',
        'POST /v3/account/second-factor/remove',
        'POST /v3/administrators',
        'POST /v3/api-clients',
        'POST /v3/api-clients/{id}/credentials',
        'PUT /v3/account/password',
        'PUT /v3/account/second-factor',
        'PUT /v3/administrators/{name}/password',
        'PUT /v3/administrators/{name}/role',
        'PUT /v3/api-clients/{id}',
      ].toSorted(),
    )
  })

  describe('management', () => {
    const codeOf = ({ status, json }: { status: number; json: Json }) => [status, json.code]

    test('a secret is shown once, and never stored or listed', async () => {
      proves('api-clients')
      const id = await createClient({ description: 'Publishes from CI' })
      const added = await addCredential(id, { kind: 'secret', days: 30 })
      expect(added.secret).toMatch(/^cwcs_[\w-]{43}$/)
      const found = await admin('GET', `/${id}`)
      expect(found.text).not.toContain(added.secret)
      const { credentials, ...client } = getData(found)
      expect(client).toMatchObject({ id, role: 'viewer', description: 'Publishes from CI' })
      expect(credentials).toEqual([
        {
          ...{ id: added.id, kind: 'secret', createdAt: added.createdAt },
          ...{ createdBy: 'admin', expiresAt: added.expiresAt },
        },
      ])
      expect(Date.parse(added.expiresAt) - Date.parse(added.createdAt)).toBe(30 * 86_400_000)
      await askWithSecret(id, added.secret)
      const used = getData(await admin('GET', `/${id}`))
      expect([used.lastUsedAt, used.credentials[0].lastUsedAt]).toEqual([
        ...[expect.any(String), expect.any(String)],
      ])
    })

    test('names are taken once, and unknown ones are named', async () => {
      proves('api-clients')
      const id = await createClient()
      expect(codeOf(await admin('POST', '', { id, role: 'viewer' }))).toEqual([
        ...[409, 'api-client-taken'],
      ])
      const unknown = [404, 'api-client-unknown']
      expect(codeOf(await admin('GET', '/none'))).toEqual(unknown)
      expect(codeOf(await admin('PUT', '/none', { role: 'viewer' }))).toEqual(unknown)
      expect(codeOf(await admin('DELETE', '/none'))).toEqual(unknown)
      expect(codeOf(await admin('POST', '/none/credentials', { kind: 'secret' }))).toEqual(unknown)
      const path = `/${id}/credentials/${crypto.randomUUID()}`
      expect(codeOf(await admin('DELETE', path))).toEqual(unknown)
    })

    test('a client has ten credentials at most', async () => {
      proves('api-clients')
      const id = await createClient()
      const federated = { kind: 'federated', issuer: 'https://ci.example', subject: 'one' }
      for (let count = 0; count < 10; count += 1) await addCredential(id, federated)
      expect(codeOf(await admin('POST', `/${id}/credentials`, federated))).toEqual([
        ...[409, 'api-client-limit'],
      ])
    })

    test.each([
      ['a private key', { kind: 'key', jwk: { kty: 'EC', crv: 'P-256', x: 'x', y: 'y', d: 'd' } }],
      ['a key of another kind', { kind: 'key', jwk: { kty: 'EC', crv: 'secp256k1', x: 'x' } }],
      ['a shared key', { kind: 'key', jwk: { kty: 'oct', k: 'k' } }],
      ['an issuer over plain HTTP', { issuer: 'http://ci.example', subject: 'one' }],
      ['a subject for everyone', { issuer: 'https://ci.example', subject: '*' }],
      ['a subject for all owners', { issuer: 'https://ci.example', subject: 'repo:*' }],
      ['a part of a part', { issuer: 'https://ci.example', subject: 'repo:a/b:c*' }],
      ['a long subject', { issuer: 'https://ci.example', subject: 'a'.repeat(501) }],
    ])('refuses %s', async (_, given) => {
      proves('api-clients')
      const id = await createClient()
      const body = 'kind' in given ? given : { kind: 'federated', ...given }
      const refused = await admin('POST', `/${id}/credentials`, body)
      expect(codeOf(refused)).toEqual([422, 'input-invalid'])
    })
  })
}
