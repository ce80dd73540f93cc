/** The consent step of the initialization: from stored consents, or a code word, to the port of the user's connector. */

import type { ConsentAnswer } from '@cardwire/protocol/consent'
import { isCodeWord } from './code-word.ts'
import { type Endpoint, toAddress } from './configuration.ts'
import { openConsentStorage, readApiPort } from './consent-storage.ts'
import type { CallOptions, CardwireClient, ConsentOptions } from './core-service.ts'
import * as endpoints from './endpoints.ts'
import { CardwireError } from './error.ts'
import type { ConsentReason } from './reason.ts'
import type { RequestTarget } from './request.ts'
import type { Session } from './session.ts'

export interface ConsentFlow {
  readonly registry: Endpoint
  /** The port of the connector whose stored consent is valid; undefined: the page needs a new consent. */
  validate(options: CallOptions): Promise<string | undefined>
  /** The port of the connector that found the code word on its user's clipboard; undefined: none did. */
  request(codeWord: string, options: ConsentOptions): Promise<string | undefined>
  /** How many code words in a row no connector has found. */
  failedAttempts(): number
  /** Seconds until the next code word is looked for, where the last one was not, because there were too many. */
  retryAfterS(): number | undefined
}

/** Milliseconds: a registry waits three seconds for all its connectors. */
const timeoutMs = 15_000

/** Milliseconds: a connector answers /info within a few. */
const aliveTimeoutMs = 3000

export function createConsentFlow(session: Session, registry: Endpoint): ConsentFlow {
  const storage = openConsentStorage(session.ports.storage, session.settings, registry)
  let failedAttempts = 0
  let retryAfterS: number | undefined

  const toTarget = ({ signal }: CallOptions): RequestTarget => ({
    address: toAddress(registry),
    timeoutMs,
    signal,
    signed: false,
  })
  /** To a registry, the consent of a connector that hangs is missing, too: rejects when this one accepts requests and does not reply. */
  const requireResponse = async (port: string, options: CallOptions): Promise<void> => {
    const address = toAddress({ ...registry, port })
    const target = { ...toTarget(options), address, timeoutMs: aliveTimeoutMs }
    await session.call(endpoints.getInfo, {}, target).catch((error) => {
      if (['timeout', 'not-responding'].includes(error.reason)) throw error
    })
  }
  /** The list in an answer replaces the stored one, whatever the state; an answer without a list leaves it. */
  const readAnswer = (answer: ConsentAnswer): string | undefined => {
    if (answer.consents) storage.write(answer.consents)
    return answer.consentState === 'APPROVED' ? readApiPort(answer.consent ?? '') : undefined
  }

  return {
    registry,
    failedAttempts: () => failedAttempts,
    retryAfterS: () => retryAfterS,
    async validate(options) {
      const consents = storage.read()
      if (consents.length === 0) return undefined
      const target = toTarget(options)
      const port = readAnswer(
        await session.call(endpoints.validateConsents, { body: { consents } }, target),
      )
      const held = consents.map(readApiPort).find((one) => one !== undefined)
      if (port === undefined && held !== undefined) await requireResponse(held, options)
      return port
    },
    async request(codeWord, options) {
      const { durationInDays } = options
      const body = { codeWord, durationInDays, consents: storage.read() }
      const answer = await session.call(endpoints.requestConsent, { body }, toTarget(options))
      const port = readAnswer(answer)
      retryAfterS = answer.retryAfterS
      if (retryAfterS !== undefined) return undefined
      if (answer.consentState === 'REQUIRED') failedAttempts += 1
      else if (port === undefined) {
        throw new CardwireError(
          { code: '199', reason: 'answer-malformed' },
          'Cannot read the consent from the registry: it does not name a connector',
        )
      } else failedAttempts = 0
      return port
    },
  }
}

/** After more failed attempts than this, the user has no running connector (the specification's limit). */
const maxAttempts = 2

/** The error that carries the client to ask for consent with. */
export function createConsentError(
  client: CardwireClient,
  flow: ConsentFlow,
  cause?: unknown,
): CardwireError {
  const [reason, description] = describeMissingConsent(flow)
  return new CardwireError({ code: '500', client, reason }, description, { cause })
}

/** For developers; what the page shows its user differs with each code word that was not found. */
function describeMissingConsent(flow: ConsentFlow): readonly [ConsentReason, string] {
  const retryAfterS = flow.retryAfterS()
  if (retryAfterS !== undefined) {
    return ['too-many-codes', `Cannot look for another code yet: wait ${retryAfterS} s`]
  }
  const attempts = flow.failedAttempts()
  const reason = attempts > maxAttempts ? 'no-agent' : 'consent-required'
  return [
    reason,
    attempts === 0
      ? 'Cannot use your card reader yet: copy the code to allow this site'
      : `Cannot find code ${attempts} of ${maxAttempts + 1}: the connector has to run in the desktop session of this browser`,
  ]
}

/** The port that a code word led to. Throws 115 when the code word is too short or too long, or when the registry refuses it. */
export async function requestConsent(
  client: CardwireClient,
  flow: ConsentFlow,
  codeWord: string,
  options: ConsentOptions,
): Promise<string | undefined> {
  const { durationInDays: days } = options
  if (days !== undefined && !(Number.isInteger(days) && days >= 1 && days <= 365)) {
    throw new CardwireError(
      { code: '199', reason: 'configuration-invalid' },
      'Cannot ask for consent: expected durationInDays from 1 to 365',
    )
  }
  const createRefusedError = (cause?: unknown): CardwireError =>
    new CardwireError(
      { code: '115', reason: 'code-word-refused', client },
      'Cannot use this code: make a new one and copy it',
      { cause },
    )
  if (!isCodeWord(codeWord)) throw createRefusedError()
  try {
    return await flow.request(codeWord, options)
  } catch (error) {
    const isRefused = CardwireError.is(error) && error.problem === 'input-invalid'
    throw isRefused ? createRefusedError(error) : error
  }
}
