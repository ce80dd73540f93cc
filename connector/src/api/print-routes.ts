/** Data of pages for printers, in the language of the printer: the module rawprint of legacy clients. */
import { Problem } from '@cardwire/protocol/problem'
import { listPrinters, printRaw } from '@cardwire/protocol/raw-print'
import { toJobTitle } from '../files/printing/printers.ts'
import type { Bind, Caller } from '../http/route-types.ts'
import type { AccessServices } from './access-watch.ts'
import type { ApiServices } from './api-services.ts'
import { createUseCounter } from './counters/use-counter.ts'
import { createGrantProblem } from './grant-problem.ts'
import { createRequirePage } from './page-watch.ts'
import { createWorkQueue } from './work-queue.ts'

/** Programs of the print system at once, for lists and jobs of all pages; the others wait. */
const maxRequests = 2
/** Printers that a problem names. */
const maxNamed = 20

export function bindPrintRoutes(
  bind: Bind,
  services: Pick<ApiServices, 'printers' | 'hasGrant' | 'counters' | 'log'> & AccessServices,
): void {
  const { printers, hasGrant, counters, log } = services
  const count = createUseCounter(counters, log)('rawprint')
  const requirePage = createRequirePage(services)
  const queueWork = createWorkQueue(maxRequests, requirePage)

  /** The list needs it too: names of printers tell who and where a user is. Returns the origin. */
  const requireGrant = (caller: Caller): string => {
    if (caller.kind !== 'page') {
      const message = 'Cannot print without an origin: only pages have a grant'
      throw new Problem('page-unnamed', message)
    }
    if (hasGrant(caller.origin, 'print')) return caller.origin
    throw createGrantProblem('Cannot print', caller.origin, 'print')
  }
  const requirePrinter = async (name: string): Promise<void> => {
    const known = await printers.list()
    if (known.includes(name)) return
    const message = known.length > 0 ? `expected one of ${formatNames(known)}` : 'there is none'
    throw new Problem('printer-unknown', `Cannot find printer "${name}": ${message}`, {
      errors: [{ path: 'name', message }],
    })
  }

  bind(listPrinters, async ({ caller }, context) => {
    requireGrant(caller)
    context.env.keepOpen()
    const found = await queueWork(context, () => printers.list())
    // Both may have ended meanwhile.
    requirePage(context)
    requireGrant(caller)
    return { data: { printers: [...found] } }
  })
  bind(printRaw, async ({ caller, body }, context) => {
    const origin = requireGrant(caller)
    context.env.keepOpen()
    const data = new Uint8Array(Buffer.from(body.data, 'base64'))
    await queueWork(context, async () => {
      await requirePrinter(body.name)
      // Both may have ended while others printed.
      requirePage(context)
      requireGrant(caller)
      await printers.print({ printer: body.name, title: toJobTitle(body.job), data })
    })
    count(context, 'print')
    log.info('printed', { origin, printer: body.name, bytes: data.length })
    return { data: { printed: true } }
  })
}

const formatNames = (names: readonly string[]): string =>
  names
    .slice(0, maxNamed)
    .map((name) => `"${name}"`)
    .join(', ')
