/** What is read from certificates that OpenSSL made, against what OpenSSL reads from them. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Problem } from '@cardwire/protocol/problem'
import { afterAll, describe, expect, test } from 'vitest'
import { issuerCn, subjectCn, toJson, toPem } from './x509.ts'

const folder = mkdtempSync(join(tmpdir(), 'cardwire-x509-'))
afterAll(() => rmSync(folder, { recursive: true }))

const openssl = (args: readonly string[], input = '') =>
  execFileSync('openssl', args, { cwd: folder, input, encoding: 'utf8', stdio: 'pipe' })

openssl(['ecparam', '-name', 'prime256v1', '-genkey', '-noout', '-out', 'key.pem'])

/** A certificate for this name, as PEM. */
function certificate(subject: string, ...more: readonly string[]): string {
  const args = ['-new', '-x509', '-key', 'key.pem', '-utf8', '-multivalue-rdn', '-days', '2']
  return openssl(['req', ...args, '-subj', subject, ...more])
}

const der = (pem: string) => pem.replaceAll(/-----[^-]+-----|\s/g, '')

const name = '/C=BE/O=Ada, Lovelace \\+ Sons/CN=Ada Zoë "the" Lovelace'
const ada = certificate(name, '-set_serial', '0xAB01')

const csr = openssl(['req', '-new', '-key', 'key.pem', '-subj', '/CN=Old'])
writeFileSync(join(folder, 'csr.pem'), csr)
const old = openssl(['x509', '-req', '-in', 'csr.pem', '-signkey', 'key.pem', '-days', '2'])

test.each([
  ['PEM', ada],
  ['PEM with line ends of Windows', ada.replaceAll('\n', '\r\n')],
  ['base64', der(ada)],
  ['base64 in lines', der(ada).replaceAll(/.{76}/g, '$&\n')],
])('toPem of %s is what OpenSSL writes', (_, cert) => {
  expect(toPem(cert)).toBe(openssl(['x509'], ada))
})

describe('toJson', () => {
  test('returns version, serial, subject and issuer', () => {
    const dn = 'CN=Ada Zoë \\"the\\" Lovelace,O=Ada\\, Lovelace \\+ Sons,C=BE'

    expect(toJson(ada)).toEqual({ version: 3, serial: 'AB01', subject: dn, issuer: dn })
  })

  test('writes names as OpenSSL writes them in the form of RFC 2253', () => {
    const options = ['-noout', '-subject', '-nameopt', 'RFC2253,-esc_msb']

    expect(`subject=${toJson(ada).subject}\n`).toBe(openssl(['x509', ...options], ada))
  })

  test('reads certificates of version 1, which have no version field', () => {
    expect(openssl(['x509', '-noout', '-text'], old)).toContain('Version: 1 (0x0)')
    expect(toJson(old)).toMatchObject({ version: 1, subject: 'CN=Old' })
  })

  test('returns an empty name', () => {
    expect(toJson(certificate('/'))).toMatchObject({ subject: '', issuer: '' })
  })

  test('returns a serial number of 20 bytes in full', () => {
    const serial = `7F${'01'.repeat(19)}`

    expect(toJson(certificate('/CN=a', '-set_serial', `0x${serial}`))).toMatchObject({ serial })
  })
})

test.each([
  ['/CN=Ada', 'Ada'],
  [name, 'Ada Zoë "the" Lovelace'],
  ['/CN=Lovelace, Ada; Countess <of> #1', 'Lovelace, Ada; Countess <of> #1'],
  ['/CN=first/O=between/CN=last', 'last'],
  ['/O=before+CN=beside', 'beside'],
  ['/CN=a \\+ CN=b', 'a + CN=b'],
  ['/CN= spaces around ', ' spaces around '],
  ['/CN=\\\\backslash', '\\backslash'],
])('subjectCn and issuerCn of %s are %j', (subject, expected) => {
  const cert = certificate(subject)

  expect([subjectCn(cert), issuerCn(cert)]).toEqual([expected, expected])
})

describe('reading refuses', () => {
  const key = openssl(['pkey'], openssl(['ecparam', '-name', 'prime256v1', '-genkey', '-noout']))

  test.each([
    ['no base64', 'Ada Lovelace?', 'expected DER as base64, or PEM'],
    ['base64 for addresses', der(ada).replaceAll('+', '-').replace('M', '_'), 'DER as base64'],
    ['base64 of something else', 'QWRh', 'it cannot be read'],
    ['half a certificate', der(ada).slice(0, 200), 'it cannot be read'],
    ['two certificates', `${ada}${ada}`, 'something else or more'],
    ['two certificates in base64', twice(ada), 'something follows it'],
    ['a private key', key, 'something else or more'],
    ['a request', csr, 'something else or more'],
    ['white space', ' \n', 'expected DER as base64, or PEM'],
    ['PEM without content', armoured(''), 'expected DER as base64, or PEM'],
    ['PEM of something else', armoured('QWRh'), 'it cannot be read'],
  ])('%s, naming the field', (_, cert, reason) => {
    for (const read of [toPem, toJson, subjectCn, issuerCn]) {
      const problem = thrownBy(() => read(cert))

      expect(problem).toMatchObject({
        name: 'input-invalid',
        extras: { errors: [{ path: 'cert' }] },
      })
      expect(problem.message).toContain(reason)
    }
  })

  test('a common name that is not there', () => {
    expect(thrownBy(() => subjectCn(certificate('/O=Nameless'))).message).toContain(
      'the subject has none',
    )
  })
})

const armoured = (content: string) =>
  `-----BEGIN CERTIFICATE-----\n${content}\n-----END CERTIFICATE-----`

const twice = (pem: string) => {
  const bytes = Buffer.from(der(pem), 'base64')
  return Buffer.concat([bytes, bytes]).toString('base64')
}

function thrownBy(act: () => unknown): Problem {
  try {
    act()
  } catch (error) {
    if (error instanceof Problem) return error
    throw error
  }
  throw new Error('Expected a problem, but there was none')
}
