/** A whole use of a distribution service, from a release to the token of a page and the policy of a device. */
import { strict as assert } from 'node:assert'
import { createPublicKey, type JsonWebKey, verify } from 'node:crypto'
import { createDevice } from '../../../ds/test/harness/device.ts'
import type { DistributionService } from '../../bed/distribution-service.ts'
import type { Json } from '../../bed/service-request.ts'
import type { KeptThings } from './ds-kept.ts'

/** Higher than every version of generated requests. */
const version = '3.0.0'

export async function runDsJourney(service: DistributionService, kept: KeptThings): Promise<void> {
  service.forgetSession()
  const { request, admin } = service
  assert.equal((await request('GET', '/health')).json.status, 'ok')
  const registered = await service.registerVersion(version)
  await service.allow(version, ['https://journey.example'])

  const organization = await admin('PUT', '/v3/organizations', { name: 'Journey' })
  const label = await admin('PUT', '/v3/labels', { name: 'Journey', orgId: organization.id })
  await verifyApplicationToken(service, label)

  const device = await createDevice(service, registered)
  const { reply } = await device.sync()
  assert.deepEqual(reply.cors, ['https://journey.example'])
  assert.equal(reply.verdict.action, 'none')
  assert.equal((await device.request('POST', '/v3/devices/logs', Buffer.from('logs'))).status, 200)
  await admin('POST', `/v3/devices/${device.id}/block`)
  assert.equal((await device.sync()).status, 403)

  // One that was there before goes on as well.
  assert.equal((await kept.device.sync()).status, 200)
  const installer = await request('GET', `/v3/downloads/installers/unix/versions/${kept.version}`)
  assert.equal(installer.bytes.length, 100_000)
  const headers = { apikey: kept.apiKey }
  assert.equal((await request('GET', '/v3/tokens/application', { headers })).status, 200)

  const { items } = await admin('GET', '/v3/audit?size=1')
  assert.equal(`${items[0].operation} ${items[0].id}`, `blockDevice ${device.id}`)
}

/** As everybody can, with the published keys (RFC 7515, ES256). */
async function verifyApplicationToken({ request }: DistributionService, label: Json) {
  const answer = await request('GET', '/v3/tokens/application', {
    headers: { apikey: label.apiKey },
  })
  const [header = '', claims = '', signature = ''] = String(answer.json.data).split('.')
  const decode = (part: string) => JSON.parse(Buffer.from(part, 'base64url').toString())
  const { keys } = (await request('GET', '/.well-known/jwks.json')).json
  const jwk: JsonWebKey = keys.find(({ kid }: Json) => kid === decode(header).kid)
  const key = createPublicKey({ key: jwk, format: 'jwk' })
  const signed = Buffer.from(`${header}.${claims}`)
  const isSigned = verify(
    'sha256',
    signed,
    { key, dsaEncoding: 'ieee-p1363' },
    Buffer.from(signature, 'base64url'),
  )
  assert.ok(isSigned, 'the token is not signed by a published key')
  assert.equal(decode(claims).sub, label.id)
}
