/** A card that cannot be read is no card without certificates: by what it answers, for each module and operation. */
import { generateKeyPairSync } from 'node:crypto'
import * as contract from '@cardwire/protocol'
import { beforeAll, describe, expect, test } from 'vitest'
import { proves } from '../../../test/bed/proves.ts'
import { createPivCard, type PivCardOptions } from '../../src/sandbox/virtual-card/piv-card.ts'
import { createCardApi } from './card-api.ts'
import { makeKeys } from './emulated-card.ts'
import { createOpenpgpCard } from './openpgp-card.ts'
import { makeOpenpgpFiles, type OpenpgpFiles } from './openpgp-files.ts'
import { createTokenProcess } from './token-in-memory.ts'

const digest = Buffer.alloc(32, 7).toString('base64')
const signing = { algorithm: 'sha256', data: digest }
const checking = { algorithm: 'sha256', hash: digest, signedHash: digest }

/** What is asked of the card, and what one without any certificate or key is answered with. */
const calls = [
  ['cert-list', contract.listCardCertificates, {}, {}],
  ['authentication-cert', contract.getAuthenticationCertificate, {}, 'key-unknown'],
  ['nonrepudiation-cert', contract.getNonRepudiationCertificate, {}, 'key-unknown'],
  ['sign', contract.signWithCard, signing, 'key-unknown'],
  ['authenticate', contract.createAuthenticationToken, { nonce: 'n'.repeat(44) }, 'key-unknown'],
  ['verify-signature', contract.validateCardSignature, checking, 'key-unknown'],
] as const

/** Statuses and data, for whatever follows the selection of the application. */
const unreadable = [
  ['memory failure', '6581'],
  ['no precise diagnosis', '6F00'],
  ['execution error', '6400'],
  ['a warning', '6282'],
  ['security status', '6982'],
  ['conditions of use', '6985'],
  ['wrong length', '6700'],
  ['another length, without end', '6C10'],
  ['incorrect parameters', '6A86'],
  ['record not found', '6A83'],
  ['nothing that is a status', '0000'],
] as const
const absent = [
  ['file not found', '6A82'],
  ['referenced data not found', '6A88'],
] as const
/** Of the data only: what is truncated, or has no end. */
const broken = [
  ['an element without its end', '5382FFFF70019000'],
  ['a length that is cut', '30829000'],
  ['a tag without end', '1FFFFFFFFFFF9000'],
] as const

const modules = ['piv', 'beid', 'openpgp'] as const

const hex = (text: string) => Uint8Array.from(Buffer.from(text, 'hex'))

/** Selects the application, and gives this to all that follows. */
const afterSelection = (answer: string) => (command: Uint8Array) =>
  command[1] === 0xa4 && command[2] === 0x04 ? hex('9000') : hex(answer)
/** Selects files too. */
const afterSelect = (answer: string) => (command: Uint8Array) =>
  command[1] === 0xa4 ? hex('9000') : hex(answer)

const call = (
  respond: (command: Uint8Array) => Uint8Array,
  module: string,
  [, operation, body]: (typeof calls)[number],
) => createCardApi({ respond }).call(operation, { module, body })

describe.each(modules)('a card of module %s', (module) => {
  test.each(unreadable)('that answers %s (%s) is mute', async (_name, status) => {
    proves('card-unreadable')
    for (const one of calls) {
      const found = [one[0], await call(afterSelection(status), module, one)]
      expect(found).toEqual([one[0], 'card-mute'])
    }
  })

  test.each(['6400', '6581', '6F00', '6C10', '0000'])(
    'that answers %s to everything is mute, not of another kind',
    async (status) => {
      proves('card-unreadable')
      for (const one of calls) {
        const found = [one[0], await call(() => hex(status), module, one)]
        expect(found).toEqual([one[0], 'card-mute'])
      }
    },
  )

  test.each(['6A82', '6A86', '6D00', '6E00', '6999', '6283', '9404', '9110'])(
    'that answers %s to everything is of another kind',
    async (status) => {
      for (const one of calls) {
        const found = [one[0], await call(() => hex(status), module, one)]
        expect(found).toEqual([one[0], 'card-unsupported'])
      }
    },
  )

  test.each(absent)('that answers %s (%s) has none', async (_name, status) => {
    for (const one of calls) {
      const found = [one[0], await call(afterSelection(status), module, one)]
      expect(found).toEqual([one[0], one[3]])
    }
  })

  test.each(broken)('that answers %s is mute', async (_name, answer) => {
    proves('card-unreadable')
    for (const one of calls) {
      const found = [one[0], await call(afterSelect(answer), module, one)]
      expect(found).toEqual([one[0], 'card-mute'])
    }
  })
})

