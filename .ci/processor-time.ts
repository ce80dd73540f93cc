/** Adds the processor time of each test file that is no unit test, the programs that it started included, to the file that a run names. */
import { appendFileSync, readFileSync } from 'node:fs'
import process from 'node:process'
import { afterAll, beforeAll, expect } from 'vitest'
import { processorTimesFile } from './test-reporter.ts'

/** It gets a line for each test file: its seconds and its path. */
const file = process.env[processorTimesFile]

/** A process runs one file after the other. */
let before = 0

// Registered first, these run before and after the hooks of the file, which start and stop its programs.
if (file !== undefined && process.platform === 'linux') {
  beforeAll(() => {
    before = readProcessorSeconds()
  })
  afterAll(() => {
    const seconds = (readProcessorSeconds() - before).toFixed(1)
    appendFileSync(file, `${seconds} ${expect.getState().testPath}\n`)
  })
}

/** utime, stime, cutime and cstime of this process, in ticks of 10 ms (proc_pid_stat(5)). */
function readProcessorSeconds(): number {
  const fields = readFileSync('/proc/self/stat', 'utf8').split(') ')[1]?.split(' ') ?? []
  return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) / 100
}
