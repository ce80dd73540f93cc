/** `npm start`: the whole of Cardwire on this machine, until Ctrl-C. */
import { join } from 'node:path'
import process from 'node:process'
import { getDataVariables, help, type Options, parseOptions } from './options.ts'
import { checkPorts } from './ports.ts'
import { createProcessGroup } from './processes.ts'
import { readSettings, type Settings } from './settings.ts'
import { type StartOptions, startAll } from './start-all.ts'
import { lockData, refuseSecondStart } from './start-lock.ts'
import { reportError, StartError } from './terminal.ts'

// The files have keys in them: only their owner may read them.
process.umask(0o077)

/** How often the process looks whether its parent is there, in milliseconds. */
const parentIntervalMs = 1000

try {
  const options = parseOptions(process.argv.slice(2), process.env)
  if (options.help) process.stdout.write(help)
  else await startWith(options)
} catch (error) {
  process.exitCode = reportError(error)
}

/** Checks everything that can be wrong before anything starts. */
async function startWith({ allow, data }: Options): Promise<void> {
  Object.assign(process.env, getDataVariables(data))
  const settings = readSettings(process.env)
  refuseSecondStart(settings.data)
  await checkPorts(Object.values(settings.ports))
  const unlock = lockData(settings.data)
  try {
    await run(settings, { allow, data })
  } finally {
    unlock()
  }
}

/** Runs until a signal comes, or until a process ends by itself; then stops the others. */
async function run(settings: Settings, options: StartOptions): Promise<void> {
  const processes = createProcessGroup(join(settings.data, 'logs'))
  const stopped = new Promise<'stopped'>((resolve) => {
    for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
      process.once(name, () => resolve('stopped'))
    }
    watchParent(() => resolve('stopped'))
  })
  const ended = startAll(settings, processes, options).then(async (running) => {
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
