/** The consent service of an API: the clipboard, the consents, and what a registry learns. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { proves } from '../../../test/bed/proves.ts'
import type { AgentRequest } from '../../src/system/ipc/registry-messages.ts'
import { createChallenge, createProof, isSameHmac } from '../../src/user/consent/challenge.ts'
import type { ConsentGrant } from '../../src/user/consent/consent-service.ts'
import { decodeConsent } from '../../src/user/consent/consent-token.ts'
import { type ConsentSetup, createConsentSetup, dayMs, origin } from './consent-setup.ts'

const word = '::t1c::miksa::Ab3dEf6hIj9kLm2nOp5qRs8tUv1wXy4z'
const other = '::t1c::miksa::Zz9yXw8vUt7sRq6pOn5mLk4jIh3gFe2d'

let setup: ConsentSetup
beforeEach(() => {
  setup = createConsentSetup()
})
afterEach(() => setup.close())

const ask = (codeWord: string, changes: { origin?: string; days?: number } = {}) =>
  setup.consentService.request({ codeWord, origin, days: 365, ...changes })

async function granted(codeWord = word, changes: { origin?: string; days?: number } = {}) {
  setup.copy(codeWord)
  const answer = await ask(codeWord, changes)
  if (!answer) throw new Error('It was refused')
  return answer
}

/** The consent with parts of it changed. */
function altered(
  { consent }: ConsentGrant,
  changes: { readonly agent?: object; readonly signedHash?: string },
): string {
  const { agent, signedHash } = JSON.parse(Buffer.from(consent, 'base64').toString())
  const form = { signedHash, ...changes, agent: { ...agent, ...changes.agent } }
  return Buffer.from(JSON.stringify(form)).toString('base64')
}

describe('code word', () => {
  test.each([
    ['as it is', word],
    ['with a line end', `${word}\n`],
    ['with a line end of Windows', `${word}\r\n`],
  ])('on the clipboard %s gives a consent', async (_, text) => {
    setup.copy(text)
    expect((await ask(word))?.agent).toMatchObject({ apiPort: '25100', username: 'ada' })
    expect(setup.hasConsent(origin)).toBe(true)
  })

  test.each([
    ['another text', async () => ({ kind: 'text', text: other }) as const],
    ['two line ends', async () => ({ kind: 'text', text: `${word}\n\n` }) as const],
    ['a part of it', async () => ({ kind: 'text', text: word.slice(0, -1) }) as const],
    ['nothing', async () => ({ kind: 'empty' }) as const],
    ['no clipboard', async () => ({ kind: 'unavailable', reason: 'no display' }) as const],
  ])('with %s on the clipboard gives none', async (_, clipboard) => {
    setup.setClipboard(clipboard)
    expect(await ask(word)).toBeUndefined()
    expect(setup.hasConsent(origin)).toBe(false)
    expect(setup.notifications).toEqual([])
  })

  test.each([
    ['short', 'x'.repeat(15)],
    ['long', 'x'.repeat(4097)],
  ])('that is too %s gives none, also when a registry asks', async (_, text) => {
    setup.copy(text)
    expect(await ask(text)).toBeUndefined()
    expect(await setup.consentService.handleAgentRequest(questionOf(text))).toMatchObject({
      kind: 'denied',
    })
  })

  test('works once, whatever the clipboard holds afterwards', async () => {
    proves('code-word-once', 'foreign-consent-used')
    await granted()
    setup.setClock(setup.clock() + 10_001)
    expect(await ask(word)).toBeUndefined()
    expect(await ask(word, { origin: 'https://a.shops.example' })).toBeUndefined()
    setup.setClock(setup.clock() + 6 * dayMs)
    expect(await ask(word)).toBeUndefined()
    expect(setup.store.list()).toHaveLength(1)
  })

  test('requested again at once gives the same consent, and only one', async () => {
    const first = await granted()
    expect(await ask(word)).toEqual(first)
    expect(setup.store.list()).toHaveLength(1)
    expect(setup.notifications).toHaveLength(1)
  })

  test('requested again at once for other days, or by another origin, gives none', async () => {
    await granted()
    expect(await ask(word, { days: 1 })).toBeUndefined()
    expect(await ask(word, { origin: 'https://a.shops.example' })).toBeUndefined()
  })

  test('requested again at once after its consent was revoked gives none', async () => {
    await granted()
    setup.store.revoke(setup.clock(), origin)
    expect(await ask(word)).toBeUndefined()
  })

  test('is recorded as used before the page is answered, and stays used after a restart', async () => {
    await granted()
    const again = createConsentSetup({ runtime: setup.runtime, at: setup.clock() + 60_000 })
    again.copy(word)
    expect(
      await again.consentService.request({ codeWord: word, origin, days: 365 }),
    ).toBeUndefined()
    expect(again.hasConsent(origin)).toBe(true)
    again.close()
  })

  test('is in no line of the log and nowhere in the database', async () => {
    await granted()
    await ask(other)
    setup.database.run('PRAGMA wal_checkpoint(TRUNCATE)')
    const bytes = await Bun.file(`${setup.runtime}/state.db`).text()
    const secret = word.slice(-32)
    expect(setup.logged.join('\n')).toContain('consent granted')
    expect(setup.logged.join('\n')).not.toContain(secret)
    expect(bytes).not.toContain(secret)
  })

  test('that gave a consent makes the desktop show the origin', async () => {
    proves('consent-without-click')
    await granted()
    expect(setup.notifications).toEqual([expect.stringContaining(origin)])
  })

  test.each([
    ['en-US', `Cardwire: ${origin} can now use your card readers.`],
    ['nl-BE', `Cardwire: ${origin} kan nu uw kaartlezers gebruiken.`],
    ['fr', `Cardwire: ${origin} peut désormais utiliser vos lecteurs de cartes.`],
    ['de', `Cardwire: ${origin} kann jetzt Ihre Kartenleser verwenden.`],
  ])('is reported to a user of the language %s in that language', async (language, text) => {
    setup.close()
    setup = createConsentSetup({ language })
    await granted()
    expect(setup.notifications).toEqual([expect.stringContaining(text)])
  })
})

