/** Files with more, less or something else than one certificate: what is judged is all that there is, and all that is trusted. */
import { expect, test } from 'vitest'
import { proves } from '../../../test/bed/proves.ts'
import { forgeRoot, toPemText } from '../../test/certs/forge-root.ts'
import { TrustableRoot } from './trustable-root.ts'

const judge = (file: string) => TrustableRoot.judge(file, [])
const text = 'its file must contain one certificate in PEM, and nothing else'

const proper = forgeRoot()
const wide = forgeRoot({ extensions: { constraints: undefined } })
const body = proper.split('\n').slice(1, -2).join('\n')

test.each([
  ['a second certificate behind it', `${proper}${wide}`],
  ['a second certificate before it', `${wide}${proper}`],
  ['the same certificate twice', `${proper}${proper}`],
  ['words before it', `Subject: Cardwire\n${proper}`],
  ['words behind it', `${proper}trusted\n`],
  ['a comment', `# a root\n${proper}`],
  ['headers of PEM', proper.replace('-----\n', '-----\nProc-Type: 4,ENCRYPTED\n\n')],
  [
    'a private key behind it',
    `${proper}-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n`,
  ],
  ['the label of OpenSSL', proper.replaceAll('CERTIFICATE', 'TRUSTED CERTIFICATE')],
  ['another label', proper.replaceAll('CERTIFICATE', 'X509 CERTIFICATE')],
  ['labels in lower case', proper.replaceAll('CERTIFICATE', 'certificate')],
  ['no labels', body],
  ['no end', `-----BEGIN CERTIFICATE-----\n${body}\n`],
  ['letters that are no base64', proper.replace('MII', 'M*II')],
  ['the letters of base64url', proper.replace('MII', '_MII')],
  ['padding within', proper.replace('MII', 'M=II')],
  ['a zero byte', proper.replace('MII', 'MII\0')],
  ['a mark of byte order within', proper.replace('\n', '\n\ufeff')],
  ['100 kB of spaces', proper.replace('\n', `\n${' '.repeat(100_000)}`)],
  ['nothing', ''],
])('a file with %s is refused', (_, file) => {
  proves('hostile-root')
  expect(judge(file)).toBe(text)
})

test('what is trusted is the DER of what was judged, and its file may end its lines as it likes', () => {
  const root = judge(proper.replaceAll('\n', '\r\n'))
  if (typeof root === 'string') throw new Error(root)
  expect(toPemText(Buffer.from(root.der))).toBe(proper)
})

test('with any one byte changed it is refused', () => {
  proves('hostile-root')
  const bytes = Buffer.from(body.replaceAll('\n', ''), 'base64')
  const accepted = [...bytes.keys()].filter((at) => {
    const changed = Buffer.from(bytes)
    changed[at] = (changed[at] ?? 0) ^ 0x20
    return typeof judge(toPemText(changed)) !== 'string'
  })
  expect(accepted).toEqual([])
})
