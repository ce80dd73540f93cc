/** Hostile name constraints of roots, one a row: each is refused for the reason that the row says. */
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
  hex,
  ip,
  localBases,
  nameOf,
  oids,
  subtrees,
} from '../../test/certs/forge-root.ts'
import { TrustableRoot } from './trustable-root.ts'

const encoding = 'it is not a certificate in DER'
const missing = 'it lacks an extension that the root certificate of a connector has'
const critical = 'it marks the wrong extensions as critical'
const constraintForm = 'its name constraints cannot be read'
const excluded = 'its name constraints exclude names, but must only permit names'
const distance = 'its name constraints have a distance'
const kind = 'its name constraints name something other than hosts and addresses'
const names = 'it can sign for names other than those of this computer'
const local = 'its name constraints lack localhost, 127.0.0.1 or ::1'

const permitting = (...bases: readonly Bytes[]): Forgery => ({
  extensions: { constraints: constraintsOf(subtrees.permitted(...bases)) },
})
const constrained = (...trees: readonly Bytes[]): Forgery => ({
  extensions: { constraints: constraintsOf(...trees) },
})
const [localhost, ipv4, ipv6] = localBases
const every = subtrees.permitted(...localBases)

test.each<readonly [string, Forgery, string]>([
  ['no name constraints', { extensions: { constraints: undefined } }, missing],
  ['constraints that only exclude', constrained(subtrees.excluded(dns('a.example'))), excluded],
  [
    'constraints that permit and exclude',
    constrained(every, subtrees.excluded(dns('a.example'))),
    excluded,
  ],
  ['an empty list of excluded ones', constrained(every, subtrees.excluded()), excluded],
  ['constraints without a list', constrained(), local],
  ['an empty list of permitted ones', constrained(subtrees.permitted()), local],
  ['two lists of permitted ones', constrained(every, every), constraintForm],
  ['a list of another tag', constrained(der('a2', der('30', localhost))), constraintForm],
  [
    'constraints of no type',
    { extensions: { constraints: extension(oids.constraints, true, hex('')) } },
    constraintForm,
  ],
  [
    'constraints twice in one value',
    {
      extensions: {
        constraints: extension(
          oids.constraints,
          true,
          Buffer.concat([der('30', every), der('30', every)]),
        ),
      },
    },
    constraintForm,
  ],
  [
    'constraints that are not critical',
    {
      extensions: { constraints: extension(oids.constraints, false, der('30', every)) },
    },
    critical,
  ],
  ['only hosts: every address is open', permitting(localhost), local],
  ['only addresses: every host is open', permitting(ipv4, ipv6), local],
  ['no address of IPv6', permitting(localhost, ipv4), local],
  ['no address of IPv4', permitting(localhost, ipv6), local],
  ['the empty host, which is every host', permitting(...localBases, dns('')), names],
  ['a host that is a dot', permitting(...localBases, dns('.')), names],
  ['a top-level domain', permitting(...localBases, dns('com')), names],
  ['a name of one label from the settings', permitting(...localBases, dns('intranet')), names],
  ['a host with a leading dot', permitting(...localBases, dns('.reader.example.org')), names],
  ['a host with a final dot', permitting(...localBases, dns('reader.example.org.')), names],
  ['a host in capitals', permitting(...localBases, dns('READER.example.org')), names],
  ['the domain of a host', permitting(...localBases, dns('example.org')), names],
  ['a wildcard', permitting(...localBases, dns('*.example.org')), names],
  ['a host with a zero byte behind it', permitting(...localBases, dns('localhost\0')), names],
  [
    'a length in more bytes than it needs',
    permitting(Buffer.concat([hex('828109'), ascii('localhost')]), ipv4, ipv6),
    encoding,
  ],
  ['a host of others', permitting(...localBases, dns('bank.example')), names],
  ['an address of others', permitting(...localBases, ip('c0000201 ffffffff')), names],
  ['0.0.0.0/0', permitting(...localBases, ip('00000000 00000000')), names],
  ['127.0.0.0/8', permitting(...localBases, ip('7f000000 ff000000')), names],
  ['127.0.0.1/31', permitting(...localBases, ip('7f000001 fffffffe')), names],
  ['127.0.0.1 with a mask of holes', permitting(...localBases, ip('7f000001 ff00ffff')), names],
  ['::/0', permitting(...localBases, ip('00'.repeat(32))), names],
  ['::1/127', permitting(...localBases, ip(`${'00'.repeat(15)}01${'ff'.repeat(15)}fe`)), names],
  ['an address without a mask', permitting(...localBases, ip('7f000001')), names],
  ['an empty address', permitting(...localBases, ip('')), names],
  ['a mail address', permitting(...localBases, der('81', ascii('a@example.org'))), kind],
  ['a directory name', permitting(...localBases, der('a4', nameOf('Bank', 'Bank'))), kind],
  ['a URI', permitting(...localBases, der('86', ascii('example.org'))), kind],
  ['a registered id', permitting(...localBases, der('88', hex('2a03'))), kind],
  ['another name', permitting(...localBases, der('a0', der('06', hex('2a03')))), kind],
  [
    'a least distance',
    constrained(der('a0', ...localBases.map((base) => der('30', base, hex('800101'))))),
    distance,
  ],
  [
    'a largest distance',
    constrained(der('a0', ...localBases.map((base) => der('30', base, hex('810100'))))),
    distance,
  ],
  [
    'an empty tree',
    constrained(der('a0', ...localBases.map((base) => der('30', base)), der('30'))),
    constraintForm,
  ],
])('a root with %s is refused', (_, forgery, reason) => {
  proves('hostile-root')
  const hosts = ['reader.example.org', '192.0.2.7', 'intranet']
  expect(TrustableRoot.judge(forgeRoot(forgery), hosts)).toBe(reason)
})
