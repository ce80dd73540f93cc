/** Origins that a registry answers: what it is told, what it keeps, and that it keeps no more. */
import { expect, test } from 'vitest'
import { createAllowlist } from './allowlist.ts'

const of = (agentId: string, ...allowlist: string[]) => ({ agentId, allowlist })

test('holds the origins of the settings and of every connector, each once', () => {
  const list = createAllowlist(['https://own.example'])
  list.learn(of('ada', 'https://a.example', 'https://both.example'))
  list.learn(of('bob', 'https://both.example'))
  expect(list.origins().toSorted()).toEqual([
    'https://a.example',
    'https://both.example',
    'https://own.example',
  ])
})

test('the latest list of a connector takes the place of the one before', () => {
  const list = createAllowlist([])
  list.learn(of('ada', 'https://old.example'))
  list.learn(of('ada', 'https://new.example'))
  expect(list.origins()).toEqual(['https://new.example'])
})

test('what was not heard of longest is forgotten, the settings never', () => {
  const list = createAllowlist(['https://own.example'])
  for (let index = 0; index <= 200; index += 1) {
    list.learn(of(`agent ${index}`, `https://${index}.example`))
  }
  expect(list.origins()).toHaveLength(201)
  expect(list.origins()).toContain('https://own.example')
  expect(list.origins()).not.toContain('https://0.example')
})

test('many long lists stay within bounds', () => {
  const list = createAllowlist(['https://own.example'])
  for (let agent = 0; agent < 10; agent += 1) {
    const origins = Array.from(
      { length: 10_000 },
      (_, index) => `https://${agent}-${index}.example`,
    )
    list.learn(of(`agent ${agent}`, ...origins))
  }
  expect(list.origins()).toHaveLength(50_000)
  expect(list.origins()).toContain('https://own.example')
  expect(list.origins()).toContain('https://9-0.example')
})
