/** One start for each data folder: a file there names the process. */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { isRunning } from './send-signal.ts'
import { StartError, toShownPath } from './terminal.ts'

const getLockFile = (data: string) => join(data, 'start.pid')

/** The process that runs with this data; undefined: none. */
export function findRunningStart(data: string): number | undefined {
  const pid = readPid(getLockFile(data))
  if (pid === undefined || pid === process.pid || !isRunning(pid)) return undefined
  return isStart(pid) ? pid : undefined
}

/** Throws a StartError that says what to do when another start uses this data. */
export function refuseSecondStart(data: string): void {
  const pid = findRunningStart(data)
  if (pid === undefined) return
  throw new StartError(
    [
      `Cardwire is already running with the data in ${toShownPath(data)} (process ${pid}). To stop it, press Ctrl-C in its terminal.`,
      'To run another one at the same time, give it a separate data folder: npm start -- --data data/another',
    ].join('\n'),
  )
}

/** Creates the folder, and takes it for this process; returns what gives it back. */
export function lockData(data: string): () => void {
  const file = getLockFile(data)
  try {
    mkdirSync(data, { recursive: true, mode: 0o700 })
    // Of a start that was killed.
    if (findRunningStart(data) === undefined) rmSync(file, { force: true })
    writeFileSync(file, `${process.pid}\n`, { mode: 0o600, flag: 'wx' })
  } catch (error) {
    refuseSecondStart(data)
    const reason = error instanceof Error ? error.message : String(error)
    throw new StartError(
      `Cannot write to ${toShownPath(data)}: ${reason}. Set EXAMPLE_DATA to a folder that you can write to`,
    )
  }
  return () => {
    if (readPid(file) === process.pid) rmSync(file, { force: true })
  }
}

function readPid(file: string): number | undefined {
  try {
    const pid = Number(readFileSync(file, 'utf8'))
    return Number.isSafeInteger(pid) && pid > 0 ? pid : undefined
  } catch {
    return undefined
  }
}

/** Another program may have got the number of a start that was killed; where the system does not tell, it is the start. */
function isStart(pid: number): boolean {
  if (process.platform !== 'linux') return true
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('example/start/main.ts')
  } catch {
    return false
  }
}
