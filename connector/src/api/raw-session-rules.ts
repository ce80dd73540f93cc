/** What a page may send to a card in a session, and what ends the session. */
import { Problem } from '@cardwire/protocol/problem'
import { refuseCommand } from '../sandbox/card-modules/raw-command.ts'
import type { Clock } from '../system/clock.ts'
import { type AccessServices, createAccessWatch } from './access-watch.ts'
import type { ApiServices } from './api-services.ts'
import { createGrantProblem } from './grant-problem.ts'
import type { RawCard } from './raw-session.ts'

export type RawRuleServices = Pick<
  ApiServices,
  'readers' | 'hasGrant' | 'grantedAids' | 'onGrants'
> &
  AccessServices

/** No session is longer, in milliseconds: other pages cannot use the card meanwhile. */
export const maxMs = 180_000

export function createRawRules(services: RawRuleServices, timers: Pick<Clock, 'after'>) {
  const { readers, hasGrant, grantedAids, onGrants } = services
  const access = createAccessWatch(services)

  const requireGrant = ({ caller: { origin } }: Pick<RawCard, 'caller'>): readonly string[] => {
    const aids = hasGrant(origin, 'raw') ? grantedAids(origin) : []
    if (aids.length > 0) return aids
    throw createGrantProblem('Cannot send commands to the card', origin, 'raw', {
      aids: ['the applications that the page selects, as hex'],
    })
  }

  return {
    requireGrant,
    /** Whether the page still has the access with which it opened the session. */
    hasAccess: ({ caller }: RawCard) => access.findRevocation(caller) === undefined,
    requireAllowed(card: RawCard, command: Uint8Array, isSelected: boolean): void {
      access.requireAccess(card.caller)
      const aids = requireGrant(card)
      const refusal = refuseCommand(command, aids, isSelected)
      if (!refusal) return
      if (refusal.kind === 'command') {
        throw new Problem('command-refused', `Cannot send the command: ${refusal.reason}`)
      }
      const refused = `Cannot send the command: ${refusal.reason}`
      throw createGrantProblem(refused, card.caller.origin, 'raw', { aids: [refusal.aid ?? ''] })
    },
    /** Calls back when the session has to end. `selected` is the application, upper-case hex. */
    watch(
      card: RawCard,
      selected: () => string | undefined,
      end: (reason: string) => void,
    ): () => void {
      const { origin } = card.caller
      const isGranted = () => {
        const aid = selected()
        return hasGrant(origin, 'raw') && (aid === undefined || grantedAids(origin).includes(aid))
      }
      const stops = [
        access.onRevoked(card.caller, () => end('access')),
        onGrants(() => {
          if (!isGranted()) end('grant')
        }),
        readers.subscribe(({ readers: present }) => {
          const found = present.find(({ name }) => name === card.reader)
          if (found?.card?.atr !== card.atr) end('card')
        }),
        timers.after(maxMs, () => end('timeout')),
      ]
      return () => {
        for (const stop of stops) stop()
      }
    },
  }
}
