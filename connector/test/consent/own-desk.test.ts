/** The desk of an API: what the clipboard earns, what a consent is worth, and what a registry learns. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Question } from '../../src/agent/protocol.ts'
import type { Granted } from '../../src/consent/desk.ts'
import { readConsent } from '../../src/consent/form.ts'
import { askFor, proofFor, sameProof } from '../../src/consent/proof.ts'
import { dayMs, newPerson, origin, type Person } from './person.ts'

const word = '::t1c::miksa::Ab3dEf6hIj9kLm2nOp5qRs8tUv1wXy4z'
const other = '::t1c::miksa::Zz9yXw8vUt7sRq6pOn5mLk4jIh3gFe2d'

let person: Person
beforeEach(() => {
  person = newPerson()
})
afterEach(() => person.close())

const ask = (codeWord: string, changes: { origin?: string; days?: number } = {}) =>
  person.desk.request({ codeWord, origin, days: 365, ...changes })

async function granted(codeWord = word, changes: { origin?: string; days?: number } = {}) {
  person.copy(codeWord)
  const answer = await ask(codeWord, changes)
  if (!answer) throw new Error('It was refused')
  return answer
}

/** The consent with parts of it changed. */
function altered(
  { consent }: Granted,
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
  ])('on the clipboard %s is a consent', async (_, text) => {
    person.copy(text)
    expect((await ask(word))?.agent).toMatchObject({ apiPort: '25100', username: 'ada' })
    expect(person.lasting.holds(origin)).toBe(true)
  })

  test.each([
    ['another text', async () => ({ kind: 'text', text: other }) as const],
    ['two line ends', async () => ({ kind: 'text', text: `${word}\n\n` }) as const],
    ['a part of it', async () => ({ kind: 'text', text: word.slice(0, -1) }) as const],
    ['nothing', async () => ({ kind: 'empty' }) as const],
    ['no clipboard', async () => ({ kind: 'unavailable', reason: 'no display' }) as const],
  ])('with %s on the clipboard is none', async (_, clipboard) => {
    person.clipboardIs(clipboard)
    expect(await ask(word)).toBeUndefined()
    expect(person.lasting.holds(origin)).toBe(false)
    expect(person.told).toEqual([])
  })

  test.each([
    ['short', 'x'.repeat(15)],
    ['long', 'x'.repeat(4097)],
  ])('that is too %s is none, also when a registry asks', async (_, text) => {
    person.copy(text)
    expect(await ask(text)).toBeUndefined()
    expect(await person.desk.answerQuestion(questionOf(text))).toMatchObject({ kind: 'no' })
  })

  test('works once: afterwards for nobody, whatever the clipboard holds', async () => {
    await granted()
    person.setClock(person.clock() + 10_001)
    expect(await ask(word)).toBeUndefined()
    expect(await ask(word, { origin: 'https://a.shops.example' })).toBeUndefined()
    person.setClock(person.clock() + 6 * dayMs)
    expect(await ask(word)).toBeUndefined()
    expect(person.store.all()).toHaveLength(1)
  })

  test('asked again at once is the same consent, and one only', async () => {
    const first = await granted()
    expect(await ask(word)).toEqual(first)
    expect(person.store.all()).toHaveLength(1)
    expect(person.told).toHaveLength(1)
  })

  test('asked again at once for other days, or by another origin, is none', async () => {
    await granted()
    expect(await ask(word, { days: 1 })).toBeUndefined()
    expect(await ask(word, { origin: 'https://a.shops.example' })).toBeUndefined()
  })

  test('asked again at once after its consent was revoked is none', async () => {
    await granted()
    person.store.revoke(person.clock(), origin)
    expect(await ask(word)).toBeUndefined()
  })

  test('is used before a page hears of it, and stays used after a restart', async () => {
    await granted()
    const again = newPerson({ runtime: person.runtime, at: person.clock() + 60_000 })
    again.copy(word)
    expect(await again.desk.request({ codeWord: word, origin, days: 365 })).toBeUndefined()
    expect(again.lasting.holds(origin)).toBe(true)
    again.close()
  })

  test('is in no line of the log and in no byte of the database', async () => {
    await granted()
    await ask(other)
    person.database.run('PRAGMA wal_checkpoint(TRUNCATE)')
    const bytes = await Bun.file(`${person.runtime}/state.db`).text()
    const secret = word.slice(-32)
    expect(person.logged.join('\n')).toContain('consent given')
    expect(person.logged.join('\n')).not.toContain(secret)
    expect(bytes).not.toContain(secret)
  })

  test('that was taken makes the desktop name the origin', async () => {
    await granted()
    expect(person.told).toEqual([expect.stringContaining(origin)])
  })
})

