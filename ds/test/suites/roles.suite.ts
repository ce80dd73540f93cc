/** Roles: every operation with every role of an external provider, and with the tokens of programs. */
import { type Role, roles } from '@cardwire/protocol'
import { SignJWT } from 'jose'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  type DistributionService,
  startDistributionService,
} from '../../../test/bed/distribution-service.ts'
import { proves } from '../../../test/bed/proves.ts'
import {
  fillPath,
  getNeededRole,
  roleIncludes,
  serviceAccess,
  serviceRoles,
} from '../../../test/bed/service-access.ts'
import type { Runtime } from '../../../test/bed/service-runtimes.ts'
import { createLabel, createVersion, getApplicationToken } from '../harness/arrange.ts'
import { createAssertion, createDevice } from '../harness/device.ts'
import { type OpenIdIssuer, startOpenIdIssuer } from '../harness/openid-issuer.ts'

const audience = 'cardwire-management'
const roleNames: Readonly<Record<Role, string>> = {
  viewer: 'card-auditors',
  publisher: 'card-releases',
  administrator: 'card-admins',
}
/** Those of accounts are the embedded provider's; `administrators.suite.ts` has them. */
const guarded = serviceAccess.flatMap(([method, path, access]) => {
  const needed = getNeededRole(access)
  const isOfAccounts = /^\/v3\/(administrators|account)\b/.test(path)
  return needed === undefined || isOfAccounts
    ? []
    : [{ name: `${method} ${path}`, method, path, access, needed }]
})

export function roleSuite(runtime: Runtime): void {
  describe('roles', () => {
    let provider: OpenIdIssuer
    let service: DistributionService

    beforeAll(async () => {
      provider = await startOpenIdIssuer()
      service = await startDistributionService(runtime, {
        DS_IDP_ISSUER: provider.issuer,
        DS_IDP_AUDIENCE: audience,
        DS_IDP_ROLE: roleNames.administrator,
        DS_IDP_PUBLISHER_ROLE: roleNames.publisher,
        DS_IDP_VIEWER_ROLE: roleNames.viewer,
        DS_IDP_ROLE_CLAIM: 'roles',
      })
    })
    afterAll(async () => {
      await service?.stop()
      provider?.stop()
    })

    const createToken = (...names: string[]) =>
      new SignJWT({ roles: names })
        .setProtectedHeader({ alg: 'RS256', kid: 'one' })
        .setIssuer(provider.issuer)
        .setAudience(audience)
        .setSubject('ada')
        .setIssuedAt()
        .setExpirationTime('5m')
        .sign(provider.privateKey)

    /** Names nothing that exists, and has no body that is valid: nothing is changed. */
    const call = async ({ method, path }: (typeof guarded)[number], token?: string) => {
      const { status, json } = await service.request(method, fillPath(path), {
        // Not of this machine, which needs no role for metrics.
        headers: { 'content-type': 'application/json', 'x-forwarded-for': '198.51.100.1' },
        ...(token !== undefined && { token }),
      })
      return { status, code: status < 400 ? undefined : json?.code }
    }
    const isRefused = ({ status, code }: { status: number; code?: string }) =>
      status === 401 || code === 'token-refused' || code === 'role-missing'

    test.each(serviceRoles.map((role) => ({ role })))(
      'a token of the role $role is accepted by its operations, and refused by all others',
      async ({ role }) => {
        proves('least-role', 'role-exceeded')
        const token = await createToken(roleNames[role])
        const refused = []
        for (const operation of guarded) {
          const answer = await call(operation, token)
          if (isRefused(answer)) refused.push({ name: operation.name, ...answer })
        }
        expect(refused).toEqual(
          guarded
            .filter(({ needed }) => !roleIncludes[role].includes(needed))
            .map(({ name }) => ({ name, status: 403, code: 'role-missing' })),
        )
      },
    )

    test('a token without a role, or with the name of a role of the contract, is refused by all', async () => {
      proves('role-exceeded')
      for (const token of [await createToken(), await createToken(...roles)]) {
        for (const operation of guarded)
          expect([operation.name, await call(operation, token)]).toEqual([
            operation.name,
            { status: 403, code: 'role-missing' },
          ])
      }
    })

    test('a refusal names the role that is needed and the one that the token has', async () => {
      const token = await createToken(roleNames.viewer)
      const { json } = await service.request('PUT', '/v3/versions', { token, body: {} })
      expect(json.description).toContain('needs the role "publisher", the token has "viewer"')
    })

    test('of several roles the highest counts', async () => {
      const token = await createToken(roleNames.viewer, roleNames.publisher)
      const [publish, administer] = [
        await service.request('PUT', '/v3/versions', { token, body: {} }),
        await service.request('PUT', '/v3/organizations', { token, body: {} }),
      ]
      expect([publish.status, administer.status]).toEqual([422, 403])
    })

    test('no token, an API key and the token of a device are refused by all', async () => {
      proves('role-exceeded')
      const token = await createToken(roleNames.administrator)
      const device = await createDevice(service, await createVersion(service, token))
      const { apiKey } = await createLabel(service, token)
      for (const operation of guarded) {
        const bearers = [undefined, apiKey, await createAssertion(service, device, device.id)]
        for (const bearer of bearers) {
          expect([operation.name, await call(operation, bearer)]).toEqual([
            operation.name,
            { status: 401, code: 'token-refused' },
          ])
        }
      }
    })

    test('an application token is accepted where the contract says so, and refused by all others', async () => {
      proves('least-role')
      const token = await createToken(roleNames.administrator)
      const application = await getApplicationToken(
        service,
        (await createLabel(service, token)).apiKey,
      )
      const accepted = []
      for (const operation of guarded)
        if (!isRefused(await call(operation, application))) accepted.push(operation.name)
      expect(accepted).toEqual(
        guarded.filter(({ access }) => access === 'application').map(({ name }) => name),
      )
    })
  })
}
