/** Monitors the card service for as long as the thread lives: connects, monitors the readers, connects again after a failure. */
import { getCodeMeaning, ignorePcscErrors, PcscError } from './pcsc/codes.ts'
import type { Pcsc } from './pcsc/pcsc.ts'
import { type MonitorHooks, monitorReaders } from './status-loop.ts'

/** How long to wait before connecting again, in milliseconds: first, and at most. */
const backOffMs = { first: 50, max: 1000 }
/** The loss of a connection that lasted longer than this, in milliseconds, is the first failure of a new series. */
const stableMs = 5000

export function monitorCardService(pcsc: Pcsc, hooks: MonitorHooks): never {
  let backOff = backOffMs.first
  for (;;) {
    const from = hooks.now()
    try {
      hooks.onShortCalls()
      const context = pcsc.establish()
      try {
        monitorReaders(pcsc, context, hooks)
      } finally {
        hooks.onShortCalls()
        ignorePcscErrors(() => pcsc.release(context))
      }
    } catch (error) {
      if (!(error instanceof PcscError)) throw error
      if (hooks.now() - from > stableMs) backOff = backOffMs.first
      hooks.onState({ kind: 'down', code: error.code, reason: getCodeMeaning(error.code) })
      hooks.onWait(backOff)
      hooks.sleep(backOff)
      backOff = Math.min(backOff * 2, backOffMs.max)
    }
  }
}
