/** Builds the connector: `npm run build -w connector`, with `-- --all` for every system, `-- --out=FOLDER` elsewhere. */
import { chmodSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { buildAtrList } from './atr-list.ts'
import { compile } from './compile.ts'
import { findWrongPages, signMachO } from './mach-o-signature.ts'
import { type Target, targets } from './targets.ts'

/** Builds for a target, or for this machine; prints what an installer of PUT /v3/versions has to say of the file. */
async function build(folder: string, target: Target | undefined): Promise<void> {
  const name = target ? `cardwire-${target.name}${target.suffix}` : 'cardwire'
  const output = join(folder, name)
  await compile(target, output)
  if (target?.bun.startsWith('bun-darwin')) await signForMacos(output)
  const file = Bun.file(output)
  const sha256 = new Bun.CryptoHasher('sha256').update(await file.bytes()).digest('hex')
  process.stdout.write(
    `${JSON.stringify({ os: target?.os, file: name, sha256, size: file.size })}\n`,
  )
}

/** Throws when a page does not have the hash that the signature says. */
async function signForMacos(program: string): Promise<void> {
  const signed = signMachO(await Bun.file(program).bytes(), 'cardwire')
  const wrong = findWrongPages(signed).length
  if (wrong > 0) throw new Error(`Cannot sign ${program}: ${wrong} pages do not have their hashes`)
  // Not a new file: it keeps that it may be started.
  await Bun.write(program, signed)
}

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { all: { type: 'boolean' }, out: { type: 'string' } } })
  const folder = values.out ?? fileURLToPath(new URL('../dist/', import.meta.url))
  // Beside it, so that a build that fails leaves the last one, and nobody sees half of one.
  mkdirSync(dirname(folder), { recursive: true })
  const next = mkdtempSync(`${folder.replace(/[\\/]+$/, '')}-`)
  try {
    await buildAtrList(next)
    for (const target of values.all ? targets : [undefined]) await build(next, target)
    rmSync(folder, { recursive: true, force: true })
    chmodSync(next, 0o755)
    renameSync(next, folder)
  } finally {
    rmSync(next, { recursive: true, force: true })
  }
}

main().catch((error) => {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`)
  process.exitCode = 1
})
