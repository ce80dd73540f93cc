/** Starts what reads the card service for the connector: a process that watches the readers, and one for each card in use. */
import { prepareVirtualCard } from '../api/cards/prepare-virtual-card.ts'
import { createSandboxEnvironment } from '../sandbox/environment.ts'
import { rememberBlockedPins } from '../sandbox/readers/blocked-pins.ts'
import { type CardAccess, openCardAccess } from '../sandbox/readers/card-access.ts'
import { limitPaymentStarts } from '../sandbox/readers/payment-starts.ts'
import { logPcscState } from '../sandbox/readers/pcsc-log.ts'
import type { Readers } from '../sandbox/readers/readers.ts'
import { superviseReaders } from '../sandbox/readers/sandbox-supervisor.ts'
import type { Settings } from '../settings.ts'
import { systemClock } from '../system/clock.ts'
import type { Log } from '../system/log.ts'
import { getSelfCommand } from './command-context.ts'

export interface Sandbox {
  readonly readers: Readers
  readonly cardAccess: CardAccess
}

export async function openSandbox(settings: Settings, log: Log): Promise<Sandbox> {
  if (settings.virtualReader) await prepareVirtualCard(settings.virtualReader, log)
  const env = createSandboxEnvironment(settings)
  const readers = superviseReaders({ command: getSelfCommand('sandbox'), log, env })
  logPcscState(readers, log)
  const cards = openCardAccess({
    command: getSelfCommand('card'),
    tokenCommand: getSelfCommand('token'),
    env,
    clock: systemClock,
    log,
  })
  return {
    readers,
    cardAccess: limitPaymentStarts(rememberBlockedPins(cards, readers), readers),
  }
}
