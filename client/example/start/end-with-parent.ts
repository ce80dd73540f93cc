/** Ends the processes of the demonstration when the process that started them has ended in whatever way, SIGKILL included. */
import process from 'node:process'
import { isRunning, sendSignal, stopTimeoutMs } from './send-signal.ts'

/** A process that was started, or that has ended. */
export type ProcessMessage = { readonly started: number } | { readonly ended: number }

const pids = new Set<number>()

process.on('message', (message: ProcessMessage) => {
  if ('started' in message) pids.add(message.started)
  else pids.delete(message.ended)
})

// It ends after the others, which are stopped by the process that started them as long as that is there.
for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, () => undefined)

process.once('disconnect', () => {
  for (const pid of pids) sendSignal(pid, 'SIGTERM')
  const exitIfDone = () => {
    if (![...pids].some(isRunning)) process.exit(0)
  }
  exitIfDone()
  setInterval(exitIfDone, 100)
  setTimeout(() => {
    for (const pid of pids) sendSignal(pid, 'SIGKILL')
    process.exit(0)
  }, stopTimeoutMs)
})
