/** The card of the virtual reader: made at the first start, kept, and used as one in a real reader is. */
import { execFileSync } from 'node:child_process'
import { createHash, verify, X509Certificate } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { verifyAuthentication } from '@cardwire/server'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { proves } from '../../../test/bed/proves.ts'
import { prepareVirtualCard } from '../../src/api/cards/prepare-virtual-card.ts'
import { CardError } from '../../src/sandbox/card-modules/card-error.ts'
import { createCardWorker } from '../../src/sandbox/card-transaction.ts'
import { virtualReaderName } from '../../src/sandbox/virtual-card/card-file.ts'
import {
  getCardPaths,
  loadCardKeys,
  virtualCardPin,
} from '../../src/sandbox/virtual-card/stored-card.ts'
import { openVirtualPcsc } from '../../src/sandbox/virtual-card/virtual-pcsc.ts'
import type { CardOperation } from '../../src/system/ipc/card-messages.ts'

const pivAtr = '3B8F80018073CC91CBF9A0000003080000100029'
const message = Buffer.from('a text')
const silent = { info: () => undefined, warn: () => undefined }

let folder: string
let file: string
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'cardwire-virtual-card-'))
  file = join(folder, 'atr')
  await prepareVirtualCard(file, silent)
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

let insertions = 0
function insert(atr = pivAtr): void {
  writeFileSync(file, atr)
  // Two writes can have one time: file systems count in milliseconds.
  insertions += 1
  utimesSync(file, insertions, insertions)
}

/** A card process, as far as the card sees it. */
function startProcess() {
  const work = createCardWorker(
    () => openVirtualPcsc(file),
    () => undefined,
  )
  return (operation: CardOperation, pin = '', reader = virtualReaderName) =>
    work({ reader, timeoutMs: 10_000, operation }, Buffer.from(pin))
}

/** The problem of an operation, with the tries that it says are left. */
function problemOf(act: () => unknown) {
  try {
    act()
    return undefined
  } catch (error) {
    if (!(error instanceof CardError)) throw error
    return [error.problem, error.triesLeft]
  }
}

const certificateOf = (slot: '9A' | '9C') =>
  loadCardKeys(file)?.[slot]?.certificate ?? new Uint8Array()

const signWith = (key: '9A' | '9C'): CardOperation => ({
  kind: 'sign',
  module: 'piv',
  key,
  certificate: Buffer.from(certificateOf(key)).toString('base64'),
  hash: 'sha256',
  digests: [createHash('sha256').update(message).digest('base64')],
  ...(key === '9A' && { mayAuthenticate: true as const }),
})

test('virtual card has two keys of its own, for this account alone, and the second start keeps them', async () => {
  proves('virtual-card-trusted')
  const { keys, authority, revocations } = getCardPaths(file)
  const modes = [keys, authority, revocations].map((path) => statSync(path).mode & 0o777)
  expect(modes).toEqual([0o600, 0o600, 0o600])
  const before = readFileSync(keys, 'utf8')
  await prepareVirtualCard(file, silent)
  expect(readFileSync(keys, 'utf8')).toBe(before)
  writeFileSync(keys, '{"9A":')
  await prepareVirtualCard(file, silent)
  expect(loadCardKeys(file)).toBeDefined()
  expect(readFileSync(keys, 'utf8')).not.toBe(before)
  // A card of an earlier version has no list.
  const earlier = readFileSync(keys, 'utf8')
  rmSync(revocations)
  await prepareVirtualCard(file, silent)
  expect(readFileSync(keys, 'utf8')).not.toBe(earlier)
  expect(readFileSync(revocations, 'utf8')).toMatch(/^-----BEGIN X509 CRL-----\n/)
})

test('virtual card has certificates that openssl accepts below the authority of this card, which has not revoked them', () => {
  const { authority, revocations } = getCardPaths(file)
  for (const [slot, purpose] of [
    ['9A', 'sslclient'],
    ['9C', 'any'],
  ] as const) {
    const path = join(folder, `${slot}.pem`)
    writeFileSync(path, new X509Certificate(certificateOf(slot)).toString())
    const args = ['verify', '-x509_strict', '-purpose', purpose, '-CAfile', authority]
    const unrevoked = ['-crl_check', '-CRLfile', revocations, path]
    expect(execFileSync('openssl', [...args, ...unrevoked]).toString()).toBe(`${path}: OK\n`)
  }
  const [login, signature] = (['9A', '9C'] as const).map(
    (slot) => new X509Certificate(certificateOf(slot)).subject,
  )
  expect(login).toContain('CN=Virtual Person')
  expect(login).toBe(signature)
})