const certificateOf = (slot: '9A' | '9C') => keys[slot]?.certificate ?? new Uint8Array()
let openpgp: OpenpgpFiles
let keys: PivCardOptions['keys']
beforeAll(async () => {
  keys = (await makeKeys({ '9A': 'P-256', '9C': 'P-256' })).keys
  openpgp = await makeOpenpgpFiles('P-256')
})

/** A PIV card that gives this in place of one object. */
const pivWithout = (object: string, answer: string) => {
  const card = createPivCard({ keys, pin: '123456', protocol: 'T=1' })
  return (command: Uint8Array) =>
    Buffer.from(command).toString('hex').toUpperCase().startsWith(`00CB3FFF055C03${object}`)
      ? hex(answer)
      : card.respond(command)
}
const toBase64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64')

/** The object of 9A cannot be read; that of 9C can. */
test.each(['6581', '6C10', '1FFFFFFFFFFF9000', '5307700530030201019000', '530371010000009000'])(
  'a card that answers %s for one certificate is mute for it, and not for the others',
  async (answer) => {
    proves('card-unreadable')
    const { call: ask } = createCardApi({ respond: pivWithout('5FC105', answer) })
    const list = (filter?: string) =>
      ask(contract.listCardCertificates, { module: 'piv', query: filter ? { filter } : {} })
    const certificate = toBase64(certificateOf('9C'))
    expect(await list()).toEqual({
      nonRepudiationCertificate: expect.objectContaining({ id: '9C', certificate }),
    })
    expect(await list('authenticationCertificate')).toBe('card-mute')
    expect(await list('encryptionCertificate')).toEqual({})
    const one = { module: 'piv' }
    expect(await ask(contract.getAuthenticationCertificate, one)).toBe('card-mute')
    expect(await ask(contract.getNonRepudiationCertificate, one)).toMatchObject({ certificate })
    expect(await ask(contract.getEncryptionCertificate, one)).toBe('key-unknown')
  },
)

test.each(['53009000', '5304700071009000', '5304000000009000', '9000', '6A82'])(
  'a card that answers %s for a certificate has none',
  async (answer) => {
    const { call: ask } = createCardApi({ respond: pivWithout('5FC105', answer) })
    const one = { module: 'piv' }
    expect(await ask(contract.getAuthenticationCertificate, one)).toBe('key-unknown')
  },
)

/** Files of Belgian cards, and objects of OpenPGP cards, that are there. */
test.each(['beid', 'openpgp'])('an empty or erased certificate of %s is none', async (module) => {
  for (const data of ['', '0000000000', 'FFFFFFFF']) {
    const respond = (command: Uint8Array) => {
      if (command[1] === 0x47) return hex('6A88')
      return command[1] === 0xa4 || command[1] === 0xa5 ? hex('9000') : hex(`${data}9000`)
    }
    const { call: ask } = createCardApi({ respond })
    expect(await ask(contract.listCardCertificates, { module })).toEqual({})
    expect(await ask(contract.getNonRepudiationCertificate, { module })).toBe('key-unknown')
  }
})

