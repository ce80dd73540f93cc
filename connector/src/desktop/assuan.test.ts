/** The conversation with a pinentry: what is written, and what its replies mean. */
import { expect, test } from 'vitest'
import { encodeDialog, readDialog } from './assuan.ts'
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
    'SETPROMPT PIN:',
    'SETOK Sign__in',
    'SETCANCEL Cancel',
    'SETERROR No',
    'SETTIMEOUT 180',
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
