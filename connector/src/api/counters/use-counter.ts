/** Counts the uses of modules, by the label of the caller's token. */

import type { Log } from '../../system/log.ts'
import type { CountUse } from '../modules/module.ts'
import type { Counters } from './counters.ts'

/** The billing tag of a page; legacy clients send it when they are configured to. */
const billingTagHeader = 'x-t1c-billing-tag'

export function createUseCounter(
  counters: Pick<Counters, 'add'>,
  log: Pick<Log, 'error'>,
): (module: string) => CountUse {
  return (module) => (context, useCase) => {
    const caller = context.get('caller')
    const label = caller.kind === 'anyone' ? undefined : caller.label
    try {
      counters.add({ label, module, useCase, tag: context.req.header(billingTagHeader) })
    } catch (error) {
      // The card has done its work: the page gets its response even when the disk is full.
      log.error('a use is not counted', { module, useCase, reason: String(error) })
    }
  }
}