test.each(['9A', '9C'] as const)(
  'virtual card signs with key %s and the PIN of every virtual card',
  (key) => {
    proves('virtual-card-piv')
    insert()
    const result = startProcess()(signWith(key), virtualCardPin)
    if (result.kind !== 'sign') throw new Error('Expected signatures')
    const { publicKey } = new X509Certificate(certificateOf(key))
    const signature = Buffer.from(result.signatures[0] ?? '', 'base64')
    const isValid = verify(
      'sha256',
      message,
      { key: publicKey, dsaEncoding: 'ieee-p1363' },
      signature,
    )
    expect(isValid).toBe(true)
  },
)

test('virtual card proves who somebody is to nobody who does not name the authority of this card', async () => {
  proves('virtual-card-trusted')
  insert()
  const [origin, nonce] = ['https://shop.example', 'A'.repeat(44)]
  const hash = (text: string) => createHash('sha256').update(text).digest()
  const digest = createHash('sha256').update(Buffer.concat([hash(origin), hash(nonce)]))
  const digests = [digest.digest('base64')]
  const result = startProcess()({ ...signWith('9A'), digests } as CardOperation, virtualCardPin)
  if (result.kind !== 'sign') throw new Error('Expected signatures')
  const token = {
    unverifiedCertificate: Buffer.from(certificateOf('9A')).toString('base64'),
    algorithm: 'ES256',
    signature: result.signatures[0],
    format: 'web-eid:1.0',
    appVersion: 'https://example.com/cardwire/4.0.0',
  }
  const check = (authority: string) =>
    verifyAuthentication(token, { origin, nonce, roots: [readFileSync(authority, 'utf8')] })
  const { subject } = await check(getCardPaths(file).authority)
  expect(subject['CN']).toEqual(['Virtual Person'])

  const other = join(folder, 'other')
  await prepareVirtualCard(other, silent)
  await expect(check(getCardPaths(other).authority)).rejects.toMatchObject({
    reason: 'certificate-untrusted',
  })
})

test('virtual card counts wrong PINs over processes, and has all tries when it was inserted anew', () => {
  proves('virtual-card-piv')
  insert()
  const tryWrong = () => problemOf(() => startProcess()(signWith('9C'), '654321'))
  expect([tryWrong(), tryWrong(), tryWrong()]).toEqual([
    ['pin-wrong', 2],
    ['pin-wrong', 1],
    ['pin-blocked', 0],
  ])
  expect(problemOf(() => startProcess()(signWith('9C'), virtualCardPin))?.[0]).toBe('pin-blocked')
  insert()
  expect(startProcess()({ kind: 'prepare', module: 'piv', key: '9C' })).toMatchObject({
    triesLeft: 3,
  })
})

test('virtual card that is taken out or was never there is absent, also for the process that has used it', () => {
  proves('virtual-card-piv')
  const run = startProcess()
  const probe: CardOperation = { kind: 'probe' }
  expect(problemOf(() => run(probe))).toEqual(['card-absent', undefined])
  insert()
  expect(run(probe)).toEqual({ kind: 'probe', modules: ['piv'] })
  expect(problemOf(() => run(probe, '', 'another reader'))).toEqual(['card-absent', undefined])
  rmSync(file)
  expect(problemOf(() => run(probe))).toEqual(['card-absent', undefined])
})

test('virtual card with another ATR, or without keys, knows no command', () => {
  proves('virtual-card-piv')
  insert('3B981340 0AA50301 0101AD13 11')
  expect(startProcess()({ kind: 'probe' })).toEqual({ kind: 'probe', modules: [] })
  rmSync(getCardPaths(file).keys)
  insert()
  expect(startProcess()({ kind: 'probe' })).toEqual({ kind: 'probe', modules: [] })
})

test('virtual card whose folder is not there has no keys, and the start goes on', async () => {
  const warnings: unknown[] = []
  const log = { info: () => undefined, warn: (...entry: unknown[]) => void warnings.push(entry) }
  await prepareVirtualCard(join(folder, 'nowhere', 'atr'), log)
  expect(warnings).toEqual([
    ['virtual card without keys', { reason: expect.stringContaining('ENOENT') }],
  ])
})
