/** Rotations of the keys of replies and of tokens, and whether everybody continues when the new key signs. */
import type { EventQueue } from '../../simulation/event-queue.ts'
import type { ClockRunner } from './clock-runner.ts'
import type { Machine } from './fleet.ts'
import type { Label, Pages } from './pages.ts'
import type { Results } from './results.ts'
import type { HoursService } from './service.ts'

interface RotationParts {
  readonly queue: EventQueue
  readonly results: Results
  readonly service: HoursService
  readonly machines: readonly Machine[]
  readonly pages: Pages
  readonly label: Label
  readonly cycleMs: number
  readonly runner: ClockRunner
}

export interface Rotations {
  rotate(use: 'reply' | 'application'): Promise<void>
}

/** After the cycle: what a synchronization may come later, and how long the service keeps keys in memory. */
const marginMs = 45_000

export function createRotations(parts: RotationParts): Rotations {
  const { queue, results, service, machines, pages, label, cycleMs, runner } = parts

  /** The service signs replies with the key, and every machine believes them. */
  function checkReplies(key: string): void {
    for (const machine of machines) {
      const status = machine.connector()?.status()
      results.check(
        'rotation-continues',
        status?.kind === 'good' && machine.replyKey() === key,
        () =>
          `machine ${machine.index} stands at ${JSON.stringify(status)}, with the reply of key ${machine.replyKey()} and not of ${key}`,
      )
    }
  }

  /** The service signs tokens with the key, and every machine accepts them. */
  async function checkTokens(key: string): Promise<void> {
    const headers = { apikey: label.apiKey }
    const token: string = await service.ask('GET', '/v3/tokens/application', undefined, headers)
    const { kid } = JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString())
    results.check('rotation-continues', kid === key, () => `tokens are of ${kid}, not of ${key}`)
    for (const machine of machines) {
      const isAccepted = await pages.isAccepted(machine, token)
      results.check(
        'rotation-continues',
        isAccepted,
        () => `machine ${machine.index} refuses a token of the new key ${key}`,
      )
    }
  }

  return {
    async rotate(use) {
      const { id, signsFrom } = await service.ask('POST', '/v3/signing-keys', { use })
      const checkAt = Date.parse(signsFrom) + 1.1 * cycleMs + marginMs
      queue.after(checkAt - queue.now(), () => {
        results.count(`rotation of the ${use} key checked`)
        if (use === 'reply') checkReplies(id)
        else runner.begin(checkTokens(id))
      })
    },
  }
}
