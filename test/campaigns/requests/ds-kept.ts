/** Things of a distribution service that no request may change: they are there before, and the same afterwards. */

import { createDevice, type Device } from '../../../ds/test/harness/device.ts'
import type { DistributionService } from '../../bed/distribution-service.ts'

export interface KeptThings {
  readonly version: string
  readonly apiKey: string
  readonly device: Device
  readonly paths: readonly string[]
  readonly secrets: readonly string[]
}

const version = '0.9.0'
const keystorePassword = 'the-password-of-the-kept-keystore'

export async function arrangeKept(service: DistributionService): Promise<KeptThings> {
  const { admin } = service
  const uris = [{ os: 'UNIX', uri: 'file:///kept/cardwire.deb' }]
  const registered = await service.registerVersion(version, { uris })
  const configurations = [
    { type: 'CONTEXT_CONFIG', config: { cors: ['https://kept.example'] } },
    { type: 'FILE_DIGESTS', config: { files: [{ path: 'bin/kept', digest: 'a'.repeat(32) }] } },
    {
      type: 'SSL_KEYSTORE',
      config: { uri: 'https://kept.example/keystore.p12', password: keystorePassword },
    },
  ]
  const stored = []
  for (const body of configurations) {
    stored.push(await admin('PUT', '/v3/configurations', { ...body, versionId: version }))
  }
  await admin('PUT', '/v3/organizations', { name: 'Kept' })
  const label = await admin('PUT', '/v3/labels', { name: 'Kept', orgId: 'kept' })
  const device = await createDevice(service, registered)
  return {
    version,
    apiKey: label.apiKey,
    device,
    paths: [
      `/v3/versions/${version}`,
      ...stored.map(({ id }) => `/v3/configurations/${id}`),
      '/v3/organizations/kept',
      '/v3/labels/kept',
      `/v3/devices/${device.id}`,
    ],
    secrets: [label.apiKey, registered.installationApiKey, keystorePassword],
  }
}

export async function readKept(service: DistributionService, { paths }: KeptThings) {
  const read = []
  for (const path of paths) {
    // A device is in rollouts and groups that others make.
    const { rollouts: _, groups: __, ...kept } = await service.admin('GET', path)
    read.push([path, kept])
  }
  return Object.fromEntries(read)
}
