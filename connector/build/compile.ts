/** Compiles the connector into one binary. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { version } from '../src/version.ts'
import { findBaseProgram } from './base-program.ts'
import { ignoreVariables } from './ignored-variables.ts'
import { findWrongPages, signMachO } from './mach-o-signature.ts'
import { runBun } from './run-bun.ts'
import type { Target } from './targets.ts'
import { setWindowsResources } from './windows-resources.ts'

const source = (path: string) => fileURLToPath(new URL(`../src/${path}`, import.meta.url))

/**
 * Bun's own limit of a header answers with an empty body; ours lies below it and answers with one. Every cookie of localhost
 * is sent along, 180 of 4 kB at most, and an address is short. Each connection can use so much memory (decision 36).
 */
export const maxHeaderBytes = 1024 * 1024
const execArgv = `--max-http-header-size=${maxHeaderBytes}`

/** What a program is told at its build, by the constants that its sources declare. */
export type BuildFacts = Readonly<
  Partial<Record<'CARDWIRE_BUILD_VERSION' | 'CARDWIRE_BUILD_RELEASE_KEYS', string>>
>

/** Writes the binary for a target, or for this machine, to `output`. Throws with what the compiler said. */
export async function compile(
  target: Target | undefined,
  output: string,
  facts: BuildFacts = {},
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'cardwire-base-'))
  try {
    const base = join(folder, 'bun')
    const program = ignoreVariables(await Bun.file(await findBaseProgram(target?.bun)).bytes())
    const isWindows = target?.os === 'WIN64'
    const named = facts.CARDWIRE_BUILD_VERSION ?? version
    await Bun.write(base, isWindows ? setWindowsResources(program, named) : program)
    await runCompiler(target, output, facts, base)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
  if (target?.bun.startsWith('bun-darwin')) await signForMacos(output)
}

/** Throws when a page does not have the hash that the signature says. */
async function signForMacos(program: string): Promise<void> {
  const signed = signMachO(await Bun.file(program).bytes(), 'cardwire')
  const wrong = findWrongPages(signed).length
  if (wrong > 0) throw new Error(`Cannot sign ${program}: ${wrong} pages do not have their hashes`)
  // Not a new file: it keeps that it may be started.
  await Bun.write(program, signed)
}

/** What the compiler writes, without what has to be mended of it. `base`: another program of Bun to put the code behind. */
export async function runCompiler(
  target: Target | undefined,
  output: string,
  facts: BuildFacts = {},
  base?: string,
): Promise<void> {
  await runBun(
    'build',
    '--compile',
    '--minify',
    // Parsed at build time: a start takes half the time.
    '--bytecode',
    '--sourcemap=none',
    // Whoever writes into the folder where it is started, also by root, would have it run a program and read settings.
    '--no-compile-autoload-bunfig',
    '--no-compile-autoload-dotenv',
    `--compile-exec-argv=${execArgv}`,
    ...(target ? [`--target=${target.bun}`] : []),
    ...(base ? [`--compile-executable-path=${base}`] : []),
    ...Object.entries(facts).map(([name, value]) => `--define=${name}=${JSON.stringify(value)}`),
    // A Worker's file has to be an entry point of its own, or the binary does not carry it.
    source('main.ts'),
    source('sandbox/worker.ts'),
    source('distribution/keystore/keystore-worker.ts'),
    `--outfile=${output}`,
  )
}
