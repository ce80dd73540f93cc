/** Administrators of an external OpenID provider. */
import { type CryptoKey, SignJWT } from 'jose'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  type DistributionService,
  startDistributionService,
} from '../../../test/bed/distribution-service.ts'
import { proves } from '../../../test/bed/proves.ts'
import type { Json } from '../../../test/bed/service-request.ts'
import type { Runtime } from '../../../test/bed/service-runtimes.ts'
import { type OpenIdIssuer, startOpenIdIssuer } from '../harness/openid-issuer.ts'

const audience = 'cardwire-management'
const role = 'card-admins'

export function externalProviderSuite(runtime: Runtime): void {
  describe('external identity provider', () => {
    let provider: OpenIdIssuer
    let issuer: string
    let service: DistributionService
    let privateKey: CryptoKey

    beforeAll(async () => {
      provider = await startOpenIdIssuer()
      ;({ issuer, privateKey } = provider)
      service = await startDistributionService(runtime, {
        DS_IDP_ISSUER: issuer,
        DS_IDP_AUDIENCE: audience,
        DS_IDP_ROLE: role,
        DS_IDP_ROLE_CLAIM: 'resource_access.ds.roles',
      })
    })

    afterAll(async () => {
      await service?.stop()
      provider?.stop()
    })

    const claims = () => ({
      iss: issuer,
      aud: audience,
      sub: 'u1',
      preferred_username: 'ada',
      resource_access: { ds: { roles: [role] } },
    })
    const token = (changes: object = {}, header: object = {}, expires = '5m') =>
      new SignJWT({ ...claims(), ...changes })
        .setProtectedHeader({ alg: 'RS256', kid: 'one', ...header })
        .setIssuedAt()
        .setExpirationTime(expires)
        .sign(privateKey)
    const list = (bearer: string) => service.request('GET', '/v3/organizations', { token: bearer })

    test('token of the provider with the role is an administrator', async () => {
      expect((await list(await token())).status).toBe(200)
    })

    test('audit identifies an administrator by subject and issuer, whatever the name', async () => {
      for (const preferred_username of ['ada', 'ada.married']) {
        const body = { name: `Org of ${preferred_username}` }
        const bearer = await token({ preferred_username })
        expect(
          (await service.request('PUT', '/v3/organizations', { token: bearer, body })).status,
        ).toBe(201)
      }
      const found = async (who: string) => {
        const bearer = await token()
        const { json } = await service.request('GET', `/v3/audit?who=${who}`, { token: bearer })
        return json.data.items.map((item: Json) => item.who)
      }
      expect(await found('u1')).toEqual([
        { subject: 'u1', issuer, name: 'ada.married' },
        { subject: 'u1', issuer, name: 'ada' },
      ])
      expect(await found('ada')).toEqual([{ subject: 'u1', issuer, name: 'ada' }])
    })

    test('token without the role is refused with 403', async () => {
      proves('management-needs-token')
      for (const resource_access of [
        { ds: { roles: ['users'] } },
        { ds: {} },
        {},
        { ds: { roles: 'card-admins-not' } },
      ]) {
        const answer = await list(await token({ resource_access }))
        expect([answer.status, answer.json.code]).toEqual([403, 'role-missing'])
      }
    })

    test('expired token, wrong issuer, wrong audience and unknown kid are refused with 401 and the same text', async () => {
      proves('invalid-tokens-refused')
      const answers = [
        await list(await token({}, {}, '-5m')),
        await list(await token({ iss: 'https://other.example' })),
        await list(await token({ aud: 'account' })),
        await list(await token({}, { kid: 'two' })),
        await list(await token({ nbf: Math.floor(Date.now() / 1000) + 600 })),
      ]
      expect(answers.map(({ status }) => status)).toEqual([401, 401, 401, 401, 401])
      expect(new Set(answers.map(({ json }) => json.description)).size).toBe(1)
    })

    test('tokens without a signature, or signed with the public key, are refused', async () => {
      const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
      const exp = Math.floor(Date.now() / 1000) + 300
      const unsigned = `${part({ alg: 'none', kid: 'one' })}.${part({ ...claims(), exp })}.`
      const { keys } = (await (await fetch(`${issuer}/certs`)).json()) as { keys: object[] }
      const shared = await new SignJWT(claims())
        .setProtectedHeader({ alg: 'HS256', kid: 'one' })
        .setIssuedAt()
        .setExpirationTime('5m')
        .sign(new TextEncoder().encode(JSON.stringify(keys[0])))
      for (const forged of [unsigned, shared]) expect((await list(forged)).status).toBe(401)
    })

    test('key set can be configured, and a provider that is down is a problem of its own', async () => {
      const named = await startDistributionService(runtime, {
        DS_IDP_JWKS_URL: `${issuer}/certs`,
        DS_IDP_AUDIENCE: audience,
        DS_IDP_ROLE: role,
        DS_IDP_ROLE_CLAIM: 'resource_access.ds.roles',
      })
      const found = await named.request('GET', '/v3/organizations', { token: await token() })
      expect(found.status).toBe(200)
      await named.stop()
      const lost = await startDistributionService(runtime, {
        DS_IDP_ISSUER: 'http://127.0.0.1:9/realm',
        DS_IDP_AUDIENCE: audience,
        DS_IDP_ROLE: role,
      })
      const answer = await lost.request('GET', '/v3/organizations', { token: await token() })
      expect([answer.status, answer.json.code]).toEqual([503, 'provider-unreachable'])
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
      await lost.stop()
    })

    test('external provider turns the embedded endpoints off', async () => {
      const form = {
        client_id: 'cardwire',
        grant_type: 'password',
        username: 'admin',
        password: 'x',
      }
      expect(
        (
          await service.request('POST', '/auth/realms/cardwire/protocol/openid-connect/token', {
            form,
          })
        ).status,
      ).toBe(404)
      expect(
        (await service.request('GET', '/auth/realms/cardwire/protocol/openid-connect/certs'))
          .status,
      ).toBe(404)
    })
  })
}
