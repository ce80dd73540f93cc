/** The origins that a registry answers: which it keeps, and how many at most. */
import { expect, test } from 'vitest'
import { proves } from '../../../test/bed/proves.ts'
import { createRegistryAllowlist, type SettingsOrigins } from './allowlist.ts'

const of = (agentId: string, ...allowlist: string[]) => ({ agentId, allowlist })
const many = (name: string, count: number) =>
  Array.from({ length: count }, (_, index) => `https://${name}-${index}.example`)
const ada = '1000'
const mallory = '1002'
const ownSettings: SettingsOrigins = { origins: ['https://own.example'], forEveryone: false }
const all = { kind: 'unknown' } as const
const open = (settings: SettingsOrigins) => createRegistryAllowlist(settings, 200)
const accountOf = (user: string) => ({ kind: 'other', user }) as const

test('holds the origins of the settings and of every connector, each once', () => {
  const list = open(ownSettings)
  list.add(of('ada', 'https://a.example', 'https://both.example'), ada)
  list.add(of('bob', 'https://both.example'), '1001')
  expect(list.originsFor(all).toSorted()).toEqual([
    'https://a.example',
    'https://both.example',
    'https://own.example',
  ])
})

test('the origins of a service take the place of those of the settings, beside those of connectors', () => {
  const list = open(ownSettings)
  list.add(of('ada', 'https://a.example'), ada)
  expect(list.originsFor(all)).toContain('https://own.example')
  list.replaceSettings(['https://service.example'])
  expect(list.originsFor(all).toSorted()).toEqual(['https://a.example', 'https://service.example'])
})

test('the latest list of a connector replaces the one before', () => {
  const list = open({ origins: [], forEveryone: false })
  list.add(of('ada', 'https://old.example'), ada)
  list.add(of('ada', 'https://new.example'), ada)
  expect(list.originsFor(all)).toEqual(['https://new.example'])
})

test('the oldest lists of a user are evicted, those of the settings never', () => {
  const list = open(ownSettings)
  for (let index = 0; index <= 100; index += 1) {
    list.add(of(`agent ${index}`, `https://${index}.example`), ada)
  }
  expect(list.originsFor(all)).toHaveLength(101)
  expect(list.originsFor(all)).toContain('https://own.example')
  expect(list.originsFor(all)).not.toContain('https://0.example')
})

test('many long lists of a user are bounded, and the latest are kept', () => {
  proves('bodies-flood')
  const list = open(ownSettings)
  for (let agent = 0; agent < 10; agent += 1) {
    list.add(of(`agent ${agent}`, ...many(String(agent), 10_000)), ada)
  }
  expect(list.originsFor(all)).toHaveLength(20_001)
  expect(list.originsFor(all)).toContain('https://own.example')
  expect(list.originsFor(all)).toContain('https://9-0.example')
})

test('a list that is registered again costs nothing, nor does one of another user change what is known of a user', () => {
  proves('processor-kept-busy')
  const list = open({ origins: [], forEveryone: false })
  const bank = many('bank', 1000)
  list.add(of('ada', ...bank), ada)
  list.add(of('eve', 'https://*.com', ...many('eve', 30)), mallory)
  const [ofAda, ofEve] = [list.originsFor(accountOf(ada)), list.originsFor(accountOf(mallory))]
  expect(list.add(of('eve', 'https://*.com', ...many('eve', 30)), mallory)).toBe(1)
  // The same list, not an equal one.
  expect(list.originsFor(accountOf(mallory))).toBe(ofEve)
  list.add(of('eve', 'https://new.example'), mallory)
  expect(list.originsFor(accountOf(mallory))).toEqual(['https://new.example'])
  expect(list.originsFor(accountOf(ada))).toBe(ofAda)
})

test('lists of one user never replace those of another, however many, long, or with the same agent id', () => {
  proves('origins-per-user', 'other-account-evicts')
  const list = open({ origins: [], forEveryone: false })
  const bank = many('bank', 1000)
  list.add(of('ada', ...bank), ada)
  for (let agent = 0; agent < 110; agent += 1) {
    list.add(of(`agent ${agent}`, ...many(String(agent), 300)), mallory)
  }
  list.add(of('ada'), mallory)
  expect(list.originsFor(accountOf(ada))).toEqual(bank)
})

