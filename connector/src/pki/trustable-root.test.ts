/** Hostile certificates, one a row: each is refused for the reason that the row says, and what the connector makes is not. */
import { generateKeyPairSync } from 'node:crypto'
import { expect, test } from 'vitest'
import { proves } from '../../../test/bed/proves.ts'
import {
  ascii,
  type Bytes,
  constraintsOf,
  der,
  dns,
  extension,
  type Forgery,
  forgeRoot,
  getForgerKeys,
  hex,
  ip,
  localBases,
  nameOf,
  oids,
  properExtensions,
  purposes,
  purposesOf,
  subtrees,
} from '../../test/certs/forge-root.ts'
import { makeTestRoot } from '../../test/certs/test-root.ts'
import { readCertificate } from './certificate.ts'
import { TrustableRoot } from './trustable-root.ts'

const hosts = ['reader.example.org', '192.0.2.7', 'intranet']
const judge = (text: string) => TrustableRoot.judge(text, hosts)

const encoding = 'it is not a certificate in DER'
const fields = 'it has other fields than the root certificate of a connector'
const name = 'its name is not that of a connector’s root certificate'
const unknown = 'it has an extension that the root certificate of a connector does not have'
const missing = 'it lacks an extension that the root certificate of a connector has'
const critical = 'it marks the wrong extensions as critical'
const basic = 'it is not an authority that signs only leaves'
const usage = 'its key is for more than signing certificates'
const forServers = 'it is not for TLS servers only'
const names = 'it can sign for names other than those of this computer'
const algorithm = 'its signature is not RSA with SHA-256'
const validity = 'it is valid for longer than ten years'
const key = 'its key is not RSA of 2,048 bits or more with the exponent 65,537'
const signature = 'its signature was not made with its key'

const permitting = (...bases: readonly Bytes[]): Forgery => ({
  extensions: { constraints: constraintsOf(subtrees.permitted(...bases)) },
})
const [localhost] = localBases
const every = subtrees.permitted(...localBases)
const trueFlag = hex('0101ff')
const years = (from: string, to: string) => der('30', der('17', ascii(from)), der('17', ascii(to)))
const rsa = (modulusLength: number, publicExponent = 65_537) =>
  generateKeyPairSync('rsa', { modulusLength, publicExponent })

test.each<[string, Forgery]>([
  ['as the connector makes it', {}],
  ['with a host of the settings', permitting(...localBases, dns('reader.example.org'))],
  ['with an address of the settings', permitting(...localBases, ip('c0000207 ffffffff'))],
  [
    'with purposes that are critical',
    {
      extensions: {
        purposes: extension(oids.purposes, true, der('30', der('06', hex(purposes.serverAuth)))),
      },
    },
  ],
  [
    'without the right to sign lists of revoked ones',
    {
      extensions: { usage: extension(oids.usage, true, hex('03020204')) },
    },
  ],
])('a root %s may be trusted', (_, forgery) => {
  expect(judge(forgeRoot(forgery))).toBeInstanceOf(TrustableRoot)
})

test('a root that makeRoot makes may be trusted, also for a host of the settings', async () => {
  const { cert } = await makeTestRoot({
    now: Date.now(),
    owner: 'Zoë@büro',
    constraints: 'full',
    hosts: [{ kind: 'dns', value: 'reader.example.org' }],
  })
  const root = judge(cert)
  expect(root).toBeInstanceOf(TrustableRoot)
  expect(root).toMatchObject({ fingerprint: readCertificate(cert).fingerprint })
  expect(TrustableRoot.judge(cert, [])).toBe(names)
})

