/** Reads of cards whose page goes, or loses its access, before the card has answered. */
import { Problem } from '@cardwire/protocol/problem'
import type { Context } from 'hono'
import { expect, test } from 'vitest'
import { proves } from '../../../test/bed/proves.ts'
import type { ApiEnv, Caller } from '../http/route-types.ts'
import type { OperationOptions } from '../sandbox/readers/operation-queue.ts'
import { createReadCard } from './read-card.ts'

const origin = 'https://shop.example'
const caller: Caller = {
  ...{ kind: 'page', origin, consentId: 'a consent' },
  ...{ label: undefined, expiresAt: Number.POSITIVE_INFINITY },
}

/** A card that is busy with another operation, and takes a while for its own. */
function openCard() {
  let consent = 'a consent'
  const page = new AbortController()
  const turn = Promise.withResolvers<void>()
  const answer = Promise.withResolvers<void>()
  const kinds: string[] = []
  const origins: unknown[] = []
  const run = async (_reader: string, { kind }: { kind: string }, given: OperationOptions) => {
    origins.push(given.origin)
    await turn.promise
    given.requireWanted?.()
    kinds.push(kind)
    await answer.promise
    return { kind, certificates: [] }
  }
  const readCard = createReadCard({
    cardAccess: { run, openRaw: run, forgetPin: () => undefined },
    consents: { isActive: (id: string) => id === consent, onEnd: () => () => undefined },
    allowlist: () => [origin],
    onAllowlist: () => () => undefined,
    findPolicyEnd: () => undefined,
    clock: Date.now,
  } as unknown as Parameters<typeof createReadCard>[0])
  const context = {
    get: () => caller,
    req: { raw: new Request(origin, { signal: page.signal }) },
  } as unknown as Context<ApiEnv>
  const name = readCard(context, 'a reader', { kind: 'certificates', module: 'piv' }).then(
    ({ kind }) => kind,
    (error) => (error instanceof Problem ? error.name : String(error)),
  )
  const end = {
    consent: () => {
      consent = 'another consent'
    },
    page: () => page.abort(),
  }
  return { ...{ turn, answer, kinds, origins, name }, end }
}

test.each([
  ['consent', 'consent-required'],
  ['page', 'pin-cancelled'],
] as const)(
  'a card is not asked for a page whose %s has gone when its turn comes',
  async (what, problem) => {
    proves('consent-given-again', 'work-abandoned')
    const { turn, answer, kinds, name, end } = openCard()
    end[what]()
    turn.resolve()
    answer.resolve()
    expect([await name, kinds]).toEqual([problem, []])
  },
)

test('what was read for a page whose consent ended meanwhile is not answered, also if the user gives another', async () => {
  proves('consent-given-again')
  const { turn, answer, kinds, name, end } = openCard()
  turn.resolve()
  await expect.poll(() => kinds).toEqual(['certificates'])
  end.consent()
  answer.resolve()
  expect(await name).toBe('consent-required')
})

test('a page that stays gets what was read', async () => {
  const { turn, answer, name } = openCard()
  turn.resolve()
  answer.resolve()
  expect(await name).toBe('certificates')
})

test('a card is read in the name of the page, which starts few transactions of a payment card', async () => {
  proves('payment-card-worn')
  const { turn, answer, origins, name } = openCard()
  turn.resolve()
  answer.resolve()
  expect(await name).toBe('certificates')
  expect(origins).toEqual(['https://shop.example'])
})
