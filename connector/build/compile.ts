/** Compiles the connector into one binary. */
import { fileURLToPath } from 'node:url'
import type { Target } from './targets.ts'

const source = (path: string) => fileURLToPath(new URL(`../src/${path}`, import.meta.url))

/**
 * Bun's own limit of a header answers with an empty body; ours lies below it and answers with one. No browser reaches
 * 4 MiB: Chromium's longest address has 2 MiB, and a host's cookies, 180 of 4 kB, have less.
 */
const execArgv = '--max-http-header-size=4194304'

/** Writes the binary for a target, or for this machine, to `output`. Throws with what the compiler said. */
export async function compile(target: Target | undefined, output: string): Promise<void> {
  const args = [
    'build',
    '--compile',
    '--minify',
    // Parsed at build time: a start takes half the time.
    '--bytecode',
    '--sourcemap=none',
    `--compile-exec-argv=${execArgv}`,
    ...(target ? [`--target=${target.bun}`] : []),
    // A Worker's file has to be an entry point of its own, or the binary does not carry it.
    source('main.ts'),
    source('sandbox/worker.ts'),
    `--outfile=${output}`,
  ]
  const child = Bun.spawn([process.execPath, ...args], { stdout: 'ignore', stderr: 'pipe' })
  const [code, said] = await Promise.all([child.exited, new Response(child.stderr).text()])
  if (code !== 0) throw new Error(`Cannot build ${output}:\n${said}`)
}
