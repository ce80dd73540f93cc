/** Checks a model with Spin: every state that it can reach, or until an assertion fails. */
import { execFile } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Macros } from './models.ts'

const run = promisify(execFile)

export interface Outcome {
  /** The name of the assertion that failed first; undefined: every reachable state keeps all of them. */
  readonly broken: string | undefined
  /** Different states that were reached. */
  readonly states: number
  /** How it comes to that, one line for each step; empty when nothing is broken. */
  readonly trail: string
}

/**
 * `maxDepth`: steps of the longest path; a longer one throws, because then not every state was reached. `optimize`: worth its
 * time where many states are reached.
 */
export async function checkModel(
  file: string,
  macros: Macros,
  { maxDepth = 100_000, optimize = true } = {},
): Promise<Outcome> {
  const folder = mkdtempSync(join(tmpdir(), 'cardwire-model-'))
  const options = { cwd: folder, maxBuffer: 64 * 1024 * 1024 }
  const defines = Object.entries(macros).map(([name, value]) => `-D${name}=${value}`)
  try {
    cpSync(join(import.meta.dirname, file), join(folder, file))
    await run('spin', [...defines, '-a', file], options)
    await run(
      'gcc',
      [optimize ? '-O1' : '-O0', '-w', '-DSAFETY', '-DNOREDUCE', '-o', 'pan', 'pan.c'],
      options,
    )
    const { stdout: report } = await run(join(folder, 'pan'), [`-m${maxDepth}`, '-w22'], options)
    const states = Number(/(\d+) states, stored/.exec(report)?.[1])
    if (/errors: 0$/m.test(report) && !report.includes('max search depth too small')) {
      return { broken: undefined, states, trail: '' }
    }
    const { stdout: trail } = await run('spin', [...defines, '-t', '-p', '-g', file], options)
    const line = Number(/:(\d+), Error: assertion violated/.exec(trail)?.[1])
    const broken = readAssertionName(join(folder, file), line)
    if (broken === undefined) throw new Error(`Cannot check ${file}: ${report}`)
    return { broken, states, trail }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** The name in the comment behind an assertion. */
const readAssertionName = (path: string, line: number): string | undefined =>
  /assert\(.*\/\* (\w+) \*\/$/.exec(readFileSync(path, 'utf8').split('\n')[line - 1] ?? '')?.[1]
