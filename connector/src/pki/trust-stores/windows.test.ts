/** What the answers of crypt32.dll mean; `connector/test/wine/trust-store.test.ts` has a real one. */
import { expect, test } from 'vitest'
import { proves } from '../../../../test/bed/proves.ts'
import { readCertificate } from '../certificate.ts'
import { makeRoot } from '../x509.ts'
import type { Crypt32 } from './native.ts'
import { createWindowsStore } from './windows.ts'

const order = { now: Date.now(), owner: 'tests', constraints: 'full', hosts: [] } as const
const root = readCertificate((await makeRoot(order)).cert)

/** A library that opens no store. */
const createLibrary = (status: number): Crypt32 => ({
  CertOpenStore: () => 0n,
  CertCloseStore: () => true,
  CertAddEncodedCertificateToStore: () => false,
  CertCreateCertificateContext: () => 0n,
  CertFindCertificateInStore: () => 0n,
  CertDeleteCertificateFromStore: () => false,
  CertControlStore: () => false,
  CertFreeCertificateContext: () => true,
  GetLastError: () => status,
})

test.each([
  ['is not there', 2],
  ['is not there, as an HRESULT', 0x8007_0002],
])('a store that %s does not trust', async (_, status) => {
  expect(await createWindowsStore('user', () => createLibrary(status)).trusts(root)).toBe(false)
})

test.each([
  ['the user may not read', 5, 'only an administrator may do this'],
  ['another program has', 32, 'Windows returned 0x20'],
  ['is damaged', 0x8009_2003, 'Windows returned 0x80092003'],
])('nothing is known about a store that %s', async (_, status, reason) => {
  proves('trust-unread')
  const store = createWindowsStore('machine', () => createLibrary(status))
  await expect(store.trusts(root)).rejects.toThrow(
    `Cannot read the root store of the machine: ${reason}`,
  )
})
