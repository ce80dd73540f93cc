/** What a service says about cards: which entries of a policy count, and when a change is reported. */
import { expect, test } from 'vitest'
import { proves } from '../../../../test/bed/proves.ts'
import { createCardPolicy } from './card-policy.ts'

const shop = 'https://shop.example'
const none = { grants: [], libraries: [], folders: [] }

test('entries that are not valid allow nothing, and cost the others nothing', () => {
  proves('grants-take-effect')
  const grants = [
    { origin: shop, allow: ['bulk', 'a-grant-of-tomorrow'], note: 'of a newer service' },
    { origin: 'https://*.shop.example', allow: ['raw'] },
    'nonsense',
    { origin: 'HTTPS://Bank.example:443', allow: ['page-pin'] },
  ]
  const cards = { ...none, grants, folders: [{ path: '/' }], libraries: [7] }
  expect(createCardPolicy(() => ({ cards })).current()).toEqual({
    ...none,
    grants: [
      { origin: shop, allow: ['bulk'] },
      { origin: 'https://bank.example', allow: ['page-pin'] },
    ],
  })
})

test('nothing is granted before there is a policy, and by one that does not speak of cards', () => {
  expect(createCardPolicy(() => undefined).current()).toEqual(none)
  expect(createCardPolicy(() => ({})).current()).toEqual(none)
})

test('a change is reported once, and what did not change is not', () => {
  proves('grants-take-effect')
  let cards = { ...none, grants: [{ origin: shop, allow: ['bulk'] }] }
  const policy = createCardPolicy(() => ({ cards }))
  let reports = 0
  const stop = policy.onChange(() => {
    reports += 1
  })
  policy.refresh()
  expect(reports).toBe(0)
  cards = { ...none, grants: [] }
  policy.refresh()
  policy.refresh()
  expect([reports, policy.current()]).toEqual([1, none])
  stop()
  cards = { ...none, grants: [{ origin: shop, allow: [] }] }
  policy.refresh()
  expect(reports).toBe(1)
})
