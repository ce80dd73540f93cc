/** Creates versions, organizations, labels and tokens for tests, each with a name of its own. */

import type { DistributionService } from '../../../test/bed/distribution-service.ts'
import { readKeystoreFile } from '../../../test/bed/keystore-file.ts'
import type { Json, ServiceResponse } from '../../../test/bed/service-request.ts'

let count = 0
const nextNumber = () => {
  count += 1
  return count
}

/** A version that no other test of the suite has; lower than any that a test wants to be the latest. */
export const nextVersion = () => `0.1.${nextNumber()}`

export const createVersionBody = (overrides: Json = {}): Json => ({
  id: nextVersion(),
  recommended: false,
  mandatory: false,
  allowed: true,
  uris: [{ os: 'UNIX', uri: 'https://downloads.example/connector.deb' }],
  ...overrides,
})

/** Returns the data of a response, which has to be a success. */
export function getData({ status, json, text }: ServiceResponse): Json {
  if (status !== 200 && status !== 201) throw new Error(`Expected success, got ${status}: ${text}`)
  return json.data
}

/** Whatever it means to devices of other tests. */
export const createVersion = async (
  service: Pick<DistributionService, 'request'>,
  token: string,
  overrides: Json = {},
) =>
  getData(
    await service.request('PUT', '/v3/versions?force=true&maxReach=999999999', {
      token,
      body: createVersionBody(overrides),
    }),
  )

/** Of a new version, brought to a state. */
export async function createRollout(
  service: Pick<DistributionService, 'request'>,
  token: string,
  state = 'draft',
  overrides: Json = {},
): Promise<Json> {
  const version = overrides['version'] ?? (await createVersion(service, token)).id
  const path = `/v3/rollouts/${crypto.randomUUID()}`
  const stages = [
    { share: 50, holdS: 172_800 },
    { share: 100, holdS: 86_400 },
  ]
  const body = { version, flag: 'recommended', stages, ...overrides }
  let rollout = getData(await service.request('PUT', path, { token, body }))
  const steps = state === 'draft' ? [] : state === 'running' ? [state] : ['running', state]
  for (const step of steps)
    rollout = getData(
      await service.request('PUT', `${path}/state?force=true&maxReach=999999999`, {
        token,
        body: { state: step },
      }),
    )
  return rollout
}

/** The name of a file that no other test of the suite has. */
export const nextInstaller = () => `cardwire-${nextNumber()}.deb`

export const uploadInstaller = async (
  service: Pick<DistributionService, 'request'>,
  token: string,
  { name = nextInstaller(), body = 'bytes of an installer' as string | Uint8Array } = {},
) =>
  getData(
    await service.request('PUT', `/v3/installers/${name}`, {
      token,
      body,
      headers: { 'content-type': 'application/octet-stream' },
    }),
  )

export const uploadKeystore = async (
  service: Pick<DistributionService, 'request'>,
  token: string,
  { name = nextInstaller(), body = readKeystoreFile() } = {},
) =>
  getData(
    await service.request('PUT', `/v3/keystores/${name}`, {
      token,
      body,
      headers: { 'content-type': 'application/octet-stream' },
    }),
  )

export const createOrganization = async (
  service: Pick<DistributionService, 'request'>,
  token: string,
) =>
  getData(
    await service.request('PUT', '/v3/organizations', {
      token,
      body: { name: `Org ${nextNumber()}` },
    }),
  )

/** A label with its key, in an organization of its own. */
export async function createLabel(
  service: Pick<DistributionService, 'request'>,
  token: string,
  overrides: Json = {},
): Promise<Json> {
  const { id: orgId } = await createOrganization(service, token)
  const body = { name: `Label ${nextNumber()}`, orgId, ...overrides }
  return getData(await service.request('PUT', '/v3/labels', { token, body }))
}

/** An application token for a label's key. */
export const getApplicationToken = async (
  service: Pick<DistributionService, 'request'>,
  apikey: string,
): Promise<string> =>
  getData(await service.request('GET', '/v3/tokens/application', { headers: { apikey } }))

/** An address that no other test comes from (for benchmarks, RFC 2544). */
export const nextAddress = () => {
  const n = nextNumber()
  return `198.18.${n >> 8}.${n & 255}`
}
