/** Tokens as readers, and the cards that a library serves, as the administrator says it at each moment. */
import { Problem, type ProblemName } from '@cardwire/protocol/problem'
import { beforeEach, expect, test } from 'vitest'
import { proves } from '../../../../test/bed/proves.ts'
import type { TokenLibrary } from '../../system/ipc/token-messages.ts'
import type { CardAccess } from './card-access.ts'
import type { NamedLibrary } from './library-tokens.ts'
import type { OperationOptions } from './operation-queue.ts'
import type { Reader, Snapshot } from './readers.ts'
import { addTokens, type TokenReaders, useLibraries } from './token-readers.ts'

const atr = '3B8D800180FBA000000308000010000100CD'
const library: NamedLibrary = {
  ...{ os: 'UNIX', path: '/a.so', sha256: 'aa', atrs: [atr] },
  isNamedByRoot: false,
}
const own: NamedLibrary = { ...library, path: '/own.so', atrs: [], ownReaders: true }
const cardReader: Reader = { id: '1', name: 'A reader', pinpad: false, card: { atr, modules: [] } }

let libraries: readonly NamedLibrary[]
let present: readonly Reader[]
let tokens: readonly string[]
let failure: ProblemName | undefined
let ran: { readonly reader: string; readonly kind: string; readonly library?: TokenLibrary }[]
let ended: string[]
let notifyLibraries: () => void
let notifyReaders: () => void
let readers: TokenReaders
let cards: CardAccess

beforeEach(() => {
  libraries = []
  present = [cardReader]
  tokens = ['Ada']
  failure = undefined
  ran = []
  ended = []
  cards = {
    async run(reader: string, { kind }: { kind: string }, options: OperationOptions = {}) {
      ran.push({ reader, kind, ...(options.library && { library: options.library }) })
      if (kind === 'list-tokens' && failure) throw new Problem(failure, 'The library fails')
      return { kind, names: tokens } as never
    },
    openRaw: () => Promise.reject(new Error('not called')),
    forgetPin: () => undefined,
    endLibrary: (path) => void ended.push(path),
    stop: async () => undefined,
  }
  const snapshot = (): Snapshot => ({ sequence: 1, pcsc: { kind: 'up' }, readers: present })
  readers = addTokens({
    readers: {
      snapshot,
      ready: async () => undefined,
      probe: async () => undefined,
      subscribe(listener) {
        notifyReaders = () => listener(snapshot())
        return () => undefined
      },
      sandboxPid: () => 0,
      stop: async () => undefined,
    },
    cards,
    libraries: () => libraries,
    onLibraries(listener) {
      notifyLibraries = listener
    },
    module: 'pkcs11',
    log: { error: () => undefined },
  })
})

const setLibraries = (now: readonly NamedLibrary[]) => {
  libraries = now
  notifyLibraries()
}
const list = () => readers.snapshot().readers.map(({ name, card }) => [name, card?.modules])

test('a card has the module while a library is named for its ATR, at once', () => {
  proves('old-library-used')
  expect(list()).toEqual([['A reader', []]])
  setLibraries([library])
  expect(list()).toEqual([['A reader', ['pkcs11']]])
  expect(readers.findLibrary('A reader')).toEqual({
    path: '/a.so',
    sha256: 'aa',
    isNamedByRoot: false,
    isOwn: false,
  })
  setLibraries([])
  expect(list()).toEqual([['A reader', []]])
  expect(readers.findLibrary('A reader')).toBeUndefined()
  expect(ended).toEqual(['/a.so'])
})

test('tokens are readers from the first listing on, until their library is not named any more', async () => {
  setLibraries([own])
  expect(list()).toHaveLength(1)
  await readers.probe()
  expect(list()).toEqual([
    ['A reader', []],
    ['Ada', ['pkcs11']],
  ])
  expect(readers.findLibrary('Ada')).toEqual({
    path: '/own.so',
    sha256: 'aa',
    isNamedByRoot: false,
    isOwn: true,
  })
  setLibraries([])
  expect(list()).toHaveLength(1)
})

test('a library with another digest is another library: the process of before ends', async () => {
  proves('old-library-used')
  setLibraries([own])
  await readers.probe()
  setLibraries([{ ...own, sha256: 'bb' }])
  expect(ended).toEqual(['/own.so'])
})

test('a token with the name of a reader is not listed, and the reader keeps its name', async () => {
  tokens = ['A reader']
  setLibraries([own])
  await readers.probe()
  expect(list()).toEqual([['A reader', []]])
})

test.each(['card-mute', 'card-busy'] as const)(
  'tokens of a library that does not answer (%s) stay listed, and are no new ones',
  async (problem) => {
    proves('card-unreadable')
    failure = problem
    setLibraries([own])
    await readers.probe()
    expect(list()).toEqual([['A reader', []]])
    failure = undefined
    await readers.probe()
    failure = problem
    await readers.probe()
    expect(list()).toEqual([
      ['A reader', []],
      ['Ada', ['pkcs11']],
    ])
  },
)

test('tokens of a library that cannot be used are not listed, and readers are', async () => {
  setLibraries([own])
  await readers.probe()
  failure = 'card-unsupported'
  await readers.probe()
  expect(list()).toEqual([['A reader', []]])
})

test('a reader that comes is listed beside the tokens', async () => {
  setLibraries([own])
  await readers.probe()
  present = [cardReader, { id: '2', name: 'Another', pinpad: false }]
  notifyReaders()
  expect(list().map(([name]) => name)).toEqual(['A reader', 'Another', 'Ada'])
})

test('operations of the module go to the library, others to the card, and a card is reset after a PIN', async () => {
  proves('library-pin-reused')
  setLibraries([library])
  const access = useLibraries(cards, { findLibrary: readers.findLibrary, module: 'pkcs11' })
  await access.run('A reader', { kind: 'describe-token' })
  await access.run('A reader', { kind: 'certificates', module: 'piv' })
  await access.run('A reader', { kind: 'verify', module: 'pkcs11', key: '01' })
  const used = { path: '/a.so', sha256: 'aa', isNamedByRoot: false, isOwn: false }
  expect(ran).toEqual([
    { reader: 'A reader', kind: 'describe-token', library: used },
    { reader: 'A reader', kind: 'certificates' },
    { reader: 'A reader', kind: 'verify', library: used },
    { reader: 'A reader', kind: 'reset' },
  ])
  setLibraries([])
  const late = access.run('A reader', { kind: 'verify', module: 'pkcs11', key: '01' })
  await expect(late).rejects.toMatchObject({ name: 'card-unsupported' })
})
