/** The middle of the initialisation: from the consents that are held, or a code word, to the port of a connector. */
import type { How } from './attempt.ts'
import { addressOf, type Place } from './configuration.ts'
import { apiPortOf, consentsOf } from './consents.ts'
import type { CallOptions, ConsentOptions } from './core-service.ts'
import * as endpoints from './endpoints.ts'
import { CardwireError } from './error.ts'
import type { ConsentAnswer } from './protocol/consent.ts'
import type { Session } from './session.ts'

export interface ConsentFlow {
  readonly registry: Place
  /** The port of the connector whose stored consent holds; undefined: a new one is required. */
  validate(options: CallOptions): Promise<string | undefined>
  /** The port of the connector that found the code word on its person's clipboard; undefined: none did. */
  request(codeWord: string, options: ConsentOptions): Promise<string | undefined>
  /** How often a code word was found nowhere, one time after another. */
  missed(): number
}

/** Milliseconds: a registry waits three seconds for all its connectors. */
const timeoutMs = 15_000

export function consentFlow(session: Session, registry: Place): ConsentFlow {
  const consents = consentsOf(session.ports.storage, session.settings, registry)
  let missed = 0

  const how = ({ signal }: CallOptions): How => ({
    address: addressOf(registry),
    timeoutMs,
    signal,
    signed: false,
  })
  /** The list that comes back replaces the one that was held, whatever the state; without one that stays. */
  const keep = (answer: ConsentAnswer): string | undefined => {
    if (answer.consents) consents.write(answer.consents)
    return answer.consentState === 'APPROVED' ? apiPortOf(answer.consent ?? '') : undefined
  }

  return {
    registry,
    missed: () => missed,
    async validate(options) {
      const held = consents.read()
      if (held.length === 0) return undefined
      return keep(
        await session.ask(endpoints.validateConsents, { body: { consents: held } }, how(options)),
      )
    },
    async request(codeWord, options) {
      const { durationInDays } = options
      const body = { codeWord, durationInDays, consents: consents.read() }
      const answer = await session.ask(endpoints.requestConsent, { body }, how(options))
      const port = keep(answer)
      if (answer.consentState === 'REQUIRED') missed += 1
      else if (port === undefined) {
        throw new CardwireError(
          { code: '199', reason: 'answer-malformed' },
          'Cannot read the consent that the registry gave: it names no connector',
        )
      } else missed = 0
      return port
    },
  }
}
