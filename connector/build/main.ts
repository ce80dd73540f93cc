/** Builds the connector: `npm run build -w connector`, with `-- --all` for every system. */
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildAtrList } from './atr-list.ts'
import { type Target, targets } from './targets.ts'

const folder = fileURLToPath(new URL('../dist/', import.meta.url))
const source = (path: string) => fileURLToPath(new URL(`../src/${path}`, import.meta.url))

/** Bun's own limit of a header answers with an empty body; ours lies below it and answers with one. */
const execArgv = '--max-http-header-size=65536'

async function build(target: Target | undefined): Promise<void> {
  const name = target ? `cardwire-${target.name}${target.suffix}` : 'cardwire'
  const output = join(folder, name)
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
  if (code !== 0) throw new Error(`Cannot build ${name}:\n${said}`)
  const file = Bun.file(output)
  const sha256 = new Bun.CryptoHasher('sha256').update(await file.bytes()).digest('hex')
  // As an installer of PUT /v3/versions takes them.
  process.stdout.write(
    `${JSON.stringify({ os: target?.os, file: name, sha256, size: file.size })}\n`,
  )
}

async function main(): Promise<void> {
  const all = process.argv.includes('--all')
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  await buildAtrList(folder)
  for (const target of all ? targets : [undefined]) await build(target)
}

main().catch((error) => {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`)
  process.exitCode = 1
})
