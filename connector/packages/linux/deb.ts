/** The Debian package: for Debian 12 and Ubuntu 22.04, and later ones. */
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { createDeb, hash, listFiles } from '../../../.ci/packaging/archives.ts'
import { write } from '../../../.ci/packaging/files.ts'
import { createEmptySlot } from '../empty-slot.ts'
import type { Architecture, PackageFacts, PackageFile, PackageFormat } from '../package-facts.ts'
import { toPackageVersion } from './documents.ts'
import { layOut } from './layout.ts'
import { places } from './places.ts'
import { render, renderScript } from './render.ts'
import { openSlot, slotName } from './slotted-deb.ts'

const names = { x64: 'amd64', arm64: 'arm64' } as const

// The program, 117 MB: xz 42 MB in minutes, zstd 54 MB in seconds. lintian of Debian 12 takes no zstd.
const release = { method: 'xz', level: 6 } as const
const fast = { method: 'zstd', level: 3 } as const

export const deb: PackageFormat = {
  tools: { 'dpkg-deb': 'dpkg' },
  async build(facts) {
    const files: PackageFile[] = []
    for (const architecture of facts.architectures) files.push(await build(architecture, facts))
    return files
  },
}

async function build(architecture: Architecture, facts: PackageFacts): Promise<PackageFile> {
  const file = `cardwire_${toPackageVersion(facts.version)}_${names[architecture]}.deb`
  const tree = join(facts.work, `deb-${architecture}`)
  const times = await layOut(tree, architecture, facts)
  write(join(tree, 'usr/share/lintian/overrides/cardwire'), render('overrides'))
  layOutControl(tree, architecture, facts)
  facts.report(`${file} …`)
  const compression = facts.isFast ? fast : release
  const path = join(facts.out, file)
  createDeb(tree, path, facts.writtenAt, { ...compression, times })
  return { file, system: 'UNIX', architecture, slot: openSlot(path, facts.writtenAt) }
}

function layOutControl(tree: string, architecture: Architecture, { version }: PackageFacts): void {
  const files = listFiles(tree)
  const bytes = files.reduce((sum, path) => sum + statSync(join(tree, path)).size, 0)
  const control = join(tree, 'DEBIAN')
  write(
    join(control, 'control'),
    render('control', {
      VERSION: toPackageVersion(version),
      ARCHITECTURE: names[architecture],
      INSTALLED_SIZE: String(Math.ceil(bytes / 1024)),
    }),
  )
  const sums = files.map((path) => `${hash('md5', join(tree, path))}  ${path}\n`)
  write(join(control, 'md5sums'), sums.join(''))
  write(join(control, 'conffiles'), `/${places.autostart}\n`)
  write(join(control, slotName), createEmptySlot())
  for (const name of ['preinst', 'postinst', 'prerm', 'postrm'])
    write(join(control, name), `#!/bin/sh\n${renderScript(`deb-${name}`)}`, 0o755)
}
