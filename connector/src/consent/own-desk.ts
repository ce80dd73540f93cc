/** The desk of an API: its own person's clipboard decides, and what was decided is kept. */
import { randomBytes } from 'node:crypto'
import { entriesFor } from '@cardwire/client/protocol'
import type { Answer, Question } from '../agent/protocol.ts'
import type { Clipboard, Notifier } from '../desktop/desktop.ts'
import type { Log } from '../system/log.ts'
import { type ConsentDesk, type ConsentRequest, type Granted, isCodeWord, limits } from './desk.ts'
import { agentOf, isSignedBy, type Maker, readConsent, writeConsent } from './form.ts'
import { inTurn } from './in-turn.ts'
import type { LastingConsents } from './lasting.ts'
import { mac } from './mac.ts'
import { pace } from './pace.ts'
import { askFor, type Matter, proofFor, sameProof } from './proof.ts'
import type { ConsentStore, GivenConsent } from './store.ts'

export interface OwnDeskParts {
  readonly maker: Maker
  readonly store: ConsentStore
  readonly lasting: LastingConsents
  readonly clipboard: Pick<Clipboard, 'read'>
  readonly notifier: Notifier
  readonly log: Log
  /** Milliseconds since 1970, UTC. */
  readonly clock: () => number
  /** The origins whose pages this API answers. */
  readonly allowlist: () => readonly string[]
}

export interface OwnDesk extends ConsentDesk {
  readonly agentId: string
  /** What the registry asks on behalf of a page. It is not trusted: a wrong question learns "no". */
  answerQuestion(question: Question): Promise<Answer>
}

/** Looks at the clipboard in a minute, for all origins together: a word cannot be guessed by asking often. */
const looksPerMinute = 300
/** A consent is noted as used this often, in milliseconds: each note waits for the disk. */
const noteMs = 600_000
const dayMs = 86_400_000

interface Ask extends Matter {
  readonly ask: string
  readonly days: number
  /** Milliseconds in which whoever asks still hears of it; absent: as long as it takes. */
  readonly leftMs?: number | undefined
}

export function ownDesk(parts: OwnDeskParts): OwnDesk {
  const { maker, store, lasting, clipboard, notifier, log, clock, allowlist } = parts
  const readClipboard = inTurn(() => clipboard.read())
  const byOrigin = pace(limits.requestsPerMinute, clock)
  const inAll = pace(looksPerMinute, clock)

  const isAllowed = (origin: string) =>
    entriesFor(origin.toLowerCase()).some((entry) => allowlist().includes(entry))
  const isWhole = (days: number) =>
    Number.isInteger(days) && days >= 1 && days <= limits.longestDays

  /** The consent, and the word that earned it; undefined where the clipboard does not say what was asked for. */
  async function decide({ origin, nonce, ask, days, leftMs = Number.POSITIVE_INFINITY }: Ask) {
    const askedAt = clock()
    if (!isAllowed(origin) || !isWhole(days)) return undefined
    if (!byOrigin(origin) || !inAll('clipboard')) {
      log.warn('consent asked for too often', { origin })
      return undefined
    }
    const found = await readClipboard()
    if (found.kind === 'unavailable') log.warn('clipboard not read', { reason: found.reason })
    if (found.kind !== 'text') return undefined
    const word = found.text.replace(/\r?\n$/, '')
    if (!isCodeWord(word) || !sameProof(ask, askFor(word, { nonce, origin }))) return undefined
    // The page has heard by now that nobody has the word: it stays good for when the page asks again.
    if (Math.abs(clock() - askedAt) >= leftMs) {
      log.warn('clipboard read too late', { origin })
      return undefined
    }
    const given = give(origin, days, mac(maker.key, ['code word', word]))
    return given && { given, word }
  }

  /** Works once for a word; asked again at once, the same answer. */
  function give(origin: string, days: number, word: Buffer): GivenConsent | undefined {
    const now = clock()
    const use = store.wordUse(word)
    if (use !== undefined) {
      const given = lasting.find(use.consentId)
      const again =
        given?.origin === origin && given.expiresAt - given.issuedAt === days * dayMs && isRecent()
      if (!again) log.warn('code word used before', { origin })
      return again ? given : undefined
    }
    const given: GivenConsent = {
      id: crypto.randomUUID(),
      origin,
      issuedAt: now,
      expiresAt: now + days * dayMs,
      usedAt: now,
    }
    lasting.add(given, word)
    log.info('consent given', { origin, days })
    void tell(origin)
    return given

    function isRecent(): boolean {
      const age = now - (use?.usedAt ?? now)
      return age >= 0 && age < limits.sameAnswerMs
    }
  }

  /** A page in focus can write to the clipboard unasked, so the person hears of every origin that is let in. */
  async function tell(origin: string): Promise<void> {
    const shown = await notifier.show({
      title: 'Smart-card readers',
      text: `${origin} may use your card readers from now on. To take it back: cardwire consents revoke ${origin}`,
    })
    if (!shown) log.debug('consent not shown on the desktop', { origin })
  }

  const fresh = (given: GivenConsent): Granted => {
    const agent = agentOf(maker, given)
    return { consent: writeConsent(maker, given, agent), agent }
  }

  function good(origin: string, text: string): GivenConsent | undefined {
    const consent = readConsent(text)
    if (consent?.agent.agentId !== maker.agentId) return undefined
    const given = lasting.find(consent.agent.consentId)
    if (given === undefined || !isSignedBy(maker, given, consent)) return undefined
    return given.origin === origin ? note(given) : undefined
  }

  function note(given: GivenConsent): GivenConsent {
    const now = clock()
    if (Math.abs(now - given.usedAt) < noteMs) return given
    try {
      store.used(given.id, now)
    } catch (error) {
      // A full disk is no reason to turn a page away.
      log.warn('use of a consent not noted', { reason: String(error) })
    }
    return { ...given, usedAt: now }
  }

  function goodOnes(origin: string, consents: readonly string[]): readonly Granted[] {
    const given = consents.slice(0, limits.consents).flatMap((text) => good(origin, text) ?? [])
    return [...new Map(given.map((one) => [one.id, one])).values()].map(fresh)
  }

  const self = (origin: string) => {
    const given = lasting.lastOf(origin)
    return given && agentOf(maker, note(given))
  }

  return {
    agentId: maker.agentId,

    async request({ codeWord, origin, days }: ConsentRequest) {
      // The same way that a registry asks, so that there is one way to compare.
      const matter = { origin, nonce: randomBytes(16).toString('base64url') }
      const decided = await decide({ ...matter, ask: askFor(codeWord, matter), days })
      return decided && fresh(decided.given)
    },

    validate: async ({ origin }, consents) => goodOnes(origin, consents),

    async holders({ origin }) {
      const agent = self(origin)
      return agent ? [agent] : []
    },

    async answerQuestion(question) {
      const { id, origin } = question
      const no = { kind: 'no', id } as const
      if (!isAllowed(origin)) return no
      switch (question.kind) {
        case 'request': {
          const decided = await decide(question)
          if (!decided) return no
          const proof = proofFor(decided.word, question, maker.agentId)
          return { kind: 'granted', id, granted: fresh(decided.given), proof }
        }
        case 'validate': {
          const granted = [...goodOnes(origin, question.consents)]
          return granted.length > 0 ? { kind: 'valid', id, granted } : no
        }
        case 'holder': {
          const agent = self(origin)
          return agent ? { kind: 'holds', id, agent } : no
        }
      }
    },
  }
}
