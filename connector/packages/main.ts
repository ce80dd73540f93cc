/** Makes the packages of the connector: `npm run package -w connector`. */
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { writeChecksums } from '../../.ci/packaging/archives.ts'
import { findWrittenAt, ReleaseError } from '../../.ci/packaging/written-at.ts'
import { compile } from '../build/compile.ts'
import { createWindowsSigner } from '../build/sign-windows.ts'
import { targets } from '../build/targets.ts'
import { manifestNames } from '../src/distribution/update/release-manifest.ts'
import { formats } from './formats.ts'
import { writeManifest, writeSignature } from './manifest.ts'
import { help, type PackageOptions, readOptions } from './options.ts'
import type { PackageFacts, PackageFile, PackageFormat } from './package-facts.ts'
import { getPublicKey, readSigningKey } from './signing-key.ts'

async function main(): Promise<void> {
  const options = readOptions(process.argv.slice(2))
  if (options === undefined) {
    process.stdout.write(help)
    return
  }
  process.umask(0o022)
  for (const name of options.formats) requireTools(formats[name])
  const work = mkdtempSync(join(tmpdir(), 'cardwire-packages-'))
  try {
    await makePackages(options, work)
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
}

async function makePackages(options: PackageOptions, work: string): Promise<void> {
  const { out, version, isFast, architectures } = options
  const passphrase = process.env['CARDWIRE_RELEASE_PASSPHRASE'] || undefined
  const key = options.signingKey && readSigningKey(options.signingKey, passphrase)
  const keys = readReleaseKeys(key ? [getPublicKey(key)] : [])
  const signWindows = createWindowsSigner()
  mkdirSync(out, { recursive: true })
  for (const name of readdirSync(out)) if (isOurs(name)) rmSync(join(out, name))
  const facts: PackageFacts = {
    version,
    writtenAt: findWrittenAt(),
    isFast,
    architectures,
    compileProgram: createCompiler({ version, keys, signWindows, work }),
    signWindows,
    work,
    out,
    report,
  }
  const files: PackageFile[] = []
  for (const name of options.formats) files.push(...(await formats[name].build(facts)))
  const names = files.map(({ file }) => file)
  writeChecksums(out, names)
  if (keys.length > 0) writeManifest(out, version, files)
  if (key) writeSignature(out, key)
  for (const name of names) {
    const megabytes = (statSync(join(out, name)).size / 1_000_000).toFixed(1)
    process.stdout.write(`${join(out, name)}  ${megabytes} MB\n`)
  }
  process.stdout.write(`${join(out, 'SHA256SUMS')}\n`)
  for (const name of Object.values(manifestNames))
    if (existsSync(join(out, name))) process.stdout.write(`${join(out, name)}\n`)
  if (keys.length === 0)
    report('unsigned: no manifest, and these programs accept no release as an update')
  else if (!key) report('unsigned: the manifest waits for its signature (--signing-key)')
}

/** Whether an earlier build has made it. */
const isOurs = (name: string) =>
  /^cardwire[-_].*\.(deb|rpm|msi|pkg)$|^SHA256SUMS$|^manifest\.json(\.sig)?$/.test(name)

/** The keys that the programs know: those of the setting, and `own`. */
function readReleaseKeys(own: readonly string[]): readonly string[] {
  const setting = process.env['CARDWIRE_RELEASE_KEYS'] ?? ''
  const keys = [...new Set([...own, ...setting.split(',').filter(Boolean)])]
  for (const key of keys) {
    if (!/^[\w-]{43}$/.test(key))
      throw new ReleaseError(`Cannot read CARDWIRE_RELEASE_KEYS: "${key}" is not a public key`)
  }
  return keys
}

/** Compiles each program when it is needed first. */
function createCompiler({
  version,
  keys,
  signWindows,
  work,
}: Pick<PackageFacts, 'version' | 'signWindows' | 'work'> & {
  readonly keys: readonly string[]
}): PackageFacts['compileProgram'] {
  const compiled = new Map<string, Promise<string>>()
  return (name) => {
    const known = compiled.get(name)
    if (known) return known
    const compiling = compileTarget(name)
    compiled.set(name, compiling)
    return compiling
  }

  async function compileTarget(name: string): Promise<string> {
    const target = targets.find((one) => one.name === name)
    if (target === undefined) throw new Error(`Cannot compile for "${name}": no such target`)
    report(`program for ${name} …`)
    const output = join(work, `cardwire-${name}${target.suffix}`)
    await compile(target, output, {
      CARDWIRE_BUILD_VERSION: version,
      CARDWIRE_BUILD_RELEASE_KEYS: keys.join(),
    })
    if (target.os === 'WIN64') signWindows?.(output)
    return output
  }
}

function requireTools({ tools }: PackageFormat): void {
  for (const [tool, source] of Object.entries(tools)) {
    if (Bun.which(tool) === null)
      throw new ReleaseError(`Cannot find ${tool}: install the Debian package ${source}`)
  }
}

/** Progress is for people, not for whoever reads standard output. */
function report(line: string): void {
  const seconds = (performance.now() / 1000).toFixed(0)
  process.stderr.write(`${seconds.padStart(4)} s  ${line}\n`)
}

main().catch((error) => {
  process.exitCode = 1
  if (!(error instanceof ReleaseError)) throw error
  process.stderr.write(`${error.message}\n`)
})
