/** Makes the packages of the connector: `npm run package -w connector`. */
import { mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { writeChecksums } from '../../.ci/packaging/archives.ts'
import { findWrittenAt, ReleaseError } from '../../.ci/packaging/written-at.ts'
import { compile } from '../build/compile.ts'
import { targets } from '../build/targets.ts'
import { formats } from './formats.ts'
import { help, type PackageOptions, readOptions } from './options.ts'
import type { PackageFacts, PackageFile, PackageFormat } from './package-facts.ts'

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
  rmSync(out, { recursive: true, force: true })
  mkdirSync(out, { recursive: true })
  const facts: PackageFacts = {
    version,
    writtenAt: findWrittenAt(),
    isFast,
    architectures,
    compileProgram: createCompiler(version, work),
    work,
    out,
    report,
  }
  const files: PackageFile[] = []
  for (const name of options.formats) files.push(...(await formats[name].build(facts)))
  const names = files.map(({ file }) => file)
  writeChecksums(out, names)
  for (const name of names) {
    const megabytes = (statSync(join(out, name)).size / 1_000_000).toFixed(1)
    process.stdout.write(`${join(out, name)}  ${megabytes} MB\n`)
  }
  process.stdout.write(`${join(out, 'SHA256SUMS')}\n`)
}

/** Compiles each program when it is needed first. */
function createCompiler(version: string, work: string): PackageFacts['compileProgram'] {
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
    await compile(target, output, version)
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
