/** Bundles the service and the administrators' command, and collects the licences of what went into them. */
import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root, toolPath } from '../../.ci/test-bed/repository.ts'
import { findExternals, ReleaseError } from './facts.ts'

const entries = { node: 'src/node.ts', admin: 'src/admin/main.ts' } as const

/** Bundles into `folder`; returns it. */
export function bundle(folder: string): string {
  for (const [name, entry] of Object.entries(entries)) {
    execFileSync(
      toolPath('bun'),
      [
        ...['build', entry, '--target=node', '--sourcemap=external'],
        ...[`--outdir=${folder}`, `--entry-naming=${name}.[ext]`],
        ...findExternals().map((external) => `--external=${external}`),
      ],
      { cwd: join(root, 'ds'), stdio: ['ignore', 'ignore', 'inherit'] },
    )
  }
  return folder
}

export const programs: readonly string[] = Object.keys(entries).map((name) => `${name}.js`)

/** The licences of the packages in the bundles and of those beside them, one after the other. */
export function collectLicences(folder: string): string {
  const bundled = programs.flatMap((name) => {
    const { sources } = JSON.parse(readFileSync(join(folder, `${name}.map`), 'utf8'))
    return sources.flatMap((source: string) => findPackage(source) ?? [])
  })
  return [...new Set<string>([...bundled, ...findExternals()])].sort().map(readLicence).join('\n')
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

/** The licence of the Node that is in node_modules. */
export function readNodeLicence(): string {
  const file = join(root, 'node_modules/node/node_modules', `node-linux-${process.arch}`, 'LICENSE')
  if (!existsSync(file)) throw new ReleaseError(`Cannot find the licence of Node at "${file}"`)
  return readFileSync(file, 'utf8')
}
