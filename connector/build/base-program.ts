/** The programs of Bun that the compiler puts our code behind. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runBun } from './run-bun.ts'

const system = process.platform === 'win32' ? 'windows' : process.platform
/** The target of this machine: for it the compiler takes this Bun itself, and downloads nothing. */
const ownTarget = `bun-${system}-${process.arch}`

/** The program of Bun for a target, where this Bun keeps what it downloads for it; undefined: for this machine. */
export async function findBaseProgram(bunTarget: string | undefined): Promise<string> {
  if (bunTarget === undefined || bunTarget === ownTarget) return process.execPath
  const cache = (await runBun('pm', 'cache')).trim()
  const path = join(cache, `${bunTarget.replace('arm64', 'aarch64')}-v${Bun.version}`)
  if (!(await Bun.file(path).exists())) await download(bunTarget)
  return path
}

/** The compiler downloads it where it is not there yet. */
async function download(bunTarget: string): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'cardwire-bun-'))
  try {
    const source = join(folder, 'empty.ts')
    await Bun.write(source, '')
    await runBun('build', '--compile', `--target=${bunTarget}`, source, `--outfile=${folder}/empty`)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
