/** Logs when the card service becomes available or unavailable. */
import type { Log } from '../../system/log.ts'
import type { PcscState, Readers } from './readers.ts'

/** One line for each change until the readers are stopped; the start of the first sandbox is not a change. */
export function logPcscState(
  readers: Pick<Readers, 'subscribe'>,
  log: Pick<Log, 'info' | 'warn'>,
): void {
  let lastLogged: string | undefined
  readers.subscribe(({ pcsc, readers: there }) => {
    const now = toStateKey(pcsc)
    if (now === lastLogged) return
    lastLogged = now
    if (pcsc.kind === 'up')
      log.info('the smart card service is responding', { readers: there.length })
    else log.warn('no card service', { code: pcsc.code, reason: pcsc.reason })
  })
}

const toStateKey = (state: PcscState) => (state.kind === 'up' ? 'up' : state.code)
