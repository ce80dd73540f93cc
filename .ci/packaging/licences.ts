/** The licences of the npm packages that went into a bundle, as its source map names them. */
import { readdirSync, readFileSync, realpathSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { root } from '../../test/bed/repository.ts'
import { ReleaseError } from './written-at.ts'

/** `maps`: the source maps of the bundles. `beside`: packages that are not in them and go along. One text, in the order of names. */
export function collectLicences(maps: readonly string[], beside: readonly string[] = []): string {
  const bundled = maps.flatMap((path) => {
    const { sources } = JSON.parse(readFileSync(path, 'utf8'))
    const folder = realpathSync(dirname(path))
    return sources.flatMap((source: string) => findPackage(resolve(folder, source)) ?? [])
  })
  const folders = new Set([...bundled, ...beside.map((name) => join(root, 'node_modules', name))])
  return [...folders]
    .sort((a, b) => (toName(a) < toName(b) ? -1 : 1))
    .map(readLicence)
    .join('\n')
}

/** The folder of the package of a source; a workspace may have a package in another version than the others. */
function findPackage(source: string): string | undefined {
  const [folder] = /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(source) ?? []
  return folder && !toName(folder).startsWith('@cardwire/') ? folder : undefined
}

/** The name of the package in a folder. */
const toName = (folder: string): string => folder.replace(/^.*\/node_modules\//, '')

function readLicence(folder: string): string {
  const about = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  if (!about.license) throw new ReleaseError(`Cannot find the licence of ${toName(folder)}`)
  const texts = readdirSync(folder)
    .filter((file) => /^(licen[cs]e|notice|copying)/i.test(file))
    .sort()
    .map((file) => readFileSync(join(folder, file), 'utf8').trim())
  return [
    `${'='.repeat(78)}`,
    `${about.name} ${about.version}, licence ${about.license}`,
    '',
    ...texts,
    '',
  ].join('\n')
}
