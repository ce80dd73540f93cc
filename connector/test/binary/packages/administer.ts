/** What an administrator does at the service of a booted machine: `administer.ts URL configure VERSION ORIGIN | approve | token | label`. */
import process from 'node:process'
import { createAdministrator } from '../../../../test/bed/administrator.ts'
import { createServiceClient, type Json } from '../../../../test/bed/service-request.ts'

const [url = '', act, version = '', origin = ''] = process.argv.slice(2)
const { admin, allow, applicationToken, createLabel } = createAdministrator(
  createServiceClient(url, 'x-forwarded-for'),
)

/** The password of keystore.p12 among the keystores of the service. */
const password = 'secret'

if (act === 'configure') {
  await allow(version, [origin])
  const config = { uri: 'file:///keystore.p12', password }
  await admin('PUT', '/v3/configurations?maxReach=999999999', {
    type: 'SSL_KEYSTORE',
    versionId: version,
    config,
  })
}
if (act === 'approve') {
  const { items } = await admin('GET', '/v3/devices?approved=false&size=100')
  for (const { id } of items) await admin('POST', `/v3/devices/${id}/approve`)
  const kinds = items.map(({ device }: Json) => device.component ?? 'connector')
  process.stdout.write(kinds.toSorted().join(' '))
}
if (act === 'label') process.stdout.write((await createLabel()).apiKey)
if (act === 'token') process.stdout.write(await applicationToken())
