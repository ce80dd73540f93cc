/** The files of the installed service, as both archives have them, and those that only the tarball has. */
import { readdirSync, readFileSync } from 'node:fs'
import { basename, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { copy, write } from '../../.ci/packaging/files.ts'
import { findLinkedFiles } from '../../.ci/packaging/linked-files.ts'
import { root } from '../../test/bed/repository.ts'
import { documents, migrations } from '../src/resources.ts'
import { documentFiles } from '../src/rules/documents.ts'
import { collectBundledLicences, programs } from './bundle.ts'
import { findExternals, findNodeVersion, findVersion } from './facts.ts'

/** Where an archive puts the service. */
export type Places = { readonly home: string; readonly doc: string }

/** The files that a running service reads, in `home`. */
export function layOutProgram(bundled: string, home: string): void {
  for (const name of programs) copy(join(bundled, name), join(home, 'ds/dist', name))
  write(join(home, 'ds/package.json'), `${JSON.stringify({ type: 'module' })}\n`)
  const files = documentFiles.map((file) => new URL(file, documents))
  for (const url of [migrations, ...files]) {
    const path = fileURLToPath(url)
    copy(path, join(home, relative(root, path)))
  }
  for (const name of findExternals()) copyPackage(name, join(home, 'node_modules', name))
  render('bin/cardwire-ds', join(home, 'bin/cardwire-ds'), { home: '', doc: '' }, 0o755)
}

/** The documents and the licences of the packages, in `folder`. */
export function layOutDocuments(bundled: string, folder: string): void {
  const source = fileURLToPath(documents)
  for (const name of findLinkedFiles(source, ['deploy.md', 'settings.md']))
    copy(join(source, name), join(folder, name))
  for (const name of readdirSync(new URL('files/proxy', import.meta.url))) {
    render(`proxy/${name}`, join(folder, 'proxy', name), { home: '', doc: '' })
  }
  write(join(folder, 'third-party-licences'), collectBundledLicences(bundled))
}

/** The tarball: everything in one folder, which goes to /opt/cardwire-ds on a machine with systemd. */
export function layOutTarball(bundled: string, folder: string): void {
  const places = { home: '/opt/cardwire-ds', doc: '/opt/cardwire-ds/doc' }
  layOutProgram(bundled, folder)
  layOutDocuments(bundled, join(folder, 'doc'))
  layOutUnits(join(folder, 'systemd'), places)
  render('bin/cardwire-ds-admin', join(folder, 'bin/cardwire-ds-admin'), places, 0o755)
  render('settings.env', join(folder, 'settings.env'), places)
}

export const units = [
  'cardwire-ds.service',
  'cardwire-ds@.service',
  'cardwire-ds-backup.service',
  'cardwire-ds-backup.timer',
]

export function layOutUnits(folder: string, places: Places): void {
  for (const name of units) render(`systemd/${name}`, join(folder, name), places)
}

const filesFolder = fileURLToPath(new URL('files', import.meta.url))

/** Writes a file of `files` with its @NAMES@ replaced. */
export function render(
  name: string,
  path: string,
  { home, doc, ...more }: Places & { readonly [fact: string]: string },
  mode = 0o644,
): void {
  const facts: Readonly<Record<string, string>> = {
    HOME: home,
    DOC: doc,
    NODE: findNodeVersion(),
    VERSION: findVersion(),
    HARDENING: readFileSync(join(filesFolder, 'systemd/hardening'), 'utf8').trim(),
    ...more,
  }
  const text = readFileSync(join(filesFolder, name), 'utf8')
  write(
    path,
    text.replaceAll(/@([A-Z_]+)@/g, (whole, fact) => facts[fact] ?? whole),
    mode,
  )
}

/** What a package needs at run time: no sources, no maps, and of its native modules that of this machine. */
function copyPackage(name: string, to: string): void {
  const from = join(root, 'node_modules', name)
  const native = `linux-${process.arch}.node`
  for (const entry of readdirSync(from, {
    recursive: true,
    encoding: 'utf8',
    withFileTypes: true,
  })) {
    const path = relative(from, join(entry.parentPath, entry.name))
    if (!entry.isFile() || /^(src|deps|node_modules)\/|\.(map|md|gyp|txt)$|^log\./.test(path))
      continue
    if (path.endsWith('.node') && basename(path) !== native) continue
    copy(join(from, path), join(to, path))
  }
}
