/** A small program of ours for Windows, compiled and run in a prefix of its own. */
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { buildProgram } from './build-program.ts'
import { openWine, type Wine, windowsPath } from './wine.ts'

export interface Act {
  /** What the program prints. */
  run(): Promise<string>
  /** What a program of Windows prints. Rejects when it ends with another status than 0. */
  output(program: string, ...args: readonly string[]): Promise<string>
  stop(): Promise<void>
}

/** Compiles a program that lies beside this file into a folder; the path of what came of it. */
async function compileProgram(source: string, folder: string): Promise<string> {
  const compiled = join(folder, 'act.exe')
  await buildProgram(fileURLToPath(new URL(source, import.meta.url)), compiled)
  return compiled
}

/** What a program that lies beside this file prints, in a prefix that others use, too. */
export async function runProgram(
  wine: Wine,
  source: string,
  args: readonly string[] = [],
  env: Readonly<Record<string, string>> = {},
): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'cardwire-program-'))
  const { stdout } = wine.start(windowsPath(await compileProgram(source, folder)), args, env)
  const output = stdout ? await text(stdout) : ''
  await rm(folder, { recursive: true })
  return output
}

/** `source`: the program, beside this file. `settings`: of its environment. */
export async function openAct(
  source: string,
  settings: Readonly<Record<string, string>> = {},
): Promise<Act> {
  const folder = await mkdtemp(join(tmpdir(), 'cardwire-act-'))
  const wine = await openWine(join(folder, 'prefix'))
  const compiled = await compileProgram(source, folder)
  const output: Act['output'] = async (program, ...args) => {
    const child = wine.start(program, args, settings)
    const ended = once(child, 'exit')
    const printed = child.stdout ? await text(child.stdout) : ''
    const [status] = await ended
    if (status !== 0)
      throw new Error(`${program} ${args.join(' ')} ended with ${status}: ${printed}`)
    return printed
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
