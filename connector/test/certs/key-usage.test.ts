/** What the key of a certificate may be used for, of certificates that openssl makes. */
import { X509Certificate } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { proves } from '../../../test/bed/proves.ts'
import { readKeyUsage } from '../../src/pki/key-usage.ts'
import { type OpenSsl, openSsl } from '../keystore/openssl.ts'

let openssl: OpenSsl
beforeAll(() => {
  openssl = openSsl()
})
afterAll(() => openssl.close())

test.each<[string, readonly string[], { a?: boolean; s?: boolean; e?: boolean }]>([
  ['says nothing', [], { a: true, s: true, e: true }],
  ['logs in by TLS', ['keyUsage=digitalSignature', 'extendedKeyUsage=clientAuth'], { a: true }],
  ['is for digital signatures of every kind', ['keyUsage=digitalSignature'], { a: true }],
  ['binds the signer', ['keyUsage=critical,nonRepudiation'], { s: true }],
  [
    'logs in and binds the signer',
    ['keyUsage=digitalSignature,nonRepudiation', 'extendedKeyUsage=clientAuth'],
    { a: true, s: true },
  ],
  [
    'signs mails and nothing else',
    ['keyUsage=digitalSignature', 'extendedKeyUsage=emailProtection'],
    { s: true },
  ],
  [
    'logs in at Windows',
    ['keyUsage=digitalSignature', 'extendedKeyUsage=1.3.6.1.4.1.311.20.2.2'],
    { a: true },
  ],
  ...[
    ['Kerberos', '1.3.6.1.5.2.3.4'],
    ['SSH', '1.3.6.1.5.5.7.3.21'],
    ['IPsec', '1.3.6.1.5.5.7.3.17'],
    ['a wireless network', '1.3.6.1.5.5.7.3.14'],
  ].map(
    ([where, purpose]) =>
      [
        `logs in at ${where} and signs mails`,
        ['keyUsage=digitalSignature', `extendedKeyUsage=emailProtection,${purpose}`],
        { a: true },
      ] as [string, readonly string[], { a?: boolean }],
  ),
  [
    'is for anything',
    ['keyUsage=digitalSignature', 'extendedKeyUsage=anyExtendedKeyUsage'],
    { a: true },
  ],
  ['encrypts', ['keyUsage=keyEncipherment,dataEncipherment'], { e: true }],
  ['agrees on keys', ['keyUsage=keyAgreement'], { e: true }],
  ['signs certificates', ['keyUsage=keyCertSign,cRLSign'], {}],
])('a certificate that %s', (_, extensions, { a = false, s = false, e = false }) => {
  proves('windows-key-authentication')
  const { raw } = new X509Certificate(openssl.certificate({ extensions }).cert)
  expect(readKeyUsage(raw)).toEqual({ authenticates: a, signs: s, encrypts: e })
})
