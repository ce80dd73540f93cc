/** A real service that is filled on this machine, and runs in a booted one with the same files, at the same address there. */

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { administrator } from '../../../test/bed/administrator.ts'
import {
  type DistributionService,
  startDistributionService,
} from '../../../test/bed/distribution-service.ts'
import { root } from '../../../test/bed/repository.ts'

export interface MachineService {
  readonly url: string
  /** Its files, which the machine sees as /service. */
  readonly folder: string
  /** Folders of the machine, by their path there: what `boot` takes. */
  readonly folders: Readonly<Record<string, string>>
}

/** `fill` registers what it needs; then the service ends here. The script of the machine starts it: `start_service`. */
export async function prepareMachineService(
  fill: (service: DistributionService) => Promise<void>,
): Promise<MachineService> {
  const service = await startDistributionService()
  await fill(service)
  await service.pause()
  const { url, folder } = service
  const settings = {
    DS_PORT: new URL(url).port,
    DS_DATABASE: '/service/data/ds.sqlite',
    DS_PACKAGES_DIR: '/service/packages',
    DS_ADMIN_PASSWORD: administrator.password,
    DS_URL: url,
  }
  const lines = Object.entries(settings).map(([name, value]) => `${name}=${value}\n`)
  writeFileSync(join(folder, 'settings.env'), lines.join(''))
  return { url, folder, folders: { '/service': folder, '/repository': root } }
}