test('lists of a user count for that user alone', () => {
  proves('other-account-origins')
  const list = open(ownSettings)
  list.add(of('ada', 'https://bank.example'), ada)
  list.add(of('mallory', 'https://evil.example'), mallory)
  expect(list.originsFor(accountOf(ada))).toEqual(['https://bank.example'])
  expect(list.originsFor(accountOf(mallory))).toEqual(['https://evil.example'])
  expect(list.originsFor(accountOf('1003'))).toEqual([])
})

test('origins of the settings count for the account that runs the registry, those of the service for everyone', () => {
  const ofUser = open(ownSettings)
  expect(ofUser.originsFor({ kind: 'ours', user: ada })).toEqual(ownSettings.origins)
  expect(ofUser.originsFor(accountOf(mallory))).toEqual([])
  const ofMachine = open({ ...ownSettings, forEveryone: true })
  expect(ofMachine.originsFor(accountOf(mallory))).toEqual(ownSettings.origins)
})

test('lists of agents whose owner the system does not say count for everyone', () => {
  const list = open({ origins: [], forEveryone: false })
  list.add(of('ada', 'https://bank.example'), undefined)
  expect(list.originsFor(accountOf(ada))).toEqual(['https://bank.example'])
})

test('entries that are not origins are left out and counted, the others are made canonical', () => {
  proves('other-account-origins')
  const list = open({ origins: [], forEveryone: false })
  const entries = ['https://*.com', '*', 'null', 'http://shop.example', 'HTTPS://Shop.example:443/']
  expect(list.add(of('ada', ...entries), ada)).toBe(4)
  expect(list.originsFor(accountOf(ada))).toEqual(['https://shop.example'])
})

test('origins are shared fairly: users with few keep all, the others get equal shares', () => {
  const list = open(ownSettings)
  list.add(of('ada', ...many('bank', 1000)), ada)
  for (let user = 0; user < 3; user += 1) {
    for (const part of ['a', 'b']) {
      list.add(of(part, ...many(`${part}-${user}`, 10_000)), String(user))
    }
  }
  const countOf = (text: string) =>
    list.originsFor(all).filter((origin) => origin.startsWith(`https://${text}`)).length
  expect(list.originsFor(all)).toHaveLength(50_000)
  expect(countOf('bank-')).toBe(1000)
  expect([0, 1, 2].map((user) => countOf(`a-${user}-`) + countOf(`b-${user}-`))).toEqual([
    16_333, 16_333, 16_333,
  ])
})

test('beyond 200 users those with the oldest registrations are evicted', () => {
  const list = open({ origins: [], forEveryone: false })
  for (let user = 0; user <= 200; user += 1) {
    list.add(of('agent', `https://${user}.example`), String(user))
  }
  expect(list.originsFor(all)).toHaveLength(200)
  expect(list.originsFor(all)).not.toContain('https://0.example')
})

test('lists of very many accounts are bounded, and the latest are kept', () => {
  proves('bodies-flood')
  const list = open(ownSettings)
  for (let account = 0; account < 22; account += 1) {
    list.add(of('agent', ...many(String(account), 10_000)), String(2000 + account))
  }
  const kept = Array.from(
    { length: 22 },
    (_, account) => list.originsFor(accountOf(String(2000 + account))).length > 0,
  )
  expect(kept.filter(Boolean)).toHaveLength(20)
  expect(kept.at(-1)).toBe(true)
})

test('lists of 200 users whom the system does not name are kept, each with 400 origins', () => {
  proves('users-unnamed')
  const list = open(ownSettings)
  for (let agent = 0; agent < 200; agent += 1) {
    list.add(of(`agent ${agent}`, ...many('shared', 399), `https://${agent}.example`), undefined)
  }
  expect(list.originsFor(all)).toHaveLength(600)
})
