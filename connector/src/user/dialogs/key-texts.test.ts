/** What the question for the use of a key says, in each language. */
import { expect, test } from 'vitest'
import { describeKeyUse } from './key-texts.ts'

const request = {
  origin: 'https://shop.example',
  act: 'sign',
  subject: 'CN=Zoë',
  issuer: 'CN=Authority',
  language: undefined,
} as const

test('the question names who asks, what for, the certificate and its issuer', () => {
  expect(describeKeyUse(request, 'en-GB')).toEqual({
    title: 'Cardwire',
    text: 'https://shop.example is asking you to sign with a certificate on this computer.\n\nCertificate: CN=Zoë\nIssued by: CN=Authority\n\nAllow this once?',
    accept: 'Allow',
    refuse: 'Don’t allow',
  })
})

test.each([
  ['nl', 'https://shop.example vraagt u om te ondertekenen met een certificaat op deze computer.'],
  ['fr_BE', 'https://shop.example vous demande de signer avec un certificat de cet ordinateur.'],
  [
    'de',
    'https://shop.example bittet um Ihre Unterschrift mit einem Zertifikat auf diesem Computer.',
  ],
  ['pl', 'https://shop.example is asking you to sign with a certificate on this computer.'],
])('the question is in the language of the user: %s', (language, first) => {
  expect(describeKeyUse(request, language).text.split('\n')[0]).toBe(first)
})

test('the question is in the language that the page wishes, and names a program', () => {
  const { text } = describeKeyUse({ ...request, origin: undefined, language: 'de' }, 'en')
  expect(text.split('\n')[0]).toBe(
    'Ein Programm auf diesem Computer bittet um Ihre Unterschrift mit einem Zertifikat auf diesem Computer.',
  )
})

test.each([
  ['authenticate', 'is asking you to sign in with a certificate on this computer.'],
  ['check', 'Nothing will be signed.'],
] as const)('the question says what is done: %s', (act, part) => {
  expect(describeKeyUse({ ...request, act }, 'en').text).toContain(part)
})
