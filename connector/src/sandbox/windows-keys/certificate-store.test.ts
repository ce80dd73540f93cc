/** What counts as a certificate store without certificates, and what as one that cannot be read. */
import { expect, test } from 'vitest'
import { proves } from '../../../../test/bed/proves.ts'
import { readStore } from './certificate-store.ts'
import type { WindowsKeys } from './native.ts'

const absent = 0n

/** Windows with a store that cannot be opened, or that has no certificate, and the status of the last function. */
const createWindows = (store: bigint, status: number) => {
  return {
    CertOpenStore: () => store,
    CertEnumCertificatesInStore: () => absent,
    CertCloseStore: () => true,
    GetLastError: () => status,
  } as unknown as WindowsKeys
}

test.each([
  ['does not exist', absent, 2],
  ['does not exist, as an HRESULT', absent, 0x8007_0002],
  ['has no certificate', 1n, 0],
])('a store that %s has no certificates', (_, store, status) => {
  expect(readStore(createWindows(store, status), 'MY')).toEqual([])
})

test.each([
  ['may not be opened', 5],
  ['is damaged', 0x8009_2003],
  ['has no working provider', 0x8007_007e],
  ['fails without a reason', 0],
])('a store that %s is not one without certificates', (_, status) => {
  proves('card-unreadable')
  expect(() => readStore(createWindows(absent, status), 'MY')).toThrow(
    `Cannot read the certificate store "MY": Windows status ${status}`,
  )
})
