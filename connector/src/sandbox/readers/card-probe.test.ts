/** Which kind of card is in a reader: asked once for each insertion, and again while another program has kept the card from us. */
import { Problem, type ProblemName } from '@cardwire/protocol/problem'
import { beforeEach, expect, test } from 'vitest'
import { proves } from '../../../../test/bed/proves.ts'
import type { CardAccess } from './card-access.ts'
import { type ProbedReaders, probeCards } from './card-probe.ts'
import type { Reader, Snapshot } from './readers.ts'

const atr = '3B8D800180FBA000000308000010000100CD'
const withCard: Reader = { id: '1', name: 'A reader', pinpad: false, card: { atr } }

let answer: readonly string[] | ProblemName
let calls: number
let present: readonly Reader[]
let report: () => void
let readers: ProbedReaders
let changes: (readonly string[] | undefined)[]

beforeEach(() => {
  answer = ['piv']
  calls = 0
  present = [withCard]
  changes = []
  const snapshot = (): Snapshot => ({ sequence: 1, pcsc: { kind: 'up' }, readers: present })
  readers = probeCards({
    readers: {
      snapshot,
      ready: async () => undefined,
      subscribe(listener) {
        report = () => listener(snapshot())
        return () => undefined
      },
      sandboxPid: () => 0,
      stop: async () => undefined,
    },
    cards: {
      run: (async () => {
        calls += 1
        if (typeof answer === 'string') throw new Problem(answer, 'The card is not asked')
        return { kind: 'probe', modules: answer }
      }) as unknown as CardAccess['run'],
    },
    findByAtr: () => [],
    log: { error: () => undefined },
  })
  readers.subscribe((found) => changes.push(found.readers[0]?.card?.modules))
})

const list = async () => {
  await readers.probe()
  return readers.snapshot().readers[0]?.card?.modules
}

test('a card is asked once for each insertion', async () => {
  expect([await list(), await list(), calls]).toEqual([['piv'], ['piv'], 1])
  present = [{ id: '1', name: 'A reader', pinpad: false }]
  report()
  present = [withCard]
  report()
  expect([await list(), calls]).toEqual([['piv'], 2])
})

test.each(['card-busy', 'card-changed', 'card-absent', 'pcsc-unavailable'] as const)(
  'a card that was kept from us (%s) is asked again when readers are next listed, and pages that watch hear of it',
  async (problem) => {
    proves('card-unreadable')
    answer = problem
    expect([await list(), await list(), calls]).toEqual([[], [], 2])
    answer = ['piv']
    expect([await list(), await list(), calls]).toEqual([['piv'], ['piv'], 3])
    expect(changes).toEqual([['piv']])
  },
)

test('a card that does not answer is not asked again before it is taken out', async () => {
  answer = 'card-mute'
  expect([await list(), await list(), calls]).toEqual([[], [], 1])
})

test('a card is asked by one listing at a time', async () => {
  answer = 'card-busy'
  await Promise.all([list(), list(), list()])
  expect(calls).toBe(1)
})
