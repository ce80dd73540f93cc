/** The anchors of a Debian machine in a folder of a test. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Distribution } from '../../src/pki/trust-stores/linux-anchors.ts'

/** Debian's own command, with folders of its own in place of the machine's. `neighbour` is trusted already, PEM. */
export function createDebianDistribution(folder: string, neighbour: string): Distribution {
  const paths = {
    local: join(folder, 'local'),
    etc: join(folder, 'etc'),
    hooks: join(folder, 'hooks'),
  }
  for (const path of Object.values(paths)) mkdirSync(path, { recursive: true })
  writeFileSync(join(folder, 'conf'), '')
  // The command writes no bundle without any certificate, and a machine always has some.
  writeFileSync(join(paths.local, 'neighbour.crt'), neighbour)
  const command = [
    'update-ca-certificates',
    ...['--localcertsdir', paths.local, '--etccertsdir', paths.etc],
    ...['--hooksdir', paths.hooks, '--certsconf', join(folder, 'conf')],
  ] as const
  return {
    ids: ['debian'],
    folder: paths.local,
    extension: '.crt',
    command: [...command],
    removal: [...command, '--fresh'],
    bundle: join(paths.etc, 'ca-certificates.crt'),
  }
}