describe('clipboard', () => {
  test('is not read for an origin that is not on the allowlist', async () => {
    proves('clipboard-read')
    setup.copy(word)
    const answer = await setup.consentService.handleAgentRequest(
      questionOf(word, { origin: 'https://evil.example' }),
    )
    expect(answer.kind).toBe('denied')
    expect(setup.clipboardReads()).toBe(0)
  })

  test.each([0, 366, 1.5, Number.NaN])('is not read for %s days', async (days) => {
    setup.copy(word)
    expect((await setup.consentService.handleAgentRequest(questionOf(word, { days }))).kind).toBe(
      'denied',
    )
    expect(setup.clipboardReads()).toBe(0)
  })

  test('is read five times a minute for an origin, whether the page or a registry asks', async () => {
    proves('code-word-guessed')
    setup.copy(other)
    for (let n = 0; n < 3; n += 1) await ask(word)
    for (let n = 0; n < 3; n += 1) await setup.consentService.handleAgentRequest(questionOf(word))
    expect(setup.clipboardReads()).toBe(5)
    setup.copy(word)
    expect(await ask(word)).toBeUndefined()
    expect(await ask(word, { origin: 'https://a.shops.example' })).toBeDefined()
    setup.setClock(setup.clock() + 60_000)
    expect(await ask(other)).toBeUndefined()
    expect(setup.clipboardReads()).toBe(7)
  })

  test('is read 300 times a minute at most, for all origins together', async () => {
    proves('code-word-guessed')
    setup.copy(other)
    for (let n = 0; n < 310; n += 1) {
      await setup.consentService.handleAgentRequest(
        questionOf(word, { origin: `https://p${n}.shops.example` }),
      )
    }
    expect(setup.clipboardReads()).toBe(300)
  })

  test('is read once more for all requests that come during a read', async () => {
    const reading = Promise.withResolvers<void>()
    const gate = Promise.withResolvers<void>()
    setup.setClipboard(async () => {
      reading.resolve()
      await gate.promise
      return { kind: 'text', text: word }
    })
    const first = ask(word)
    await reading.promise
    const rest = Array.from({ length: 20 }, (_, n) =>
      ask(word, { origin: `https://p${n}.shops.example` }),
    )
    gate.resolve()
    expect(await first).toBeDefined()
    expect((await Promise.all(rest)).filter((answer) => answer !== undefined)).toEqual([])
    expect(setup.clipboardReads()).toBe(2)
  })
})

