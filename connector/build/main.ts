/** Builds the connector: `npm run build -w connector`, with `-- --all` for every system. */
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildAtrList } from './atr-list.ts'
import { compile } from './compile.ts'
import { type Target, targets } from './targets.ts'

const folder = fileURLToPath(new URL('../dist/', import.meta.url))
async function build(target: Target | undefined): Promise<void> {
  const name = target ? `cardwire-${target.name}${target.suffix}` : 'cardwire'
  const output = join(folder, name)
  await compile(target, output)
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
