/** Texts of readers, cards, certificates and pages in windows: none starts a new line, or reorders one. */
import { describe, expect, test } from 'vitest'
import { proves } from '../../../../test/bed/proves.ts'
import { encodeQuestion } from '../../system/desktop/assuan.ts'
import { toPlainText } from '../../system/desktop/plain-text.ts'
import { describeFolders } from './folder-texts.ts'
import { describeIdentity } from './identity-texts.ts'
import { describeKeyUse } from './key-texts.ts'
import type { PinRequest } from './pin-request.ts'
import { describeAttempt, describePad, describe as describePin, findTexts } from './pin-texts.ts'

/** Ends of lines in Unicode (UAX 14), a terminal's escape, a reordering mark, and an invisible one. */
const tricks = [
  '\n',
  '\r',
  '\r\n',
  '\v',
  '\f',
  '\u0085',
  '\u2028',
  '\u2029',
  '\u001b[2K',
  '\u202e',
  '\u200b',
]

const pinRequest = (foreign: string): PinRequest => ({
  ...{ origin: foreign, act: 'sign', reader: foreign, card: foreign, triesLeft: 3 },
  ...{ pin: { min: 4, max: 8, alphabet: 'digits' }, language: undefined, timeoutMs: 1 },
  signal: new AbortController().signal,
})

/** Every text with foreign parts, with the same one in each part. */
const texts: Readonly<Record<string, (foreign: string, language: string) => string>> = {
  pin: (foreign, language) => describePin(pinRequest(foreign), findTexts(language)),
  pad: (foreign, language) => describePad(pinRequest(foreign), findTexts(language)),
  attempt: (foreign, language) =>
    describeAttempt(pinRequest(foreign), { reason: 'refused', triesLeft: 2 }, findTexts(language))
      .text,
  identity: (foreign, language) =>
    describeIdentity(
      { origin: foreign, module: 'token', data: ['payment'], card: foreign, reader: foreign },
      language,
    ).text,
  key: (foreign, language) =>
    describeKeyUse(
      { origin: foreign, act: 'sign', subject: foreign, issuer: foreign, language },
      language,
    ).text,
  folder: (foreign, language) => describeFolders(foreign, language).confirm(foreign).text,
  'folder again': (foreign, language) => describeFolders(foreign, language).retry(foreign).text,
}

describe.each(['en', 'nl', 'fr', 'de'])('in %s', (language) => {
  test.each(Object.entries(texts))('%s: a foreign text stays in its line', (_, describeText) => {
    proves('foreign-line')
    const plain = describeText('name', language).split('\n')
    for (const trick of tricks) {
      const lines = describeText(`name${trick}1 try left.`, language).split('\n')
      expect(lines).toHaveLength(plain.length)
      expect(lines.join('')).not.toMatch(/[\p{Cc}\u2028\u2029\u202e\u200b]/u)
    }
  })
})

/** With the longest host (RFC 1035), names as long as PC/SC has them, and a path and certificates of 4,000 characters. */
const origin = `https://${['a', 'b', 'c', 'd']
  .map((letter) => letter.repeat(63))
  .join('.')
  .slice(0, 253)}:65535`
/** A letter, one that is shown as an escape, one of many marks, and one of three bytes. */
const fillers = ['R', '\u001b', `e${'\u0301'.repeat(100)}`, '漢']
const longTexts: Readonly<Record<string, (filler: string, language: string) => string>> = {
  pin: (filler, language) => describePin(longRequest(filler), findTexts(language)),
  attempt: (filler, language) =>
    describeAttempt(longRequest(filler), { reason: 'last', triesLeft: 1 }, findTexts(language))
      .text,
  pad: (filler, language) => describePad(longRequest(filler), findTexts(language)),
  identity: (filler, language) =>
    describeIdentity(
      {
        ...{ origin, module: 'token', data: ['biometric', 'address', 'picture'] },
        ...{ card: filler.repeat(127), reader: filler.repeat(127) },
      },
      language,
    ).text,
  folder: (filler, language) =>
    describeFolders(origin, language).confirm(`/${filler.repeat(4000)}`).text,
  key: (filler, language) =>
    describeKeyUse(
      {
        ...{ origin, act: 'check', language },
        ...{ subject: filler.repeat(4000), issuer: filler.repeat(4000) },
      },
      language,
    ).text,
}
const longRequest = (filler: string): PinRequest => ({
  ...{ ...pinRequest(filler.repeat(127)), origin, act: 'check', count: 100 },
  kept: { signatures: 100, idleMs: 60_000 },
})

describe.each(['en', 'nl', 'fr', 'de'])('in %s', (language) => {
  test.each(Object.entries(longTexts))('%s: a window has the whole text', (_, describeText) => {
    proves('window-beyond-screen')
    for (const filler of fillers) {
      const text = toPlainText(describeText(filler, language))
      // A window of 720 pixels has 30 lines, with its buttons and title.
      const lines = text.split('\n')
      expect(lines.length).toBeLessThanOrEqual(30)
      const columns = lines.map((line) => line.replaceAll(/\p{M}/gu, '').length)
      expect(Math.max(...columns)).toBeLessThanOrEqual(52)
      const [last = ''] = text.split('\n').slice(-1)
      const question = encodeQuestion({ title: '', text, accept: '', refuse: '' })
      expect(question).toContain(`${last}\nSETOK`)
    }
  })
})
