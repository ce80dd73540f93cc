/** A signed package for Windows with a slot, as a version of a service has it. */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createManifestName } from '@cardwire/protocol'
import type { DistributionService } from '../../../test/bed/distribution-service.ts'
import type { Json } from '../../../test/bed/service-request.ts'
import { createWindowsSigner } from '../../build/sign-windows.ts'
import type { Slot } from '../../packages/package-facts.ts'
import { signMsi } from '../../packages/windows/slotted-msi.ts'
import { makeSampleMsi, type Signer } from './sample-msi.ts'

export interface SignedMsi {
  /** As it was built: with an empty slot. */
  readonly bytes: Buffer
  readonly slot: Slot
}

/** Makes it in `folder`. */
export function makeSignedMsi(folder: string, signer: Signer): SignedMsi {
  const file = makeSampleMsi(folder)
  const signWindows = createWindowsSigner(signer.command)
  const slot = signMsi(file, { signWindows, report: () => undefined })
  if (slot === undefined) throw new Error('Expected a slot')
  return { bytes: readFileSync(file), slot }
}

/** Registers a version with it, as `npm run publish` does. The service stamps. */
export async function publishMsi(
  service: DistributionService,
  { bytes, slot }: SignedMsi,
  id: string,
): Promise<Json> {
  const file = `cardwire-${id}.msi`
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  const size = bytes.length
  const listed = { file, system: 'WIN64', architecture: 'x64', size, sha256, slot }
  const manifest = JSON.stringify({ version: id, files: [listed] })
  const signed = JSON.stringify({ manifest, signature: 'c2lnbmVk' })
  await service.putPackage(file, bytes)
  await service.putPackage(createManifestName(id), Buffer.from(signed))
  const uris = [{ os: 'WIN64', uri: `file:///${file}`, sha256, size }]
  return service.registerVersion(id, { uris })
}

export const getDownloadPath = (id: string) => `/v3/downloads/installers/win64/versions/${id}`