describe('consent', () => {
  test('is reissued with the same id and the current port', async () => {
    const first = await granted()
    const moved = createConsentSetup({
      runtime: setup.runtime,
      at: setup.clock() + dayMs,
      port: 25_200,
    })
    const [fresh] = await moved.consentService.validate({ origin }, [first.consent])
    expect(fresh?.agent).toEqual({
      ...first.agent,
      apiPort: '25200',
      apiLastUsed: '2026-11-22 09:30:00.000000 UTC',
      clientLastUsed: '2026-11-22 09:30:00.000000 UTC',
    })
    expect(decodeConsent(fresh?.consent ?? '')?.agent).toEqual(fresh?.agent)
    moved.close()
  })

  test('is standard base64 of JSON with texts only, as legacy clients read it', async () => {
    const { consent } = await granted()
    expect(consent).toMatch(/^[A-Za-z0-9+/]+={0,2}$/)
    const { agent, signedHash } = JSON.parse(Buffer.from(consent, 'base64').toString())
    expect(signedHash).toMatch(/^[A-Za-z0-9+/]{43}=$/)
    expect(agent).toMatchObject({
      apiPort: '25100',
      validityInDays: '365',
      connectionState: 'CONSENT',
      apiLastUsed: '2026-11-21 09:30:00.000000 UTC',
    })
    expect(Object.values(agent).filter((value) => typeof value !== 'string')).toEqual([])
  })

  test.each<readonly [string, (one: ConsentGrant) => string]>([
    ['with another signature', (one) => altered(one, { signedHash: 'A'.repeat(43) })],
    ['without a signature', (one) => altered(one, { signedHash: '' })],
    ['of another consent', (one) => altered(one, { agent: { consentId: crypto.randomUUID() } })],
    ['of another connector', (one) => altered(one, { agent: { agentId: crypto.randomUUID() } })],
    ['cut off', (one) => one.consent.slice(0, -8)],
    ['in URL-safe letters', (one) => `${one.consent.slice(0, -1)}_`],
    ['followed by something', (one) => `${one.consent}{}`],
    ['that is no JSON', () => Buffer.from('{"agent":').toString('base64')],
    ['that is another JSON', () => Buffer.from('[]').toString('base64')],
    ['that is empty', () => ''],
    ['of 5 KiB', (one) => altered(one, { agent: { note: 'x'.repeat(4000) } })],
    ['of 1 MB', () => 'QUFB'.repeat(250_000)],
  ])('%s is not valid', async (_, change) => {
    const one = await granted()
    expect(await setup.consentService.validate({ origin }, [change(one)])).toEqual([])
    expect(await setup.consentService.validate({ origin }, [one.consent])).toHaveLength(1)
  })

  test('with the signature of another one is not valid', async () => {
    proves('consent-forged')
    const one = await granted()
    const two = await granted(other, { origin: 'https://a.shops.example' })
    const mixed = altered(one, { signedHash: decodeConsent(two.consent)?.signedHash ?? '' })
    expect(await setup.consentService.validate({ origin }, [mixed])).toEqual([])
  })

  test('of another origin is not valid', async () => {
    proves('foreign-consent-used')
    const { consent } = await granted()
    expect(
      await setup.consentService.validate({ origin: 'https://a.shops.example' }, [consent]),
    ).toEqual([])
  })

  test('of another user, signed with another key, is not valid', async () => {
    const stranger = createConsentSetup()
    stranger.copy(word)
    const theirs = await stranger.consentService.request({ codeWord: word, origin, days: 365 })
    if (!theirs) throw new Error('It was refused')
    const { consentId } = (await granted()).agent
    const disguised = altered(theirs, {
      agent: { agentId: setup.consentService.agentId, consentId },
    })
    expect(await setup.consentService.validate({ origin }, [theirs.consent, disguised])).toEqual([])
    stranger.close()
  })

  test('is not valid when its row was deleted from the database', async () => {
    const { consent } = await granted()
    setup.database.run('DELETE FROM consents')
    expect(await setup.consentService.validate({ origin }, [consent])).toEqual([])
  })

  test('is not valid when the expiry in its row was changed', async () => {
    proves('consent-forged')
    const { consent } = await granted(word, { days: 1 })
    setup.database.run('UPDATE consents SET expires_at = expires_at + 1')
    expect(await setup.consentService.validate({ origin }, [consent])).toEqual([])
  })

  test('that was revoked is not valid, also after a restart', async () => {
    proves('consent-forged')
    const { consent } = await granted()
    expect(setup.store.revoke(setup.clock(), origin)).toBe(1)
    expect(await setup.consentService.validate({ origin }, [consent])).toEqual([])
    expect(await setup.consentService.findActiveAgents({ origin })).toEqual([])
    const again = createConsentSetup({ runtime: setup.runtime })
    expect(await again.consentService.validate({ origin }, [consent])).toEqual([])
    again.close()
  })

  test('is valid until the millisecond of its expiry', async () => {
    const { consent } = await granted(word, { days: 1 })
    setup.setClock(setup.clock() + dayMs - 1)
    expect(await setup.consentService.validate({ origin }, [consent])).toHaveLength(1)
    setup.setClock(setup.clock() + 1)
    expect(await setup.consentService.validate({ origin }, [consent])).toEqual([])
    expect(setup.hasConsent(origin)).toBe(false)
  })

  test('that has expired stays expired when the clock is set back', async () => {
    proves('expired-consent-stays-expired', 'consent-forged')
    const { consent } = await granted(word, { days: 1 })
    const then = setup.clock()
    setup.setClock(then + dayMs)
    expect(setup.hasConsent(origin)).toBe(false)
    setup.setClock(then)
    expect(setup.hasConsent(origin)).toBe(false)
    expect(await setup.consentService.validate({ origin }, [consent])).toEqual([])
  })

  test('after 32 others is ignored, and one that is sent twice is returned once', async () => {
    proves('consent-count-limit', 'large-requests')
    const one = await granted()
    const forged = altered(one, { signedHash: 'A'.repeat(43) })
    const many = Array.from({ length: 32 }, () => forged)
    expect(await setup.consentService.validate({ origin }, [...many, one.consent])).toEqual([])
    expect(
      await setup.consentService.validate({ origin }, [...many.slice(1), one.consent]),
    ).toHaveLength(1)
    expect(
      await setup.consentService.validate({ origin }, [one.consent, one.consent]),
    ).toHaveLength(1)
  })
})

