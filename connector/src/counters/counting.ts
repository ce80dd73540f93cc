/** Counts what modules do for whoever asks. */

import type { Count } from '../modules/module.ts'
import type { Log } from '../system/log.ts'
import type { Counters } from './counters.ts'

/** What a page would have its uses billed on; deployed clients send it when they are told to. */
const tagHeader = 'x-t1c-billing-tag'

export function counting(
  counters: Pick<Counters, 'add'>,
  log: Pick<Log, 'error'>,
): (module: string) => Count {
  return (module) => (context, useCase) => {
    const caller = context.get('caller')
    const label = caller.kind === 'anyone' ? undefined : caller.label
    try {
      counters.add({ label, module, useCase, tag: context.req.header(tagHeader) })
    } catch (error) {
      // What the card has done is done, and the page is told of it, also when the disk is full.
      log.error('a use is not counted', { module, useCase, reason: String(error) })
    }
  }
}
