/** The conversation with a pinentry: what is written, and what its replies mean. */
import { expect, test } from 'vitest'
import { proves } from '../../../../test/bed/proves.ts'
import { encodeDialog, encodeQuestion, readDecision, readDialog } from './assuan.ts'
import type { SecretQuestion } from './secret-entry.ts'

const question: SecretQuestion = {
  title: 'Cardwire',
  text: 'https://shop.example wants 100 % of it.\r\nReader: a_b',
  prompt: 'PIN:',
  submit: 'Sign_in',
  cancel: 'Cancel',
}

test('a question is one line for each text, with what a line cannot hold escaped', () => {
  expect(encodeDialog({ ...question, error: 'No' }).split('\n')).toEqual([
    'SETTITLE Cardwire',
    'SETDESC https://shop.example wants 100 %25 of it.%0D%0AReader: a_b',
    'SETOK Sign__in',
    'SETCANCEL Cancel',
    'SETTIMEOUT 180',
    'SETPROMPT PIN:',
    'SETERROR No',
    'GETPIN',
    'BYE',
    '',
  ])
})

test.each(['ü', '%', 'x', '智'])(
  'a text of many «%s» is cut at a whole character, and stays one line',
  (character) => {
    const [, line = ''] = encodeDialog({ ...question, text: character.repeat(2000) }).split('\n')
    expect(Buffer.byteLength(line)).toBeLessThanOrEqual(1000)
    expect(Buffer.byteLength(line)).toBeGreaterThan(990)
    expect(line.replace('SETDESC ', '').replaceAll(character === '%' ? '%25' : character, '')).toBe(
      '',
    )
  },
)

const begin = 'OK Pleased to meet you\nOK\nOK\n'
const end = 'OK closing connection\n'

test.each<[string, string, unknown]>([
  ['a PIN', 'D 1234\nOK\n', '1234'],
  ['one with escapes', 'D 1%25%0A2\nOK\n', '1%\n2'],
  ['one in two lines', 'D 12\nD 34\nOK\n', '1234'],
  ['nothing entered', 'OK\n', ''],
  ['what the pinentry says beside it', 'S PASSWORD_FROM_CACHE\nD 1234\nOK\n', '1234'],
  ['cancel', 'ERR 83886179 Operation cancelled <Pinentry>\n', 'cancelled'],
  ['the window closed', 'ERR 83886278 Fully cancelled <Pinentry>\n', 'cancelled'],
  ['a timeout', 'ERR 83886142 Timeout <Pinentry>\n', 'late'],
  ['no terminal', 'ERR 83918950 Inappropriate ioctl for device <Pinentry>\n', 'unavailable'],
  ['data and an error', 'D 1234\nERR 83886179 Operation cancelled\n', 'cancelled'],
])('the reply to GETPIN: %s', (_, replies, expected) => {
  const output = Buffer.from(begin + replies + end)
  const answer = readDialog(output)
  expect(answer.kind === 'entered' ? Buffer.from(answer.secret).toString() : answer.kind).toBe(
    expected,
  )
  expect(output.every((byte) => byte === 0)).toBe(true)
})

test.each(['', 'OK', 'OK\n', 'noise\nnoise\n', `${begin}D 1234\n`])(
  'output that ends early, «%s», is no answer',
  (output) => {
    expect(readDialog(Buffer.from(output))).toEqual({ kind: 'unavailable' })
  },
)

test('a question with two answers has its texts in the same lines', () => {
  const { title, text } = question
  const lines = encodeQuestion({ title, text, accept: 'Share_it', refuse: 'Keep' }).split('\n')
  expect(lines.slice(2)).toEqual([
    'SETOK Share__it',
    'SETCANCEL Keep',
    'SETTIMEOUT 180',
    'CONFIRM',
    'BYE',
    '',
  ])
})

const described = 'OK Pleased to meet you\nOK\nOK\nOK\nOK\nOK\n'

test.each([
  ['agreed', 'OK\n', 'accepted'],
  ['agreed, with a line beside it', 'S BUTTON_INFO close\nOK\n', 'accepted'],
  ['not agreed', 'ERR 83886194 Not confirmed <Pinentry>\n', 'refused'],
  ['cancel', 'ERR 83886179 Operation cancelled <Pinentry>\n', 'refused'],
  ['the window closed', 'ERR 83886278 Fully cancelled <Pinentry>\n', 'refused'],
  ['a timeout', 'ERR 83886142 Timeout <Pinentry>\n', 'late'],
  ['no terminal', 'ERR 83918950 Inappropriate ioctl for device <Pinentry>\n', 'unavailable'],
  [
    'an unknown command',
    'ERR 536871187 Unknown IPC command <User defined source 1>\n',
    'unavailable',
  ],
])('the reply to CONFIRM: %s', (_, reply, expected) => {
  expect(readDecision(Buffer.from(described + reply + end))).toBe(expected)
})

test.each(['', 'OK\n', described, `${described}OK\n`, `OK\n${described}${end}OK\n`])(
  'output with another number of replies, «%s», agrees to nothing',
  (output) => {
    proves('question-in-process-list')
    expect(readDecision(Buffer.from(output))).toBe('unavailable')
  },
)
