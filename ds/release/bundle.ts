/** Bundles the service and the administrators' command, and collects the licences of what went into them. */
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { collectLicences } from '../../.ci/packaging/licences.ts'
import { ReleaseError } from '../../.ci/packaging/written-at.ts'
import { root, toolPath } from '../../test/bed/repository.ts'
import { findExternals } from './facts.ts'

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

/** The licences of the packages in the bundles of a folder and of those beside them, one after the other. */
export const collectBundledLicences = (folder: string): string =>
  collectLicences(
    programs.map((name) => join(folder, `${name}.map`)),
    findExternals(),
  )

/** The licence of the Node that is in node_modules. */
export function readNodeLicence(): string {
  const file = join(root, 'node_modules/node/node_modules', `node-linux-${process.arch}`, 'LICENSE')
  if (!existsSync(file)) throw new ReleaseError(`Cannot find the licence of Node at "${file}"`)
  return readFileSync(file, 'utf8')
}