test.each(['root', 'intermediate'] as const)(
  'a Belgian card that does not give the certificate of one authority is mute for it: %s',
  async (role) => {
    proves('card-unreadable')
    const file = { root: '503B', intermediate: '503A' }[role]
    const operations = {
      root: contract.getRootCertificate,
      intermediate: contract.getIntermediateCertificates,
    }
    let selected = ''
    const respond = (command: Uint8Array) => {
      if (command[1] !== 0xa4) return selected.endsWith(file) ? hex('6581') : certificateFile
      selected = Buffer.from(command.subarray(5)).toString('hex').toUpperCase()
      return hex('9000')
    }
    const certificateFile = Buffer.concat([certificateOf('9A').subarray(0, 256), hex('9000')])
    const { call: ask } = createCardApi({ respond })
    expect(await ask(operations[role], { module: 'beid' })).toBe('card-mute')
  },
)

describe('an OpenPGP card of version 2', () => {
  /** It does not know SELECT DATA, and has one certificate. */
  const createCard = (status: string, object = `${toHex(certificateOf('9A'))}9000`) => {
    const answers = new Map([
      [0xa4, '9000'],
      [0xa5, status],
      [0xca, object],
    ])
    let rest = new Uint8Array()
    return createCardApi({
      respond: ({ 1: ins = 0 }) => {
        const whole =
          ins === 0xc0 ? Buffer.concat([rest, hex('9000')]) : hex(answers.get(ins) ?? '6A88')
        rest = whole.slice(256, -2)
        return whole.length <= 258 ? whole : Buffer.concat([whole.slice(0, 256), hex('6100')])
      },
    })
  }

  test.each(['6D00', '6A81', '6A86', '6A80', '6700'])(
    'that answers %s to SELECT DATA has the certificate to authenticate with only',
    async (status) => {
      const { call: ask } = createCard(status)
      const module = 'openpgp'
      const certificate = toBase64(certificateOf('9A'))
      expect(await ask(contract.listCardCertificates, { module })).toEqual({
        authenticationCertificate: expect.objectContaining({ certificate }),
      })
      expect(await ask(contract.getNonRepudiationCertificate, { module })).toBe('key-unknown')
    },
  )

  test('that does not give it is mute', async () => {
    proves('card-unreadable')
    const { call: ask } = createCard('6D00', '6581')
    for (const [, operation] of calls.slice(0, 3))
      expect(await ask(operation, { module: 'openpgp' })).toBe('card-mute')
  })
})

test.each([
  ['6581', 'card-mute', 0],
  ['6C10', 'card-mute', 0],
  ['1FFFFFFFFFFF9000', 'card-mute', 0],
  ['6A88', { data: expect.any(String) }, 1],
  ['6B00', { data: expect.any(String) }, 1],
])(
  'an OpenPGP card that answers %s when asked for the form of its PIN: %j, and %i PINs',
  async (answer, expected, count) => {
    proves('card-unreadable')
    const card = createOpenpgpCard({ keys: openpgp.keys, pin: '123456', protocol: 'T=1' })
    let pins = 0
    const respond = (command: Uint8Array) => {
      if (command[1] === 0x20 && command.length > 5) pins += 1
      const isForm = command[1] === 0xca && command[2] === 0x00 && command[3] === 0xf9
      return isForm ? hex(answer) : card.respond(command)
    }
    const { call: ask } = createCardApi({ respond })
    const found = await ask(contract.signWithCard, { module: 'openpgp', body: signing })
    expect([found, pins]).toEqual([expected, count])
  },
)

const toHex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex')

/** A card with other answers to the commands that begin so; `pins` counts the PINs that it got. */
function replaceAnswers(
  card: { respond(command: Uint8Array): Uint8Array },
  answers: Readonly<Record<string, string>>,
) {
  const counted = { pins: 0 }
  const respond = (command: Uint8Array) => {
    if (command[1] === 0x20 && command.length > 5) {
      counted.pins += 1
      return card.respond(command)
    }
    const text = toHex(command).toUpperCase()
    const found = Object.entries(answers).find(([start]) => text.startsWith(start))
    return found ? hex(found[1]) : card.respond(command)
  }
  return { counted, ask: createCardApi({ respond }).call }
}

const signed = { data: expect.any(String) }

