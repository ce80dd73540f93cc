/** Programs for Windows, which a run compiles once. */
import { execFile } from 'node:child_process'
import { copyFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import process from 'node:process'
import { promisify } from 'node:util'
import { root } from '../../../test/bed/repository.ts'
import { makeShared } from '../../../test/bed/shared-folder.ts'
import { compile } from '../../build/compile.ts'
import { targets } from '../../build/targets.ts'

/** Puts the connector for Windows at `path`. */
export async function buildConnector(path: string): Promise<void> {
  const target = targets.find(({ os }) => os === 'WIN64')
  if (target === undefined) throw new Error('Expected a target for Windows')
  const shared = await makeShared('windows-connector', (draft) =>
    compile(target, join(draft, 'cardwire.exe')),
  )
  await copyFile(join(shared, 'cardwire.exe'), path)
}

/** Puts a program of ours, compiled from `source`, at `path`. */
export async function buildProgram(source: string, path: string): Promise<void> {
  const name = relative(root, source).replaceAll(/[^\w.]/g, '-')
  const shared = await makeShared(`windows-${name}`, async (draft) => {
    const target = [
      '--compile',
      '--target=bun-windows-x64',
      `--outfile=${join(draft, 'program.exe')}`,
    ]
    await promisify(execFile)(process.execPath, ['build', ...target, source])
  })
  await copyFile(join(shared, 'program.exe'), path)
}
