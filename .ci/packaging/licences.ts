/** The licences of the npm packages that went into a bundle, as its source map names them. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../../test/bed/repository.ts'
import { ReleaseError } from './written-at.ts'

/** `maps`: the source maps of the bundles. `beside`: packages that are not in them and go along. One text, in the order of names. */
export function collectLicences(maps: readonly string[], beside: readonly string[] = []): string {
  const bundled = maps.flatMap((path) => {
    const { sources } = JSON.parse(readFileSync(path, 'utf8'))
    return sources.flatMap((source: string) => findPackage(source) ?? [])
  })
  return [...new Set<string>([...bundled, ...beside])].sort().map(readLicence).join('\n')
}

/** The folder of the package of a source, below node_modules. */
function findPackage(source: string): string | undefined {
  const [, name] =
    /^.*?node_modules\/((?:.*\/node_modules\/)?(?:@[^/]+\/)?[^/]+)/.exec(source) ?? []
  return name?.startsWith('@cardwire/') ? undefined : name
}

function readLicence(name: string): string {
  const folder = join(root, 'node_modules', name)
  const about = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  if (!about.license) throw new ReleaseError(`Cannot find the licence of ${name}`)
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
