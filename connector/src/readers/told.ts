/** One line in the log when the card service comes, and one when it goes. */
import type { Log } from '../system/log.ts'
import type { PcscState, Readers } from './readers.ts'

/** Tells each change until the readers are stopped; the start of the first sandbox is none. */
export function tellCardService(
  readers: Pick<Readers, 'subscribe'>,
  log: Pick<Log, 'info' | 'warn'>,
): void {
  let said: string | undefined
  readers.subscribe(({ pcsc, readers: there }) => {
    const now = wordFor(pcsc)
    if (now === said) return
    said = now
    if (pcsc.kind === 'up') log.info('the card service answers', { readers: there.length })
    else log.warn('no card service', { code: pcsc.code, reason: pcsc.reason })
  })
}

const wordFor = (state: PcscState) => (state.kind === 'up' ? 'up' : state.code)
