/** `npm start`: the whole of Cardwire on this machine, until Ctrl-C. */
import { join } from 'node:path'
import process from 'node:process'
import { createProcessGroup } from './processes.ts'
import { readSettings, type Settings } from './settings.ts'
import { startAll } from './start-all.ts'
import { printLine, StartError } from './terminal.ts'

// The files have keys in them: only their owner may read them.
process.umask(0o077)

/** How often the process looks whether its parent is there, in milliseconds. */
const parentIntervalMs = 1000

try {
  await run(await readSettings(process.env))
} catch (error) {
  reportError(error)
  process.exitCode = 1
}

/** Runs until a signal comes, or until a process ends by itself; then stops the others. */
async function run(settings: Settings): Promise<void> {
  const processes = createProcessGroup(join(settings.data, 'logs'))
  const stopped = new Promise<'stopped'>((resolve) => {
    for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
      process.once(name, () => resolve('stopped'))
    }
    watchParent(() => resolve('stopped'))
  })
  const ended = startAll(settings, processes).then(async (running) => {
    throw new StartError(
      `Cannot continue: ${await Promise.race(running.map(({ ended }) => ended))}`,
    )
  })
  try {
    await Promise.race([stopped, ended])
  } finally {
    // An error while everything is being stopped does not matter.
    ended.catch(() => undefined)
    await processes.stop()
  }
}

/** Calls `act` when the process that started this one has ended: npm passes no signal on that ends it. */
function watchParent(act: () => void): void {
  const parent = process.ppid
  const timer = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(timer)
    act()
  }, parentIntervalMs)
  timer.unref()
}

function reportError(error: unknown): void {
  if (error instanceof StartError) printLine(error.message)
  else printLine(error instanceof Error ? (error.stack ?? error.message) : String(error))
}
