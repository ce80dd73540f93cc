/** What the question for the use of a key says, in each language. */
import { expect, test } from 'vitest'
import { describeKeyUse } from './key-texts.ts'

const asked = {
  origin: 'https://shop.example',
  act: 'sign',
  subject: 'CN=Zoë',
  issuer: 'CN=Authority',
  language: undefined,
} as const

test('the question names who asks, what for, the certificate and its issuer', () => {
  expect(describeKeyUse(asked, 'en-GB')).toEqual({
    title: 'Cardwire',
    text: 'https://shop.example wants your signature with a certificate of this computer.\n\nCertificate: CN=Zoë\nIssued by: CN=Authority\n\nDo you allow this, once?',
    accept: 'Allow',
    refuse: 'Refuse',
  })
})

test.each([
  ['nl', 'https://shop.example wil uw handtekening met een certificaat van deze computer.'],
  ['fr_BE', 'https://shop.example veut votre signature avec un certificat de cet ordinateur.'],
  ['de', 'https://shop.example möchte Ihre Signatur mit einem Zertifikat dieses Computers.'],
  ['pl', 'https://shop.example wants your signature with a certificate of this computer.'],
])('the question is in the language of the user: %s', (language, first) => {
  expect(describeKeyUse(asked, language).text.split('\n')[0]).toBe(first)
})

test('the question is in the language that the page wishes, and names a program', () => {
  const { text } = describeKeyUse({ ...asked, origin: undefined, language: 'de' }, 'en')
  expect(text.split('\n')[0]).toBe(
    'Ein Programm auf diesem Computer möchte Ihre Signatur mit einem Zertifikat dieses Computers.',
  )
})

test.each([
  ['authenticate', 'wants to prove who you are with a certificate of this computer.'],
  ['check', 'Nothing is signed.'],
] as const)('the question says what is done: %s', (act, part) => {
  expect(describeKeyUse({ ...asked, act }, 'en').text).toContain(part)
})
