/** Answers that openssl does not make: PKI.js changes one of openssl's, and signs it again with the key of the CA. */
import { createPrivateKey } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { Null, OctetString } from 'asn1js'
import {
  BasicOCSPResponse,
  CertificateRevocationList,
  Extension,
  Extensions,
  OCSPResponse,
} from 'pkijs'
import { beforeAll, expect, test } from 'vitest'
import { proves } from '../../../../test/bed/proves.ts'
import { type Holder, makeHolder, userExtensions } from '../../../test/harness/authority.ts'
import { makeList, makeRequest, respond } from '../../../test/harness/revocation-authority.ts'
import { createRevocationChecker } from './checker.ts'

let root: Holder
let user: Holder
let neighbour: Holder
let key: CryptoKey

beforeAll(async () => {
  const extensions = ['basicConstraints=critical,CA:TRUE', 'keyUsage=critical,keyCertSign,cRLSign']
  root = await makeHolder({ subject: '/CN=Root', extensions })
  const options = { issuer: root, extensions: userExtensions }
  ;[user, neighbour] = await Promise.all([makeHolder(options), makeHolder(options)])
  const pkcs8 = createPrivateKey(await readFile(root.keyFile, 'utf8')).export({
    type: 'pkcs8',
    format: 'der',
  })
  const algorithm = { name: 'ECDSA', namedCurve: 'P-256' }
  key = await crypto.subtle.importKey('pkcs8', new Uint8Array(pkcs8), algorithm, false, ['sign'])
})

const makeExtension = (critical: boolean) =>
  new Extension({ extnID: '1.2.3.4', critical, extnValue: new Null().toBER() })

async function checkStapled(der: ArrayBuffer): Promise<string> {
  const checker = createRevocationChecker({ onUnknown: 'refuse' })
  const path = [user.der, root.der]
  const { status, source, cause } = await checker.check(path, new Date(), [new Uint8Array(der)])
  return [status, source ?? cause].join(' ')
}

test.each<[string, string, (response: BasicOCSPResponse) => void]>([
  ['is signed again', 'good ocsp', () => undefined],
  [
    'has an unknown extension',
    'good ocsp',
    ({ tbsResponseData }) => {
      tbsResponseData.responseExtensions = [makeExtension(false)]
    },
  ],
  [
    'has an unknown critical extension',
    'unknown certificate: enclosed: it has an unknown critical extension',
    ({ tbsResponseData }) => {
      tbsResponseData.responseExtensions = [makeExtension(true)]
    },
  ],
  [
    'has an unknown critical extension of the certificate',
    'unknown certificate: enclosed: it has an unknown critical extension',
    ({ tbsResponseData: { responses } }) => {
      if (responses[0]) responses[0].singleExtensions = [makeExtension(true)]
    },
  ],
  [
    'has two statuses of the certificate',
    'unknown certificate: enclosed: it has two statuses of the certificate',
    ({ tbsResponseData }) => {
      tbsResponseData.responses.push(...tbsResponseData.responses)
    },
  ],
  [
    'has the hash of another name of the issuer',
    'unknown certificate: enclosed: it is about another certificate',
    ({ tbsResponseData: { responses } }) => {
      const id = responses[0]?.certID
      if (id) id.issuerNameHash = new OctetString({ valueHex: new Uint8Array(20) })
    },
  ],
  [
    'names an unknown hash',
    'unknown certificate: enclosed: it is about another certificate',
    ({ tbsResponseData: { responses } }) => {
      const id = responses[0]?.certID
      if (id) id.hashAlgorithm.algorithmId = '1.2.840.113549.2.5'
    },
  ],
])('an OCSP response that %s: %s', async (_, expected, change) => {
  proves('revocation-forged')
  const request = await makeRequest(root, user)
  const der = await respond(request, { issuer: root, entries: [{ holder: user }] })
  const { responseBytes } = OCSPResponse.fromBER(new Uint8Array(der))
  const response = BasicOCSPResponse.fromBER(
    responseBytes?.response.valueBlock.valueHexView.slice() ?? new Uint8Array(),
  )
  change(response)
  await response.sign(key, 'SHA-256')
  expect(await checkStapled(response.toSchema().toBER())).toBe(expected)
})

test.each<[string, string, (list: CertificateRevocationList) => void]>([
  ['is signed again', 'good crl', () => undefined],
  [
    'has an entry with an unknown extension',
    'good crl',
    ({ revokedCertificates: [entry] = [] }) => {
      if (entry) entry.crlEntryExtensions = new Extensions({ extensions: [makeExtension(false)] })
    },
  ],
  [
    'has an entry with an unknown critical extension',
    'unknown certificate: enclosed: an entry has an unknown critical extension',
    ({ revokedCertificates: [entry] = [] }) => {
      if (entry) entry.crlEntryExtensions = new Extensions({ extensions: [makeExtension(true)] })
    },
  ],
  [
    'has no next update',
    'unknown certificate: enclosed: it cannot be read',
    (list) => {
      delete list.nextUpdate
    },
  ],
])('a list that %s: %s', async (_, expected, change) => {
  proves('revocation-forged')
  const entries = [{ holder: neighbour, revoked: '260102030405Z,keyCompromise' }]
  const der = await makeList({ issuer: root, entries })
  const list = CertificateRevocationList.fromBER(new Uint8Array(der))
  change(list)
  await list.sign(key, 'SHA-256')
  expect(await checkStapled(list.toSchema(true).toBER())).toBe(expected)
})
