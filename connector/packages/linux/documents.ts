/** Manual page, completions and licences: they are the same for every architecture, and made once. */
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { write } from '../../../.ci/packaging/files.ts'
import type { PackageFacts } from '../package-facts.ts'
import { collectProgramLicences } from '../program-licences.ts'
import { places } from './places.ts'
import { render } from './render.ts'

const main = fileURLToPath(new URL('../../src/main.ts', import.meta.url))

/** Writes them into a tree. */
export function layOutDocuments(tree: string, facts: PackageFacts): void {
  const ask = (...args: readonly string[]) => askProgram(facts, args)
  write(join(tree, places.manual), compress(ask('man')))
  write(join(tree, places.bash), ask('completion', 'bash'))
  write(join(tree, places.zsh), ask('completion', 'zsh'))
  write(join(tree, places.fish), ask('completion', 'fish'))
  const { version } = facts
  const date = new Date(facts.writtenAt * 1000).toUTCString().replace('GMT', '+0000')
  const changelog = render('changelog', { VERSION: toPackageVersion(version), DATE: date })
  write(join(tree, places.documents, 'changelog.gz'), compress(changelog))
  write(join(tree, places.documents, 'copyright'), render('copyright', { VERSION: version }))
  write(join(tree, places.documents, 'third-party-licences'), collectProgramLicences(facts))
}

/** A version before another one sorts before it: `4.0.0-rc.1` is `4.0.0~rc.1` for dpkg and rpm. */
export const toPackageVersion = (version: string) => version.replace('-', '~')

/** Runs the sources, which run on the machine of the build whatever the package is for. */
const askProgram = ({ version, writtenAt }: PackageFacts, args: readonly string[]): string =>
  execFileSync(
    process.execPath,
    [`--define=CARDWIRE_BUILD_VERSION=${JSON.stringify(version)}`, main, ...args],
    { encoding: 'utf8', env: { ...process.env, SOURCE_DATE_EPOCH: String(writtenAt) } },
  )

/** Without a name and a time in it: the same text makes the same bytes. */
const compress = (text: string) => gzipSync(text, { level: 9 })
