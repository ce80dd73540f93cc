/** What the log says when a root goes into the stores at start, and when it may not; the real store is tested under Wine. */
import { expect, test } from 'vitest'
import { proves } from '../../../test/bed/proves.ts'
import type { StoreResult } from '../pki/trust-stores/install-root.ts'
import { installTrustAtStart } from './trust-at-start.ts'

const store = 'windows:machine'
const todo = 'run as administrator: cardwire certs install'

async function collectLog(install: () => Promise<readonly StoreResult[]>) {
  const lines: unknown[][] = []
  await installTrustAtStart(
    { install },
    {
      info: (...line) => lines.push(['info', ...line]),
      warn: (...line) => lines.push(['warn', ...line]),
    },
  )
  return lines
}

test('a store that trusts the root is named', async () => {
  expect(await collectLog(async () => [{ store, scope: 'machine', trusted: true }])).toEqual([
    ['info', 'a store trusts the root certificate', { store }],
  ])
})

test('a store that only an administrator may change comes with the command for it', async () => {
  proves('windows-machine-store')
  const reason = 'only an administrator may change it'
  expect(
    await collectLog(async () => [{ store, scope: 'machine', trusted: false, reason }]),
  ).toEqual([['warn', 'a store does not trust the root certificate', { store, reason, todo }]])
})

test('a root that an administrator has put there before is enough', async () => {
  const reason = 'only an administrator may change it'
  expect(
    await collectLog(async () => [{ store, scope: 'machine', trusted: true, reason }]),
  ).toEqual([['info', 'a store trusts the root certificate', { store }]])
})

test('a failure is logged, and the connector goes on', async () => {
  const failing = () => Promise.reject(new Error('no crypt32'))
  expect(await collectLog(failing)).toEqual([
    [
      'warn',
      'the root certificate was not installed in any store',
      { reason: 'Error: no crypt32', todo },
    ],
  ])
})
