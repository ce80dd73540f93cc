/** Builds the connector: `npm run build -w connector`, with `-- --all` for every system, `-- --out=FOLDER` elsewhere. */
import { chmodSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { buildAtrList } from './atr-list.ts'
import { compile } from './compile.ts'
import { createWindowsSigner } from './sign-windows.ts'
import { type Target, targets } from './targets.ts'

/** Builds for a target, or for this machine; prints what an installer of PUT /v3/versions has to say of the file. */
async function build(folder: string, target: Target | undefined): Promise<void> {
  const name = target ? `cardwire-${target.name}${target.suffix}` : 'cardwire'
  const output = join(folder, name)
  await compile(target, output)
  if (target?.os === 'WIN64') createWindowsSigner()?.(output)
  const file = Bun.file(output)
  const sha256 = new Bun.CryptoHasher('sha256').update(await file.bytes()).digest('hex')
  process.stdout.write(
    `${JSON.stringify({ os: target?.os, file: name, sha256, size: file.size })}\n`,
  )
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
