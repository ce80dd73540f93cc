/** What tests need to be there before they begin, each with a name of its own. */
import type { Answer, Json, Service } from './service.ts'

let count = 0
const serial = () => {
  count += 1
  return count
}

/** A version nobody else in the suite has; lower than any that a test wants to be the latest. */
export const freshVersion = () => `0.1.${serial()}`

export const versionBody = (overrides: Json = {}): Json => ({
  id: freshVersion(),
  recommended: false,
  mandatory: false,
  allowed: true,
  uris: [{ os: 'UNIX', uri: 'https://downloads.example/connector.deb' }],
  ...overrides,
})

/** The data of an answer that has to be a success. */
export function dataOf({ status, json, text }: Answer): Json {
  if (status !== 200 && status !== 201) throw new Error(`Expected success, got ${status}: ${text}`)
  return json.data
}

export const aVersion = async (service: Service, token: string, overrides: Json = {}) =>
  dataOf(await service.ask('PUT', '/v3/versions', { token, body: versionBody(overrides) }))

export const anOrganization = async (service: Service, token: string) =>
  dataOf(
    await service.ask('PUT', '/v3/organizations', { token, body: { name: `Org ${serial()}` } }),
  )

/** A label with its key, in an organization of its own. */
export async function aLabel(service: Service, token: string, overrides: Json = {}): Promise<Json> {
  const { id: orgId } = await anOrganization(service, token)
  const body = { name: `Label ${serial()}`, orgId, ...overrides }
  return dataOf(await service.ask('PUT', '/v3/labels', { token, body }))
}

/** An application token for a label's key. */
export const anApplicationToken = async (service: Service, apikey: string): Promise<string> =>
  dataOf(await service.ask('GET', '/v3/tokens/application', { headers: { apikey } }))

/** An address that no other test comes from (TEST-NET-2 and -3, RFC 5737). */
export const freshAddress = () => {
  const n = serial()
  return n < 250 ? `198.51.100.${n}` : `203.0.113.${n % 250}`
}