const hostile: readonly (readonly [string, Forgery, string])[] = [
  // What it is an authority for.
  ['no basic constraints', { extensions: { basic: undefined } }, missing],
  ['no authority', { extensions: { basic: extension(oids.basic, true, hex('3000')) } }, basic],
  [
    'no authority, in so many words',
    { extensions: { basic: extension(oids.basic, true, hex('3003010100')) } },
    basic,
  ],
  [
    'no path length',
    { extensions: { basic: extension(oids.basic, true, hex('30030101ff')) } },
    basic,
  ],
  [
    'a path length of 1',
    { extensions: { basic: extension(oids.basic, true, hex('30060101ff020101')) } },
    basic,
  ],
  [
    'a path length below 0',
    { extensions: { basic: extension(oids.basic, true, hex('30060101ff0201ff')) } },
    basic,
  ],
  [
    'basic constraints that are not critical',
    {
      extensions: { basic: extension(oids.basic, false, hex('30060101ff020100')) },
    },
    critical,
  ],
  ['no key usage', { extensions: { usage: undefined } }, missing],
  [
    'a key that may not sign certificates',
    { extensions: { usage: extension(oids.usage, true, hex('03020780')) } },
    usage,
  ],
  [
    'a key that also signs other things',
    { extensions: { usage: extension(oids.usage, true, hex('03020186')) } },
    usage,
  ],
  [
    'a key usage that is not critical',
    { extensions: { usage: extension(oids.usage, false, hex('03020106')) } },
    critical,
  ],
  ['no purposes', { extensions: { purposes: undefined } }, missing],
  ['every purpose', { extensions: { purposes: purposesOf(purposes.any) } }, forServers],
  [
    'servers and every purpose',
    { extensions: { purposes: purposesOf(purposes.serverAuth, purposes.any) } },
    forServers,
  ],
  [
    'servers and code',
    { extensions: { purposes: purposesOf(purposes.serverAuth, purposes.codeSigning) } },
    forServers,
  ],
  [
    'servers and mail',
    { extensions: { purposes: purposesOf(purposes.serverAuth, purposes.emailProtection) } },
    forServers,
  ],
  [
    'servers and clients',
    { extensions: { purposes: purposesOf(purposes.serverAuth, purposes.clientAuth) } },
    forServers,
  ],
  ['clients only', { extensions: { purposes: purposesOf(purposes.clientAuth) } }, forServers],
  ['an empty list of purposes', { extensions: { purposes: purposesOf() } }, forServers],
  [
    'servers twice',
    { extensions: { purposes: purposesOf(purposes.serverAuth, purposes.serverAuth) } },
    forServers,
  ],
  // Other extensions.
  ['no key identifier', { extensions: { keyId: undefined } }, missing],
  [
    'an empty key identifier',
    { extensions: { keyId: extension(oids.keyId, false, hex('0400')) } },
    'its key identifier cannot be read',
  ],
  [
    'a key identifier that is critical',
    { extensions: { keyId: extension(oids.keyId, true, hex('0401aa')) } },
    critical,
  ],
  [
    'an unknown extension that is critical',
    { added: [extension('2a0304', true, hex('0500'))] },
    unknown,
  ],
  ['an unknown extension', { added: [extension('2a0304', false, hex('0500'))] }, unknown],
  ['an extension without an identifier', { added: [extension('', false, hex('0500'))] }, unknown],
  ['policy mappings', { added: [extension('551d21', false, hex('3000'))] }, unknown],
  [
    'policies of Windows',
    { added: [extension('2b060104018237150a', false, hex('3000'))] },
    unknown,
  ],
  [
    'alternative names',
    { added: [extension('551d11', false, der('30', dns('localhost')))] },
    unknown,
  ],
  ['purposes twice', { added: [purposesOf(purposes.any)] }, 'it has an extension twice'],
  [
    'wider constraints behind the others',
    { added: [constraintsOf(subtrees.permitted(dns('')))] },
    'it has an extension twice',
  ],
  [
    'wider constraints before the others',
    {
      list: der(
        '30',
        constraintsOf(subtrees.permitted(dns(''))),
        ...Object.values(properExtensions),
      ),
    },
    names,
  ],
  ['no extensions', { list: hex('3000') }, missing],
  ...(
    [
      ['an extension that is a set', '31', '06', '04'],
      ['an extension whose identifier has another type', '30', '0d', '04'],
      ['an extension whose value is a text', '30', '06', '0c'],
    ] as const
  ).map(([title, tag, idTag, valueTag]): [string, Forgery, string] => [
    title,
    {
      extensions: {
        usage: der(tag, der(idTag, hex(oids.usage)), trueFlag, der(valueTag, hex('03020106'))),
      },
    },
    encoding,
  ]),
  ['two lists of extensions', { list: Buffer.concat([hex('3000'), hex('3000')]) }, encoding],
  [
    'a critical flag of 01',
    {
      extensions: {
        constraints: der(
          '30',
          der('06', hex(oids.constraints)),
          hex('010101'),
          der('04', der('30', every)),
        ),
      },
    },
    encoding,
  ],
  [
    'a critical flag that says no',
    {
      extensions: {
        purposes: der('30', der('06', hex(oids.purposes)), hex('010100'), der('04', hex('3000'))),
      },
    },
    encoding,
  ],
  [
    'two critical flags',
    {
      extensions: {
        constraints: der(
          '30',
          der('06', hex(oids.constraints)),
          trueFlag,
          trueFlag,
          der('04', der('30', every)),
        ),
      },
    },
    encoding,
  ],
  // The rest of the certificate.
  ['version 1', { version: hex('a003020100') }, 'its version is not 3'],
  ['version 4', { version: hex('a003020103') }, 'its version is not 3'],
  ['no version', { version: hex('') }, fields],
  ['unique identifiers', { beforeExtensions: hex('810100') }, fields],
  ['a field behind the extensions', { afterExtensions: hex('0500') }, fields],
  [
    'another issuer',
    { issuer: nameOf('Cardwire', 'Cardwire local root 00000000') },
    'its issuer is not itself',
  ],
  [
    'the name of a public root',
    { subject: nameOf('Internet Security Research Group', 'ISRG Root X1') },
    name,
  ],
  ['the organization alone', { subject: nameOf('Cardwire', 'ISRG Root X1') }, name],
  ['an empty name', { subject: hex('3000') }, name],
  ['two algorithms', { outerAlgorithm: hex('300d06092a864886f70d01010c0500') }, algorithm],
  ['an algorithm that is broken', { algorithm: hex('300d06092a864886f70d0101040500') }, algorithm],
  ['a life of eleven years', { validity: years('261101000000Z', '371101000000Z') }, validity],
  ['an end before its start', { validity: years('361101000000Z', '261101000000Z') }, validity],
  [
    'no end',
    { validity: der('30', der('17', ascii('261101000000Z')), der('18', ascii('99991231235959Z'))) },
    validity,
  ],
  ['a signature of another key', { signedBy: rsa(2048) }, signature],
  [
    'a changed signature',
    { change: (one) => Buffer.concat([one.subarray(0, -1), Buffer.from([(one.at(-1) ?? 0) ^ 1])]) },
    signature,
  ],
  ['a key of 1,024 bits', { keys: rsa(1024) }, key],
  ['a key with the exponent 3', { keys: rsa(2048, 3) }, key],
  ['bytes behind the certificate', { change: (one) => Buffer.concat([one, hex('00')]) }, encoding],
  [
    'a second certificate behind it in DER',
    { change: (one) => Buffer.concat([one, one]) },
    encoding,
  ],
  [
    'a length that is too long',
    { change: (one) => Buffer.concat([hex('308300'), one.subarray(2)]) },
    encoding,
  ],
  [
    'no length',
    { change: (one) => Buffer.concat([hex('3080'), one.subarray(4), hex('0000')]) },
    encoding,
  ],
  ['half of it', { change: (one) => one.subarray(0, 400) }, encoding],
  ['nothing in it', { change: () => hex('') }, encoding],
]