describe('clipboard', () => {
  test('is not read for an origin that is not on the allowlist', async () => {
    person.copy(word)
    const answer = await person.desk.answerQuestion(
      questionOf(word, { origin: 'https://evil.example' }),
    )
    expect(answer.kind).toBe('no')
    expect(person.reads()).toBe(0)
  })

  test.each([0, 366, 1.5, Number.NaN])('is not read for %s days', async (days) => {
    person.copy(word)
    expect((await person.desk.answerQuestion(questionOf(word, { days }))).kind).toBe('no')
    expect(person.reads()).toBe(0)
  })

  test('is read five times a minute for an origin, by whichever way it asks', async () => {
    person.copy(other)
    for (let n = 0; n < 3; n += 1) await ask(word)
    for (let n = 0; n < 3; n += 1) await person.desk.answerQuestion(questionOf(word))
    expect(person.reads()).toBe(5)
    person.copy(word)
    expect(await ask(word)).toBeUndefined()
    expect(await ask(word, { origin: 'https://a.shops.example' })).toBeDefined()
    person.setClock(person.clock() + 60_000)
    expect(await ask(other)).toBeUndefined()
    expect(person.reads()).toBe(7)
  })

  test('is read 300 times a minute at most, however many origins ask', async () => {
    person.copy(other)
    for (let n = 0; n < 310; n += 1) {
      await person.desk.answerQuestion(questionOf(word, { origin: `https://p${n}.shops.example` }))
    }
    expect(person.reads()).toBe(300)
  })

  test('is read once for all who ask meanwhile, and again for them, not for each', async () => {
    const reading = Promise.withResolvers<void>()
    const gate = Promise.withResolvers<void>()
    person.clipboardIs(async () => {
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
    expect(person.reads()).toBe(2)
  })
})

describe('consent', () => {
  test('holds, and comes back fresh: the same id at the port of now', async () => {
    const first = await granted()
    const moved = newPerson({ runtime: person.runtime, at: person.clock() + dayMs, port: 25_200 })
    const [fresh] = await moved.desk.validate({ origin }, [first.consent])
    expect(fresh?.agent).toEqual({
      ...first.agent,
      apiPort: '25200',
      apiLastUsed: '2026-11-22 09:30:00.000000 UTC',
      clientLastUsed: '2026-11-22 09:30:00.000000 UTC',
    })
    expect(readConsent(fresh?.consent ?? '')?.agent).toEqual(fresh?.agent)
    moved.close()
  })

  test('is standard base64 of JSON with texts alone, as deployed clients read it', async () => {
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

  test.each<readonly [string, (one: Granted) => string]>([
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
  ])('%s does not hold', async (_, change) => {
    const one = await granted()
    expect(await person.desk.validate({ origin }, [change(one)])).toEqual([])
    expect(await person.desk.validate({ origin }, [one.consent])).toHaveLength(1)
  })

  test('with the signature of another one does not hold', async () => {
    const one = await granted()
    const two = await granted(other, { origin: 'https://a.shops.example' })
    const mixed = altered(one, { signedHash: readConsent(two.consent)?.signedHash ?? '' })
    expect(await person.desk.validate({ origin }, [mixed])).toEqual([])
  })

  test('of another origin does not hold', async () => {
    const { consent } = await granted()
    expect(await person.desk.validate({ origin: 'https://a.shops.example' }, [consent])).toEqual([])
  })

  test('of another user, whose key is another, does not hold', async () => {
    const stranger = newPerson()
    stranger.copy(word)
    const theirs = await stranger.desk.request({ codeWord: word, origin, days: 365 })
    if (!theirs) throw new Error('It was refused')
    const { consentId } = (await granted()).agent
    const disguised = altered(theirs, { agent: { agentId: person.desk.agentId, consentId } })
    expect(await person.desk.validate({ origin }, [theirs.consent, disguised])).toEqual([])
    stranger.close()
  })

  test('does not hold when its row was taken from the database', async () => {
    const { consent } = await granted()
    person.database.run('DELETE FROM consents')
    expect(await person.desk.validate({ origin }, [consent])).toEqual([])
  })

  test('does not hold for longer because its row says so', async () => {
    const { consent } = await granted(word, { days: 1 })
    person.database.run('UPDATE consents SET expires_at = expires_at + 1')
    expect(await person.desk.validate({ origin }, [consent])).toEqual([])
  })

  test('that was revoked does not hold, also after a restart', async () => {
    const { consent } = await granted()
    expect(person.store.revoke(person.clock(), origin)).toBe(1)
    expect(await person.desk.validate({ origin }, [consent])).toEqual([])
    expect(await person.desk.holders({ origin })).toEqual([])
    const again = newPerson({ runtime: person.runtime })
    expect(await again.desk.validate({ origin }, [consent])).toEqual([])
    again.close()
  })

  test('holds to the millisecond of its end', async () => {
    const { consent } = await granted(word, { days: 1 })
    person.setClock(person.clock() + dayMs - 1)
    expect(await person.desk.validate({ origin }, [consent])).toHaveLength(1)
    person.setClock(person.clock() + 1)
    expect(await person.desk.validate({ origin }, [consent])).toEqual([])
    expect(person.lasting.holds(origin)).toBe(false)
  })

  test('that has expired stays so when the clock is set back', async () => {
    const { consent } = await granted(word, { days: 1 })
    const then = person.clock()
    person.setClock(then + dayMs)
    expect(person.lasting.holds(origin)).toBe(false)
    person.setClock(then)
    expect(person.lasting.holds(origin)).toBe(false)
    expect(await person.desk.validate({ origin }, [consent])).toEqual([])
  })

  test('behind 32 others is not looked at, and one that comes twice is told once', async () => {
    const one = await granted()
    const forged = altered(one, { signedHash: 'A'.repeat(43) })
    const many = Array.from({ length: 32 }, () => forged)
    expect(await person.desk.validate({ origin }, [...many, one.consent])).toEqual([])
    expect(await person.desk.validate({ origin }, [...many.slice(1), one.consent])).toHaveLength(1)
    expect(await person.desk.validate({ origin }, [one.consent, one.consent])).toHaveLength(1)
  })
})

describe('on a disk that is full', () => {
  test('what was given holds and ends as it should, and nothing new is given', async () => {
    const { consent } = await granted(word, { days: 2 })
    person.database.run('PRAGMA query_only = ON')
    person.setClock(person.clock() + dayMs)
    expect(await person.desk.validate({ origin }, [consent])).toHaveLength(1)
    person.copy(other)
    await expect(ask(other)).rejects.toThrow()
    person.setClock(person.clock() + dayMs)
    expect(person.lasting.holds(origin)).toBe(false)
    expect(person.logged.join('\n')).toContain('not noted')
    person.database.run('PRAGMA query_only = OFF')
  })
})

describe('registry', () => {
  test('that asks with the word on the clipboard gets a consent and the proof', async () => {
    person.copy(word)
    const question = questionOf(word)
    const answer = await person.desk.answerQuestion(question)
    if (answer.kind !== 'granted') throw new Error(`It says ${answer.kind}`)
    expect(answer.id).toBe(question.id)
    expect(sameProof(answer.proof, proofFor(word, question, person.desk.agentId))).toBe(true)
    expect(await person.desk.validate({ origin }, [answer.granted.consent])).toHaveLength(1)
  })

  test('that has stopped waiting when the clipboard is read gets no consent, and the word stays good', async () => {
    const leftMs = 2500
    person.clipboardIs(async () => {
      person.setClock(person.clock() + leftMs)
      return { kind: 'text', text: word }
    })
    const late = questionOf(word, { leftMs })
    expect(await person.desk.answerQuestion(late)).toEqual({ kind: 'no', id: late.id })
    expect([person.store.all(), person.told]).toEqual([[], []])
    const inTime = questionOf(word, { leftMs: leftMs + 1 })
    expect((await person.desk.answerQuestion(inTime)).kind).toBe('granted')
  })

  test.each<readonly [string, Partial<Question & { ask: string; nonce: string }>]>([
    ['another origin', { origin: 'https://a.shops.example' }],
    ['another nonce', { nonce: 'bm9uY2Ugb2YgYW5vdGhlcg' }],
    ['no ask', { ask: '' }],
    ['an ask that is no hash', { ask: 'x'.repeat(10_000) }],
  ])('that asks with %s learns nothing', async (_, changes) => {
    person.copy(word)
    const question = { ...questionOf(word), ...changes } as Question
    expect(await person.desk.answerQuestion(question)).toEqual({ kind: 'no', id: question.id })
    expect(person.store.all()).toEqual([])
  })

  test('is answered alike whether the clipboard holds another word, nothing, or cannot be read', async () => {
    const question = questionOf(word)
    const answers = []
    for (const clipboard of [
      async () => ({ kind: 'text', text: other }) as const,
      async () => ({ kind: 'empty' }) as const,
      async () => ({ kind: 'unavailable', reason: 'no display' }) as const,
    ]) {
      person.clipboardIs(clipboard)
      answers.push(JSON.stringify(await person.desk.answerQuestion(question)))
    }
    expect(new Set(answers)).toEqual(new Set([JSON.stringify({ kind: 'no', id: question.id })]))
  })

  test('hears of no consent of an origin that was taken off the allowlist', async () => {
    const { consent } = await granted()
    const later = newPerson({ runtime: person.runtime, allowlist: [] })
    const id = crypto.randomUUID()
    const no = { kind: 'no', id }
    const validate: Question = { kind: 'validate', id, origin, consents: [consent] }
    expect(await later.desk.answerQuestion(validate)).toEqual(no)
    expect(await later.desk.answerQuestion({ kind: 'holder', id, origin })).toEqual(no)
    later.close()
  })

  test('validates, and asks who holds a consent', async () => {
    const { consent, agent } = await granted()
    const id = crypto.randomUUID()
    const { desk } = person
    const validate: Question = { kind: 'validate', id, origin, consents: ['forged', consent] }
    expect(await desk.answerQuestion(validate)).toMatchObject({
      kind: 'valid',
      granted: [{ agent }],
    })
    expect(await desk.answerQuestion({ kind: 'holder', id, origin })).toEqual({
      kind: 'holds',
      id,
      agent,
    })
    const elsewhere = { id, origin: 'https://a.shops.example' }
    expect(await desk.answerQuestion({ ...validate, ...elsewhere })).toEqual({ kind: 'no', id })
    expect(await desk.answerQuestion({ kind: 'holder', ...elsewhere })).toEqual({ kind: 'no', id })
  })
})

/** What a registry asks for a page that says this word. */
function questionOf(
  codeWord: string,
  changes: { origin?: string; days?: number; leftMs?: number } = {},
) {
  const matter = { origin, nonce: 'bm9uY2Utb2YtdGhpcy1xdWVzdGlvbg', days: 365, ...changes }
  return {
    kind: 'request',
    id: crypto.randomUUID(),
    ...matter,
    ask: askFor(codeWord, matter),
  } as const
}
