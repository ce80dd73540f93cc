/** PINs that a user types at the reader's own pad: the compiled connector, a real card service, and a reader with a pad. */
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { request } from 'node:https'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { proves } from '../../../../test/bed/proves.ts'
import { waitFor } from '../../../../test/bed/wait-for.ts'
import { openPadReader, type PadReader } from '../../pad-reader/pad-reader.ts'
import { type CardReader, pin } from './card-reader.ts'
import type { ScriptedPinentry } from './scripted-pinentry.ts'
import { startUserAtReader, type UserAtReader } from './user-at-reader.ts'

const run = promisify(execFile)
const message = Buffer.from('a message that is signed')
const data = createHash('sha256').update(message).digest('base64')

let pad: PadReader
let user: UserAtReader
let bed: CardReader
let pinentry: ScriptedPinentry

beforeAll(async () => {
  pad = await openPadReader()
  user = await startUserAtReader({}, pad)
  ;({ bed, pinentry } = user)
})
afterAll(async () => {
  await user?.stop()
  await pad?.stop()
})
beforeEach(async () => {
  await pinentry.type('wait')
  await pinentry.read()
})

const post = (path: string, body: object = {}) =>
  bed.token(path, 'piv', {
    method: 'POST',
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json' },
  })
const sign = (more: object = {}) => post('sign', { algorithm: 'sha256', data, id: '9C', ...more })

const isVerify = (entry: string) => entry.startsWith('00200080') && entry.endsWith('bytes)')

/** Resolves when the pad waits for its user once more than it did before. */
async function waitAtPad(before: number): Promise<void> {
  await waitFor(() => pad.verifications.length > before)
}

/** Resolves with what the window was told to show, when it is open. */
async function readNotice(): Promise<readonly string[]> {
  let shown = ''
  await waitFor(async () => {
    shown += await pinentry.read()
    return shown.includes('CONFIRM')
  })
  return shown
    .trim()
    .replaceAll('%0A', '\n')
    .split(/\n(?=SET|CONFIRM)/)
}

/** Whether any window is open: a scripted pinentry is in a folder of its own. */
const isWindowOpen = () => {
  const [folder = ''] = pinentry.path.split(':')
  return readdirSync('/proc').some((name) => {
    try {
      return readFileSync(`/proc/${name}/cmdline`, 'utf8').includes(folder)
    } catch {
      // It is no process, or has ended.
      return false
    }
  })
}

/** Whether this is a signature of the message by the key 9C. */
async function isValid(signature: string): Promise<boolean> {
  const file = (name: string) => join(bed.connector.home, name)
  await writeFile(file('message'), message)
  await writeFile(file('signature'), Buffer.from(signature, 'base64'))
  const certificate = bed.files.certificateFile('9C')
  const { stdout: key } = await run('openssl', ['x509', '-in', certificate, '-noout', '-pubkey'])
  await writeFile(file('key.pem'), key)
  const check = ['-verify', file('key.pem'), '-signature', file('signature'), file('message')]
  const { stdout } = await run('openssl', ['dgst', '-sha256', ...check]).catch((error) => error)
  return stdout === 'Verified OK\n'
}

test('the digits that are typed at the pad make a signature that openssl accepts', async () => {
  proves('pin-pad')
  await bed.insert()
  pad.enter({ digits: pin })
  const { status, json } = await sign()
  expect([status, json.description]).toEqual([200, undefined])
  expect(await isValid(json.data.data)).toBe(true)
})

test('a notice says who wants what and where to type, has no field, and goes when the PIN was typed', async () => {
  proves('pin-pad-notice')
  await bed.insert()
  pad.enter('wait')
  const answer = sign()
  expect(await readNotice()).toEqual([
    'SETTITLE Cardwire',
    'SETDESC A program on this computer is asking you to sign.\nEnter your PIN on the keypad of the card reader.\n\nCard: PIV card\nCard reader: Pad Reader 00 00\n3 attempts left.',
    'SETOK Cancel',
    'SETCANCEL Cancel',
    'SETTIMEOUT 180',
    'CONFIRM --one-button',
  ])
  pad.enter({ digits: pin })
  expect((await answer).status).toBe(200)
  await waitFor(() => !isWindowOpen())
})

test('the pad sends VERIFY directly before the signing command, and the card is reset after it', async () => {
  proves('pin-pad')
  const card = await bed.insert()
  pad.enter({ digits: pin })
  expect((await sign()).status).toBe(200)
  const at = card.trace.findIndex(isVerify)
  expect(card.trace.slice(at - 1, at + 4)).toEqual([
    expect.stringMatching(/^00C0/),
    '0020008008 (8 bytes)',
    expect.stringMatching(/^1087079C/),
    expect.stringMatching(/^0087079C/),
    expect.stringMatching(/^00C0/),
  ])
  expect(card.trace.filter(isVerify)).toHaveLength(1)
  expect(card.trace.slice(at + 4)).toContain('reset')
})