describe('consent service on a full disk', () => {
  test('keeps existing consents until they expire, and grants no new ones', async () => {
    const { consent } = await granted(word, { days: 2 })
    setup.database.run('PRAGMA query_only = ON')
    setup.setClock(setup.clock() + dayMs)
    expect(await setup.consentService.validate({ origin }, [consent])).toHaveLength(1)
    setup.copy(other)
    await expect(ask(other)).rejects.toThrow()
    setup.setClock(setup.clock() + dayMs)
    expect(setup.hasConsent(origin)).toBe(false)
    expect(setup.logged.join('\n')).toContain('not recorded')
    setup.database.run('PRAGMA query_only = OFF')
  })
})

describe('registry', () => {
  test('that asks with the code word on the clipboard gets a consent and the proof', async () => {
    proves('registry-false-answer')
    setup.copy(word)
    const question = questionOf(word)
    const answer = await setup.consentService.handleAgentRequest(question)
    if (answer.kind !== 'granted') throw new Error(`It says ${answer.kind}`)
    expect(answer.id).toBe(question.id)
    expect(
      isSameHmac(answer.proof, createProof(word, question, setup.consentService.agentId)),
    ).toBe(true)
    expect(await setup.consentService.validate({ origin }, [answer.granted.consent])).toHaveLength(
      1,
    )
  })

  test('that has stopped waiting when the clipboard is read gets no consent, and the code word stays unused', async () => {
    proves('late-clipboard-ignored')
    const expiresInMs = 2500
    setup.setClipboard(async () => {
      setup.setClock(setup.clock() + expiresInMs)
      return { kind: 'text', text: word }
    })
    const late = questionOf(word, { expiresInMs })
    expect(await setup.consentService.handleAgentRequest(late)).toEqual({
      kind: 'denied',
      id: late.id,
    })
    expect([setup.store.list(), setup.notifications]).toEqual([[], []])
    const inTime = questionOf(word, { expiresInMs: expiresInMs + 1 })
    expect((await setup.consentService.handleAgentRequest(inTime)).kind).toBe('granted')
  })

  test.each<readonly [string, Partial<AgentRequest & { challenge: string; nonce: string }>]>([
    ['another origin', { origin: 'https://a.shops.example' }],
    ['another nonce', { nonce: 'bm9uY2Ugb2YgYW5vdGhlcg' }],
    ['no ask', { challenge: '' }],
    ['an ask that is no hash', { challenge: 'x'.repeat(10_000) }],
  ])('that asks with %s learns nothing', async (_, changes) => {
    proves('registry-false-answer')
    setup.copy(word)
    const question = { ...questionOf(word), ...changes } as AgentRequest
    expect(await setup.consentService.handleAgentRequest(question)).toEqual({
      kind: 'denied',
      id: question.id,
    })
    expect(setup.store.list()).toEqual([])
  })

  test('gets the same response whether the clipboard holds another text, nothing, or cannot be read', async () => {
    proves('wrong-code-word-silent', 'code-word-guessed')
    const question = questionOf(word)
    const answers = []
    for (const clipboard of [
      async () => ({ kind: 'text', text: other }) as const,
      async () => ({ kind: 'empty' }) as const,
      async () => ({ kind: 'unavailable', reason: 'no display' }) as const,
    ]) {
      setup.setClipboard(clipboard)
      answers.push(JSON.stringify(await setup.consentService.handleAgentRequest(question)))
    }
    expect(new Set(answers)).toEqual(new Set([JSON.stringify({ kind: 'denied', id: question.id })]))
  })

  test('learns of no consent of an origin that was removed from the allowlist', async () => {
    proves('registry-false-answer')
    const { consent } = await granted()
    const later = createConsentSetup({ runtime: setup.runtime, allowlist: [] })
    const id = crypto.randomUUID()
    const no = { kind: 'denied', id }
    const validate: AgentRequest = { kind: 'validate', id, origin, consents: [consent] }
    expect(await later.consentService.handleAgentRequest(validate)).toEqual(no)
    expect(await later.consentService.handleAgentRequest({ kind: 'list', id, origin })).toEqual(no)
    later.close()
  })

  test('validates consents, and finds the active agent', async () => {
    const { consent, agent } = await granted()
    const id = crypto.randomUUID()
    const { consentService } = setup
    const validate: AgentRequest = { kind: 'validate', id, origin, consents: ['forged', consent] }
    expect(await consentService.handleAgentRequest(validate)).toMatchObject({
      kind: 'valid',
      granted: [{ agent }],
    })
    expect(await consentService.handleAgentRequest({ kind: 'list', id, origin })).toEqual({
      kind: 'active',
      id,
      agent,
    })
    const elsewhere = { id, origin: 'https://a.shops.example' }
    expect(await consentService.handleAgentRequest({ ...validate, ...elsewhere })).toEqual({
      kind: 'denied',
      id,
    })
    expect(await consentService.handleAgentRequest({ kind: 'list', ...elsewhere })).toEqual({
      kind: 'denied',
      id,
    })
  })
})

/** What a registry asks for a page that says this word. */
function questionOf(
  codeWord: string,
  changes: { origin?: string; days?: number; expiresInMs?: number } = {},
) {
  const matter = { origin, nonce: 'bm9uY2Utb2YtdGhpcy1xdWVzdGlvbg', days: 365, ...changes }
  return {
    kind: 'consent',
    id: crypto.randomUUID(),
    ...matter,
    challenge: createChallenge(codeWord, matter),
  } as const
}
