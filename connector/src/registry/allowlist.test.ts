/** Origins that a registry answers: what it is told, what it keeps, and that it keeps no more. */
import { expect, test } from 'vitest'
import { createAllowlist } from './allowlist.ts'

const of = (agentId: string, ...allowlist: string[]) => ({ agentId, allowlist })
const many = (name: string, count: number) =>
  Array.from({ length: count }, (_, index) => `https://${name}-${index}.example`)
const ada = '1000'
const mallory = '1002'

test('holds the origins of the settings and of every connector, each once', () => {
  const list = createAllowlist(['https://own.example'])
  list.learn(of('ada', 'https://a.example', 'https://both.example'), ada)
  list.learn(of('bob', 'https://both.example'), '1001')
  expect(list.origins().toSorted()).toEqual([
    'https://a.example',
    'https://both.example',
    'https://own.example',
  ])
})

test('the latest list of a connector takes the place of the one before', () => {
  const list = createAllowlist([])
  list.learn(of('ada', 'https://old.example'), ada)
  list.learn(of('ada', 'https://new.example'), ada)
  expect(list.origins()).toEqual(['https://new.example'])
})

test('of a user, what was not heard of longest is forgotten, the settings never', () => {
  const list = createAllowlist(['https://own.example'])
  for (let index = 0; index <= 100; index += 1) {
    list.learn(of(`agent ${index}`, `https://${index}.example`), ada)
  }
  expect(list.origins()).toHaveLength(101)
  expect(list.origins()).toContain('https://own.example')
  expect(list.origins()).not.toContain('https://0.example')
})

test('many long lists of a user stay within bounds, the latest first', () => {
  const list = createAllowlist(['https://own.example'])
  for (let agent = 0; agent < 10; agent += 1) {
    list.learn(of(`agent ${agent}`, ...many(String(agent), 10_000)), ada)
  }
  expect(list.origins()).toHaveLength(20_001)
  expect(list.origins()).toContain('https://own.example')
  expect(list.origins()).toContain('https://9-0.example')
})

test('no user’s lists take the place of another’s, however many, long, or alike in name', () => {
  const list = createAllowlist([])
  const bank = many('bank', 1000)
  list.learn(of('ada', ...bank), ada)
  for (let agent = 0; agent < 110; agent += 1) {
    list.learn(of(`agent ${agent}`, ...many(String(agent), 10_000)), mallory)
  }
  list.learn(of('ada'), mallory)
  expect(list.origins()).toEqual(expect.arrayContaining(bank))
})

test('what there is room for is shared: users who want little have it, the others as much as each other', () => {
  const list = createAllowlist(['https://own.example'])
  list.learn(of('ada', ...many('bank', 1000)), ada)
  for (let user = 0; user < 3; user += 1) {
    for (const part of ['a', 'b']) {
      list.learn(of(part, ...many(`${part}-${user}`, 10_000)), String(user))
    }
  }
  const countOf = (text: string) =>
    list.origins().filter((origin) => origin.startsWith(`https://${text}`)).length
  expect(list.origins()).toHaveLength(50_000)
  expect(countOf('bank-')).toBe(1000)
  expect([0, 1, 2].map((user) => countOf(`a-${user}-`) + countOf(`b-${user}-`))).toEqual([
    16_333, 16_333, 16_333,
  ])
})

test('of more users than a machine has, those who were heard of longest ago are forgotten', () => {
  const list = createAllowlist([])
  for (let user = 0; user <= 200; user += 1) {
    list.learn(of('agent', `https://${user}.example`), String(user))
  }
  expect(list.origins()).toHaveLength(200)
  expect(list.origins()).not.toContain('https://0.example')
})
