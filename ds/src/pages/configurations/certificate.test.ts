import { expect, test } from 'vitest'
import { toCertificateParts } from './certificate.tsx'

const certificate = {
  subject: 'CN=localhost',
  names: ['localhost'],
  keyAlgorithm: 'EC' as const,
  keyBits: 256,
  notBefore: '2026-01-01T00:00:00.000Z',
  notAfter: '2027-01-01T00:00:00.000Z',
}

test.each([
  ['CN=Shop CA', 'CN=Shop CA'],
  ['CN=localhost', 'None: self-signed. Browsers reject it unless the computer trusts it.'],
])('a certificate with the issuer %s says "%s"', (issuer, text) => {
  const parts = toCertificateParts({
    certificate: { ...certificate, issuer },
  })
  expect(parts).toContainEqual({ label: 'Issuer', text })
})
