/** What a key is for, as its certificate says. */
import { describe, expect, test } from 'vitest'
import { proves } from '../../../../test/bed/proves.ts'
import { findPurpose } from './certificate-use.ts'

const clientAuth = '1.3.6.1.5.5.7.3.2'
const email = '1.3.6.1.5.5.7.3.4'
const authentication = { purpose: 'authentication', alsoSigns: false }
const signature = { purpose: 'non-repudiation', alsoSigns: false }
const encryption = { purpose: 'encryption', alsoSigns: false }
const both = { purpose: 'authentication', alsoSigns: true }

describe('the key of a certificate with', () => {
  test.each([
    ['nothing said', undefined, undefined, authentication],
    ['digitalSignature', 0x80, undefined, authentication],
    ['digitalSignature, for mail', 0x80, [email], authentication],
    ['digitalSignature and keyEncipherment', 0xa0, [clientAuth], authentication],
    ['nonRepudiation', 0x40, undefined, signature],
    ['nonRepudiation, and clientAuth that it cannot do', 0x40, [clientAuth], signature],
    ['digitalSignature and nonRepudiation', 0xc0, undefined, both],
    ['digitalSignature and nonRepudiation, for mail', 0xc0, [email], signature],
    ['digitalSignature and nonRepudiation, for clients', 0xc0, [email, clientAuth], both],
    ['the same, for anything', 0xc0, ['2.5.29.37.0'], both],
    ['the same, for the log in of Windows', 0xc0, ['1.3.6.1.4.1.311.20.2.2'], both],
    ['keyEncipherment', 0x20, undefined, encryption],
    ['keyAgreement', 0x08, [clientAuth], encryption],
  ] as const)('%s', (_, usage, extended, expected) => {
    proves('token-key-misused')
    expect(findPurpose({ usage, extended })).toEqual(expected)
  })
})
