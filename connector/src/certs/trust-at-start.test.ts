/** What the log says when a root goes into the stores at start, and when it may not; the real store is tested under Wine. */
import { expect, test } from 'vitest'
import type { StoreResult } from '../trust/apply.ts'
import { trustAtStart } from './trust-at-start.ts'

const store = 'windows:machine'
const todo = 'run as administrator: cardwire certs install'

async function said(install: () => Promise<readonly StoreResult[]>) {
  const lines: unknown[][] = []
  await trustAtStart(
    { install },
    {
      info: (...line) => lines.push(['info', ...line]),
      warn: (...line) => lines.push(['warn', ...line]),
    },
  )
  return lines
}

test('a store that believes the root is named', async () => {
  expect(await said(async () => [{ store, scope: 'machine', trusted: true }])).toEqual([
    ['info', 'a store believes the root', { store }],
  ])
})

test('a store that only an administrator may change comes with the command for it', async () => {
  const reason = 'only an administrator may change it'
  expect(await said(async () => [{ store, scope: 'machine', trusted: false, reason }])).toEqual([
    ['warn', 'a store does not believe the root', { store, reason, todo }],
  ])
})

test('a root that an administrator has put there before is enough', async () => {
  const reason = 'only an administrator may change it'
  expect(await said(async () => [{ store, scope: 'machine', trusted: true, reason }])).toEqual([
    ['info', 'a store believes the root', { store }],
  ])
})

test('a failure is logged, and the connector goes on', async () => {
  const failing = () => Promise.reject(new Error('no crypt32'))
  expect(await said(failing)).toEqual([
    ['warn', 'no store was asked to believe the root', { reason: 'Error: no crypt32', todo }],
  ])
})