test.each([
  [{}, '1E1E'],
  [{ timeout: 10 }, '0A0A'],
  [{ timeout: 180 }, '1E1E'],
])('with %j the pad waits for 0x%s seconds, and for six to eight digits', async (more, times) => {
  proves('pin-pad')
  await bed.insert()
  pad.enter({ digits: pin })
  expect((await sign(more)).status).toBe(200)
  expect(pad.verifications.at(-1)).toMatch(new RegExp(`^${times}8208000806`))
})

test.each([
  ['cancels', { status: '6401' }, 409, '108005'],
  ['types nothing in time', { status: '6400' }, 409, '108006'],
  ['types less than the reader accepts', { status: '6403' }, 422, '108007'],
  ['types five digits', { digits: '12345' }, 422, '108007'],
  ['types nine digits', { digits: '123456789' }, 422, '108007'],
] as const)(
  'a user who %s at the pad sends nothing to the card',
  async (_act, entry, ...problem) => {
    proves('pin-pad')
    const card = await bed.insert()
    pad.enter(entry)
    const { status, json } = await post('verify-pin')
    expect([status, json.code]).toEqual(problem)
    expect(card.trace.filter(isVerify)).toEqual([])
    await waitFor(() => !isWindowOpen())
  },
)

test('a wrong PIN costs one try and says what is left; a blocked one is not asked for at the pad', async () => {
  proves('pin-pad')
  const card = await bed.insert()
  pad.enter({ digits: '654321' })
  expect(await post('verify-pin')).toMatchObject({
    status: 422,
    json: { code: '108003', triesLeft: 2 },
  })
  expect(card.trace.filter(isVerify)).toHaveLength(1)
  // The user agrees to each attempt after a wrong one.
  await pinentry.type('yes')
  await post('verify-pin')
  expect(await post('verify-pin')).toMatchObject({ status: 409, json: { code: '108004' } })
  const before = pad.verifications.length
  await pinentry.read()
  expect(await post('verify-pin')).toMatchObject({ status: 409, json: { code: '108004' } })
  expect([pad.verifications.length, await pinentry.read()]).toEqual([before, ''])
  await pinentry.type('wait')
})

test('who cancels in the notice has an answer at once; what is then typed at the pad signs nothing, and the card is reset', async () => {
  proves('pad-pin-misused')
  const card = await bed.insert()
  const before = pad.verifications.length
  pad.enter('wait')
  const answer = sign()
  await waitAtPad(before)
  await pinentry.type('cancel')
  const { status, json } = await answer
  expect([status, json.code]).toEqual([409, '108005'])
  pad.enter({ digits: pin })
  await waitFor(() => card.trace.at(-1) === 'reset')
  expect(card.trace.filter(isVerify)).toHaveLength(1)
  expect(card.trace.filter((entry) => entry.startsWith('0087'))).toEqual([])
  await pinentry.type('wait')
  expect((await sign()).status).toBe(200)
})

test('the notice of a page that has gone goes too, and the card is reset', async () => {
  proves('pad-pin-misused')
  const card = await bed.insert()
  const before = pad.verifications.length
  pad.enter('wait')
  const reader = (await bed.find())?.id
  const page = request({
    host: '127.0.0.1',
    port: bed.connector.port,
    ca: bed.connector.ca,
    servername: 'localhost',
    path: `/v3/modules/piv/apps/token/readers/${reader}/verify-pin`,
    method: 'POST',
    headers: {
      'x-csrf-token': 't1c-js',
      'content-type': 'application/json',
      authorization: `Bearer ${bed.connector.token}`,
    },
  })
  page.once('error', () => undefined).end('{}')
  await waitAtPad(before)
  await waitFor(isWindowOpen)
  page.destroy()
  await waitFor(() => !isWindowOpen())
  pad.enter({ status: '6401' })
  await waitFor(() => card.trace.at(-1) === 'reset')
})

test('several digests are signed with as many entries, which the notice announces in the language of the page', async () => {
  proves('pin-pad-notice')
  const card = await bed.insert()
  pad.enter('wait')
  const body = { algorithm: 'sha256', digests: [data, data], id: '9C', language: 'nl' }
  const answer = post('signatures', body)
  const [, text] = await readNotice()
  pad.enter({ digits: pin })
  const { status, json } = await answer
  expect([status, json.description]).toEqual([200, undefined])
  expect(json.data.signatures).toHaveLength(2)
  expect(card.trace.filter(isVerify)).toHaveLength(2)
  expect(text?.replaceAll('\n', ' ')).toContain(
    'Toets uw pincode in op de kaartlezer. De kaartlezer vraagt 2 keer om de pincode, één keer per handtekening.',
  )
})

test('the pad of these tests is one that another program uses: OpenSC logs in without a PIN of its own', async () => {
  proves('pin-pad')
  const card = await bed.insert()
  pad.enter({ digits: pin })
  const before = pad.verifications.length
  const module = ['--module', 'opensc-pkcs11.so', '--slot-index', '0']
  const { stdout, stderr } = await run('pkcs11-tool', [...module, '--login', '--list-objects'])
  expect(`${stdout}${stderr}`).toContain('Private Key Object')
  expect(pad.verifications.length).toBe(before + 1)
  expect(card.trace.filter(isVerify)).toHaveLength(1)
})
