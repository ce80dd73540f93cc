/** Tables of what is good, stale, broken or somebody else's, over real certificates. */
import { beforeAll, describe, expect, test } from 'vitest'
import { makeTestRoot } from '../../test/certs/test-root.ts'
import { type Certificate, type CertificateKeyPair, readCertificate } from './certificate.ts'
import { readName } from './names.ts'
import { checkRoot, findRenewalReason } from './validate.ts'
import { makeLeaf } from './x509.ts'

const day = 86_400_000
const now = Date.UTC(2026, 11, 1)
const names = (...texts: string[]) => texts.flatMap((text) => readName(text) ?? [])

let root: CertificateKeyPair
let other: CertificateKeyPair
let leaf: CertificateKeyPair
let facts: Certificate

beforeAll(async () => {
  const order = { now, owner: 'tests@here', constraints: 'full', hosts: [] } as const
  ;[root, other] = await Promise.all([makeTestRoot(order), makeTestRoot(order)])
  leaf = await makeLeaf(root, { now, hosts: [] })
  facts = readCertificate(root.cert)
})

describe('judgeRoot', () => {
  test.each([
    ['both files as they were made', () => root, 0, 'good'],
    ['no files', () => ({ cert: undefined, key: undefined }), 0, 'absent'],
    ['a key alone', () => ({ cert: undefined, key: root.key }), 0, 'broken'],
    ['half a certificate', () => ({ ...root, cert: root.cert.slice(0, 700) }), 0, 'broken'],
    ['an empty certificate', () => ({ ...root, cert: '' }), 0, 'broken'],
    ['no key', () => ({ ...root, key: undefined }), 0, 'keyless'],
    ['half a key', () => ({ ...root, key: root.key.slice(0, 700) }), 0, 'keyless'],
    ['the key of another', () => ({ ...root, key: other.key }), 0, 'keyless'],
    ['a leaf in place of the root', () => leaf, 0, 'foreign'],
    ['a root after ten years', () => root, 3660 * day, 'expired'],
    ['a root before it was made', () => root, -day, 'early'],
  ] as const)('%s: %s', (_, held, offset, kind) => {
    expect(checkRoot(held(), now + offset).kind).toBe(kind)
  })
})

describe('judgeLeaf', () => {
  const local = names('localhost', '127.0.0.1', '::1')
  test.each([
    ['as it was made', () => leaf, local, 0, undefined],
    ['with 31 days left', () => leaf, local, 365 * day, undefined],
    [
      'with 29 days left',
      () => leaf,
      local,
      368 * day,
      'the localhost certificate expires within 30 days',
    ],
    ['after its end', () => leaf, local, 398 * day, 'the localhost certificate has expired'],
    ['before its start', () => leaf, local, -day, 'the localhost certificate is not valid yet'],
    ['without a name', () => leaf, names('a.org'), 0, 'the localhost certificate lacks a.org'],
    [
      'without files',
      () => ({ cert: undefined, key: undefined }),
      local,
      0,
      'there is no localhost certificate',
    ],
    [
      'half written',
      () => ({ ...leaf, cert: 'half' }),
      local,
      0,
      'the localhost certificate cannot be read',
    ],
    [
      'signed by itself',
      () => other,
      local,
      0,
      'the localhost certificate was not signed with the root certificate',
    ],
  ] as const)('%s', (_, held, required, offset, reason) => {
    expect(findRenewalReason(held(), facts, required, now + offset)).toBe(reason)
  })

  test('with the key of another', () => {
    expect(findRenewalReason({ ...leaf, key: other.key }, facts, local, now)).toBe(
      'the key of the localhost certificate does not match it',
    )
  })

  test('that ends with its root is not renewed for that', async () => {
    const late = facts.notAfter - 10 * day
    const last = await makeLeaf(root, { now: late, hosts: [] })
    expect(findRenewalReason(last, facts, local, late)).toBeUndefined()
  })
})