test.each(hostile)('a root with %s is refused', (_, forgery, reason) => {
  proves('hostile-root')
  expect(judge(forgeRoot(forgery))).toBe(reason)
})

test('a key of an elliptic curve is refused', () => {
  proves('hostile-root')
  const keys = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  expect(judge(forgeRoot({ keys, signedBy: getForgerKeys() }))).toBe(key)
})

/** Every mixture of what makes a root harmless; only the first choice of each is right. */
const dimensions = {
  constraints: [
    extension(oids.constraints, true, der('30', every)),
    extension(oids.constraints, false, der('30', every)),
    constraintsOf(subtrees.excluded(dns('a.example'))),
    constraintsOf(every, subtrees.excluded(ip('00000000 00000000'))),
    constraintsOf(subtrees.permitted(localhost)),
    constraintsOf(subtrees.permitted(...localBases, dns(''))),
    constraintsOf(subtrees.permitted(...localBases, ip('00'.repeat(8)))),
    constraintsOf(subtrees.permitted(...localBases, ip('00'.repeat(32)))),
    undefined,
  ],
  basic: [
    properExtensions.basic,
    extension(oids.basic, false, hex('30060101ff020100')),
    extension(oids.basic, true, hex('30030101ff')),
    extension(oids.basic, true, hex('30060101ff020101')),
    undefined,
  ],
  purposes: [
    properExtensions.purposes,
    purposesOf(purposes.any),
    purposesOf(purposes.serverAuth, purposes.emailProtection),
    undefined,
  ],
  usage: [properExtensions.usage, extension(oids.usage, true, hex('030201c6')), undefined],
} as const

test('of every mixture of these dimensions exactly the one that is right in each may be trusted', () => {
  proves('hostile-root')
  const accepted: string[] = []
  let count = 0
  for (const [c, constraints] of dimensions.constraints.entries())
    for (const [b, basicOne] of dimensions.basic.entries())
      for (const [p, purposesOne] of dimensions.purposes.entries())
        for (const [u, usageOne] of dimensions.usage.entries()) {
          count += 1
          const extensions = {
            constraints,
            basic: basicOne,
            purposes: purposesOne,
            usage: usageOne,
          }
          if (typeof judge(forgeRoot({ extensions })) !== 'string')
            accepted.push([c, b, p, u].join())
        }
  expect([count, accepted]).toEqual([540, ['0,0,0,0']])
})
