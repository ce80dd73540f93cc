/** `npm start`: the whole of Cardwire on this machine, until Ctrl-C. */
import { join } from 'node:path'
import process from 'node:process'
import { openParts } from './parts.ts'
import { StartError, say } from './place.ts'
import { readSettings, type Settings } from './settings.ts'
import { startAll } from './start-all.ts'

// What is made here holds keys: it is its owner's alone.
process.umask(0o077)

try {
  await run(await readSettings(process.env))
} catch (error) {
  complain(error)
  process.exitCode = 1
}

/** Until a signal comes, or a part ends by itself: then the others end with it. */
async function run(settings: Settings): Promise<void> {
  const parts = openParts(join(settings.data, 'logs'))
  const stopped = new Promise<'stopped'>((resolve) => {
    for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
      process.once(name, () => resolve('stopped'))
    }
  })
  const lived = startAll(settings, parts).then(async (running) => {
    throw new StartError(`Cannot go on: ${await Promise.race(running.map(({ ended }) => ended))}`)
  })
  try {
    await Promise.race([stopped, lived])
  } finally {
    // What it fails with while it is being ended is no news.
    lived.catch(() => undefined)
    await parts.stop()
  }
}

function complain(error: unknown): void {
  if (error instanceof StartError) say(error.message)
  else say(error instanceof Error ? (error.stack ?? error.message) : String(error))
}
