/** The licences of what is in the program: the same for every package. */
import { execFileSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { collectLicences } from '../../.ci/packaging/licences.ts'
import type { PackageFacts } from './package-facts.ts'

const main = fileURLToPath(new URL('../src/main.ts', import.meta.url))

/** As one text, from the map of a bundle, which names every file in it. */
export function collectProgramLicences({ work }: Pick<PackageFacts, 'work'>): string {
  const folder = join(work, 'licences')
  mkdirSync(folder, { recursive: true })
  const options = ['--target=bun', '--sourcemap=external', `--outdir=${folder}`]
  execFileSync(process.execPath, ['build', main, ...options], { stdio: 'ignore' })
  return collectLicences([join(folder, 'main.js.map')])
}
