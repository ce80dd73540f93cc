/** The sandbox as a program of two files, bundled once for a run: tests start it hundreds of times. */
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { makeShared } from '../../../test/bed/shared-folder.ts'
import { runBun } from '../../build/run-bun.ts'

const source = (file: string) =>
  fileURLToPath(new URL(`../../src/sandbox/${file}`, import.meta.url))

/** Resolves with the path of its main file. */
export async function bundleSandbox(): Promise<string> {
  const folder = await makeShared('sandbox', async (draft) => {
    const files = ['main.ts', 'worker.ts'].map(source)
    // The main file starts its worker by the name that it has in the sources.
    const names = ['--entry-naming=[name].ts', `--outdir=${draft}`]
    await runBun('build', ...files, '--target=bun', '--minify', ...names)
  })
  return join(folder, 'main.ts')
}