describe('a PIV card that answers VERIFY without data', () => {
  test.each([
    ...['6200', '6281', '6301', '6400', '6581', '6C10', '6F00', '0000', '9001', '9110', 'FFFF'].map(
      (status) => [status, 'card-mute', 0] as const,
    ),
    ...['63C0', '6983', '6984'].map((status) => [status, 'pin-blocked', 0] as const),
    ...['9000', '6300', '63C2', '6700', '6881', '6982', '6985', '6986'].map(
      (status) => [status, signed, 1] as const,
    ),
    ...['6A80', '6A81', '6A86', '6A88', '6B00', '6D00', '6E00'].map(
      (status) => [status, signed, 1] as const,
    ),
  ])('with %s: %j, and %i PINs', async (status, expected, pins) => {
    proves('card-unreadable')
    const card = createPivCard({ keys, pin: '123456', protocol: 'T=1' })
    const { counted, ask } = replaceAnswers(card, { '00200080': status })
    const found = await ask(contract.signWithCard, { module: 'piv', body: signing })
    expect([found, counted.pins]).toEqual([expected, pins])
  })
})

describe('an OpenPGP card', () => {
  const ask = (answers: Readonly<Record<string, string>>) => {
    const card = createOpenpgpCard({ keys: openpgp.keys, pin: '123456', protocol: 'T=1' })
    return replaceAnswers(card, answers)
  }

  test.each<[Readonly<Record<string, string>>, string]>([
    // What cards of version 2 answer to VERIFY without data.
    ...['6700', '6982', '6A80', '6A86', '6D00'].map(
      (status): [Readonly<Record<string, string>>, string] => [
        { '00200081': status, '00CA00C4': '007F7F7F0003039000' },
        'pin-blocked',
      ],
    ),
    // The user is asked before the last attempt; no window opens here.
    [{ '00CA00C4': '007F7F7F0103039000', '00200081': '6D00' }, 'pin-busy'],
    [{ '00CA00C4': '6581' }, 'card-mute'],
    [{ '00CA00C4': '6C10' }, 'card-mute'],
    [{ '00CA00C4': '007F7F9000' }, 'card-mute'],
    [{ '00CA00C4': '9000' }, 'card-mute'],
    [{ '00CA00C4': '6A88', '00200081': '63C0' }, 'pin-blocked'],
    [{ '00CA00C4': '6D00', '00200081': '6F00' }, 'card-mute'],
    // The form of its PIN: an object without what it has to have.
    [{ '00CA00F9': '8201009000' }, 'card-mute'],
  ])('that answers %j gets no PIN: %s', async (answers, expected) => {
    proves('card-unreadable')
    const { counted, ask: call } = ask(answers)
    const found = await call(contract.signWithCard, { module: 'openpgp', body: signing })
    expect([found, counted.pins]).toEqual([expected, 0])
  })

  test.each([
    { '00CA00C4': '007F7F7F0203039000', '00200081': '6D00' },
    { '00CA00C4': '6A88', '00200081': '6D00' },
    { '00CA00F9': '9000' },
  ])('that answers %j signs', async (answers) => {
    const { counted, ask: call } = ask(answers)
    const found = await call(contract.signWithCard, { module: 'openpgp', body: signing })
    expect([found, counted.pins]).toEqual([signed, 1])
  })
})

test('a token whose certificates cannot be read is mute, and is not without certificates', async () => {
  proves('card-unreadable')
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const readable = certificateOf('9C')
  const list = (...certificates: readonly Uint8Array[]) => {
    const runToken = createTokenProcess([{ id: 1, privateKey, certificates }])
    return createCardApi({ runToken }).call(contract.listCardCertificates, { module: 'pkcs11' })
  }
  for (const unreadable of [readable.subarray(0, 100), new Uint8Array(20_000), hex('00')]) {
    expect(await list(unreadable)).toBe('card-mute')
    expect(JSON.stringify(await list(unreadable, readable))).toContain(toBase64(readable))
  }
  expect(await list()).toEqual({})
  expect(await list(new Uint8Array())).toEqual({})
})
