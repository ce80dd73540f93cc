import type { GroupRule } from '@cardwire/protocol'
import { expect, test } from 'vitest'
import {
  chooseConfigurations,
  type GroupFacts,
  isTrusted,
  leaveOutUntrusted,
  prepareRules,
  sortGroups,
} from './group.ts'

const facts: GroupFacts = {
  tags: ['berlin', 'front-desk'],
  reportedTags: ['kiosk'],
  hostname: 'pc-0042.branch.example',
  platform: 'WIN64',
  version: '4.0.0',
}

test.each<[fits: boolean, rule: GroupRule]>([
  [true, { tags: ['berlin'] }],
  [true, { tags: ['paris', 'berlin'] }],
  [false, { tags: ['paris'] }],
  [false, { tags: ['kiosk'] }],
  [true, { reportedTags: ['kiosk'] }],
  [false, { reportedTags: ['berlin'] }],
  [true, { hostnames: ['pc-0042.branch.example'] }],
  [true, { hostnames: ['pc-*'] }],
  [true, { hostnames: ['*.BRANCH.example'] }],
  [true, { hostnames: ['*0042*'] }],
  [true, { hostnames: ['pc-*.example'] }],
  [true, { hostnames: ['other', 'PC-*'] }],
  [false, { hostnames: ['pc'] }],
  [false, { hostnames: ['c-*'] }],
  [false, { hostnames: ['*branch'] }],
  [false, { hostnames: ['pc-0042.branch.example*branch.example'] }],
  [true, { platforms: ['UNIX', 'WIN64'] }],
  [false, { platforms: ['UNIX'] }],
  [true, { versions: ['4.0.0'] }],
  [false, { versions: ['4.0.1'] }],
  [true, { tags: ['berlin'], hostnames: ['pc-*'], platforms: ['WIN64'] }],
  [false, { tags: ['berlin'], hostnames: ['pc-*'], platforms: ['UNIX'] }],
])('%s: a device fits %j', (fits, rule) => {
  expect(prepareRules([rule])(facts)).toBe(fits ? rule : undefined)
})

test('a device without a host name fits no pattern, and the first rule that fits is found', () => {
  const [first, second] = [{ hostnames: ['*a*'] }, { platforms: ['WIN64'] }] as const
  const rules = [{ hostnames: [...first.hostnames] }, { platforms: [...second.platforms] }]
  expect(prepareRules(rules)({ ...facts, hostname: undefined })).toBe(rules[1])
})

test('the group with the largest priority comes first; of equals the older one', () => {
  const groups = [
    { id: 'c', priority: 0, createdAt: 1 },
    { id: 'b', priority: 5, createdAt: 3 },
    { id: 'a', priority: 5, createdAt: 2 },
    { id: 'd', priority: 5, createdAt: 3 },
  ]
  expect(sortGroups(groups).map(({ id }) => id)).toEqual(['a', 'b', 'd', 'c'])
})

test('a device gets one configuration of each type: that of its first group with one', () => {
  const rows = [
    { type: 'CONTEXT_CONFIG', groupId: '', id: 1 },
    { type: 'CONTEXT_CONFIG', groupId: 'low', id: 2 },
    { type: 'CONTEXT_CONFIG', groupId: 'high', id: 3 },
    { type: 'FILE_DIGESTS', groupId: '', id: 4 },
    { type: 'SSL_KEYSTORE', groupId: 'other', id: 5 },
  ]
  const choose = (groups: readonly string[]) =>
    chooseConfigurations(rows, groups)
      .map(({ id }) => id)
      .toSorted((one, other) => one - other)
  expect(choose([])).toEqual([1, 4])
  expect(choose(['low'])).toEqual([2, 4])
  expect(choose(['high', 'low'])).toEqual([3, 4])
  expect(choose(['none', 'low'])).toEqual([2, 4])
  expect(choose(['other'])).toEqual([1, 4, 5])
})

test('a keystore of a group that devices can get into, or that is gone, is for no device', () => {
  const groups = [
    { id: 'given', rules: [{ tags: ['a'] }] },
    { id: 'claimed', rules: [{ tags: ['a'] }, { hostnames: ['x'] }] },
  ]
  const rows = ['', 'given', 'claimed', 'gone'].flatMap((groupId) =>
    ['SSL_KEYSTORE', 'CONTEXT_CONFIG'].map((type) => ({ type, groupId })),
  )
  expect(leaveOutUntrusted(rows, groups).map((row) => `${row.type} ${row.groupId}`)).toEqual([
    'SSL_KEYSTORE ',
    'CONTEXT_CONFIG ',
    'SSL_KEYSTORE given',
    'CONTEXT_CONFIG given',
    'CONTEXT_CONFIG claimed',
    'CONTEXT_CONFIG gone',
  ])
})

test.each<[trusted: boolean, rules: readonly GroupRule[]]>([
  [true, [{ tags: ['a'] }]],
  [true, [{ tags: ['a'], hostnames: ['x'] }, { tags: ['b'] }]],
  [false, [{ reportedTags: ['a'] }]],
  [false, [{ tags: ['a'] }, { hostnames: ['x'] }]],
])('%s: only administrators decide who is in a group with the rules %j', (trusted, rules) => {
  expect(isTrusted(rules)).toBe(trusted)
})
