/** The command that publishes, bundled once for a run: from its sources each start takes half a second of processor. */
import { join } from 'node:path'
import { runProgram } from './program.ts'
import { root, toolPath } from './repository.ts'
import { makeShared } from './shared-folder.ts'

/** Resolves with the start of its command line: it takes the options of `npm run publish`, and needs `--folder` or files. */
export async function getPublishCommand(): Promise<readonly string[]> {
  const folder = await makeShared('publish', async (draft) => {
    const main = join(root, 'connector/publish/main.ts')
    const options = ['--target=node', `--outfile=${join(draft, 'main.mjs')}`]
    const { status, err } = await runProgram([toolPath('bun'), 'build', main, ...options])
    if (status !== 0) throw new Error(`Cannot bundle ${main}:\n${err}`)
  })
  return [toolPath('node'), join(folder, 'main.mjs')]
}
