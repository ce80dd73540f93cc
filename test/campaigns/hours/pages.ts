/** Pages: their applications fetch tokens, and they use cards with them, before and after the tokens end. */

import type { SeededRandom } from '../../bed/random.ts'
import type { ConnectorLog } from '../../simulation/connector-code.ts'
import type { EventQueue } from '../../simulation/event-queue.ts'
import type { Tampering } from './faults.ts'
import type { Machine } from './fleet.ts'
import type { Results } from './results.ts'
import type { HoursService } from './service.ts'

export interface Label {
  readonly id: string
  readonly apiKey: string
}

export interface Pages {
  /** A user opens a page, and uses it for a while. */
  visit(): Promise<void>
  /** Whether a machine accepts this token now. */
  isAccepted(machine: Machine, token: string): Promise<boolean>
  /** Uses of cards that the connectors have counted. */
  uses(): number
  /** Rows that these uses may have at the service: a day, a label and a tag each. */
  kindsOfUses(): number
  /** Lines in the log, with numbers from 1. */
  lines(): number
}
/** Requests of a page, at most. */
export const requestsPerVisit = 5

interface PagesParts {
  readonly queue: EventQueue
  readonly random: SeededRandom
  readonly results: Results
  readonly service: HoursService
  readonly labels: readonly Label[]
  readonly machines: readonly Machine[]
  readonly log: ConnectorLog
  /** Characters of what a request writes into the log. */
  readonly lineLength: number
  readonly tampering: Tampering
  /** When nobody uses a card any more, so that each use can be counted; milliseconds since 1970. */
  readonly endAt: number
}

/** The clocks of a connector and its service may differ by this, and what the time of a reply is not known to. */
const toleranceMs = 30_000
const slackMs = 3000
const hourMs = 3_600_000
const tags = ['a', 'b', 'c']

export function createPages(parts: PagesParts): Pages {
  const { queue, random, results, service, labels, machines, log, tampering } = parts
  let uses = 0
  const kinds = new Set<string>()
  let lines = 0

  const verifyAt = machines.map((machine) => tampering.verify(machine.verifyToken))

  async function isAccepted({ index }: Machine, token: string): Promise<boolean> {
    try {
      await verifyAt[index]?.(token)
      return true
    } catch {
      return false
    }
  }

  async function request(machine: Machine, token: string, expiresAt: number): Promise<void> {
    const leftMs = expiresAt - queue.now()
    const accepted = await isAccepted(machine, token)
    results.count(accepted ? 'token accepted' : 'token refused')
    lines += 1
    // What other programs say of a card may be long.
    const reason = 'the reader does not answer '.repeat(parts.lineLength / 27)
    log.info('request', { line: lines, path: '/v3/readers', reason })
    results.check(
      'token-in-time',
      accepted ? leftMs > -toleranceMs - slackMs : leftMs < slackMs,
      () =>
        `machine ${machine.index} ${accepted ? 'accepts' : 'refuses'} a token that ends in ${leftMs} ms`,
    )
  }

  function useCard(machine: Machine, label: string): void {
    if (queue.now() > parts.endAt) return
    const tag = random.pick(tags)
    machine.connector()?.counters.add({ label, module: 'eid', useCase: 'signature', tag })
    uses += 1
    const day = Math.floor(queue.now() / 86_400_000)
    kinds.add(`${day} ${label} ${tag}`)
  }

  return {
    isAccepted,
    uses: () => uses,
    kindsOfUses: () => kinds.size,
    lines: () => lines,
    async visit() {
      const ready = machines.filter((machine) => machine.connector()?.status().kind === 'good')
      if (ready.length === 0) return
      results.count('visit')
      const label = random.pick(labels)
      const token: string = await service.ask('GET', '/v3/tokens/application', undefined, {
        apikey: label.apiKey,
      })
      const { exp } = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())
      const expiresAt = exp * 1000
      const leftMs = expiresAt - queue.now()
      const delays = [
        ...[0, random.integer(0, leftMs), leftMs - slackMs - random.integer(1, 5000)],
        leftMs + toleranceMs + slackMs + random.integer(1, 5000),
        leftMs + random.integer(0, 2 * hourMs),
      ]
      for (const delayMs of delays) {
        const machine = random.pick(ready)
        queue.after(delayMs, () => {
          machine.inspect()
          void request(machine, token, expiresAt)
        })
      }
      const machine = random.pick(ready)
      queue.after(random.integer(0, leftMs), () => useCard(machine, label.id))
      if (random.chance(0.05)) {
        machine.askForSync()
        results.count('sync for a page')
      }
    },
  }
}
