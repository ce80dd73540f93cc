/** A small program of ours for Windows, compiled and run in a prefix of its own. */
import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { openWine, windowsPath } from './wine.ts'

export interface Act {
  /** What the program prints. */
  run(): Promise<string>
  /** What a program of Windows prints. */
  output(program: string, ...args: readonly string[]): Promise<string>
  stop(): Promise<void>
}

/** `source`: the program, beside this file. */
export async function openAct(source: string): Promise<Act> {
  const folder = await mkdtemp(join(tmpdir(), 'cardwire-act-'))
  const wine = await openWine(join(folder, 'prefix'))
  const compiled = join(folder, 'act.exe')
  const target = ['--compile', '--target=bun-windows-x64', `--outfile=${compiled}`]
  const path = fileURLToPath(new URL(source, import.meta.url))
  await promisify(execFile)(process.execPath, ['build', ...target, path])
  const output: Act['output'] = async (program, ...args) => {
    const { stdout } = wine.start(program, args)
    return stdout ? text(stdout) : ''
  }
  return {
    output,
    run: () => output(windowsPath(compiled)),
    async stop() {
      await wine.stop()
      await rm(folder, { recursive: true })
    },
  }
}
