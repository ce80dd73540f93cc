/** The Debian package: the service with a Node of its own, because Debian's is too old. */
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { hash, listFiles } from '../../.ci/packaging/archives.ts'
import { copy, write } from '../../.ci/packaging/files.ts'
import { root } from '../../test/bed/repository.ts'
import { readNodeLicence } from './bundle.ts'
import { findArchitecture } from './facts.ts'
import { layOutDocuments, layOutProgram, layOutUnits, render } from './program-files.ts'

const places = { home: '/usr/lib/cardwire-ds', doc: '/usr/share/doc/cardwire-ds' }

export function layOutDeb(bundled: string, tree: string, writtenAt: number): void {
  layOutProgram(bundled, join(tree, places.home))
  copy(join(root, 'node_modules/node/bin/node'), join(tree, places.home, 'node/bin/node'))
  layOutDocuments(bundled, join(tree, places.doc))
  layOutUnits(join(tree, 'usr/lib/systemd/system'), places)
  render('settings.env', join(tree, 'etc/cardwire-ds/settings.env'), places)
  render('bin/cardwire-ds-admin', join(tree, 'usr/sbin/cardwire-ds-admin'), places, 0o755)
  render('debian/overrides', join(tree, 'usr/share/lintian/overrides/cardwire-ds'), places)
  render('debian/copyright', join(tree, places.doc, 'copyright'), places)
  write(join(tree, places.doc, 'node-licence'), readNodeLicence())
  layOutChangelog(tree, writtenAt)
  layOutControl(tree)
}

function layOutChangelog(tree: string, writtenAt: number): void {
  const path = join(tree, places.doc, 'changelog.gz')
  const date = new Date(writtenAt * 1000).toUTCString().replace('GMT', '+0000')
  render('debian/changelog', path, { ...places, DATE: date })
  write(path, gzipSync(readFileSync(path), { level: 9 }))
}

function layOutControl(tree: string): void {
  const files = listFiles(tree)
  const bytes = files.reduce((sum, path) => sum + statSync(join(tree, path)).size, 0)
  const folder = join(tree, 'DEBIAN')
  render('debian/control', join(folder, 'control'), {
    ...places,
    ARCHITECTURE: findArchitecture(),
    INSTALLED_SIZE: String(Math.ceil(bytes / 1024)),
  })
  const sums = files.map((path) => `${hash('md5', join(tree, path))}  ${path}\n`)
  write(join(folder, 'md5sums'), sums.join(''))
  write(join(folder, 'conffiles'), '/etc/cardwire-ds/settings.env\n')
  for (const name of ['postinst', 'prerm', 'postrm']) {
    render(`debian/${name}`, join(folder, name), places, 0o755)
  }
}
