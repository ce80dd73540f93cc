/** PINs and signatures of a PIV card through the compiled connector, with a real card service. */
import { execFile } from 'node:child_process'
import { createHash, verify, X509Certificate } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { proves } from '../../../../test/bed/proves.ts'
import { waitFor } from '../../../../test/bed/wait-for.ts'
import { makeKeys } from '../../cards/emulated-card.ts'
import { type CardReader, pin } from './card-reader.ts'
import type { ScriptedPinentry } from './scripted-pinentry.ts'
import { startUserAtReader, type UserAtReader } from './user-at-reader.ts'

const run = promisify(execFile)
const message = Buffer.from('a message that is signed')

let user: UserAtReader
let bed: CardReader
let pinentry: ScriptedPinentry

beforeAll(async () => {
  user = await startUserAtReader()
  ;({ bed, pinentry } = user)
})
afterAll(() => user?.stop())

const post = (path: string, body: object, module = 'piv') =>
  bed.token(path, module, {
    method: 'POST',
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json' },
  })
const digestOf = (hash: string) => createHash(hash).update(message).digest('base64')

/** Whether this is a signature of the message by the key of a slot. */
async function isValid(slot: '9A' | '9C' | '9D' | '9E', hash: string, signature: string) {
  const { publicKey } = new X509Certificate(await readFile(bed.files.certificateFile(slot)))
  const key = { key: publicKey, dsaEncoding: 'ieee-p1363' } as const
  return verify(hash, message, key, Buffer.from(signature, 'base64'))
}

const isVerify = (entry: string) => entry.startsWith('00200080') && entry.endsWith('bytes)')

describe.each(['T=1', 'T=0'] as const)('PIV card over %s', (protocol) => {
  test.each([
    ['9A', 'sha256'],
    ['9C', 'sha256'],
    ['9C', 'SHA-512'],
    ['9D', 'sha384'],
    ['9D', 'sha1'],
    ['9E', 'sha512'],
  ] as const)('key %s signs with %s', async (id, algorithm) => {
    proves('piv-signatures')
    await bed.insert({ protocol })
    await pinentry.type(pin)
    const hash = algorithm.toLowerCase().replace('-', '')
    const data = digestOf(hash)
    const { status, json } = await post('sign', { algorithm, data, id, base64Encoded: true })
    expect([status, json.description]).toEqual([200, undefined])
    expect(await isValid(id, hash, json.data.data)).toBe(true)
  })
})

test('sign_raw makes the digest itself, and sign and authenticate choose the key for it', async () => {
  proves('piv-signatures')
  await bed.insert()
  await pinentry.type(pin)
  const raw = await post('sign_raw', { algorithm: 'sha256', data: message.toString('base64') })
  expect(await isValid('9C', 'sha256', raw.json.data.data)).toBe(true)
  const body = { algorithm: 'sha256', data: digestOf('sha256') }
  expect(await isValid('9C', 'sha256', (await post('sign', body)).json.data.data)).toBe(true)
  const authenticated = await post('authenticate', body)
  expect(await isValid('9A', 'sha256', authenticated.json.data.data)).toBe(true)
})

test('VERIFY stands directly before the signing command, and the card is reset after it', async () => {
  proves('pin-reused')
  const card = await bed.insert()
  await pinentry.type(pin)
  await post('sign', { algorithm: 'sha256', data: digestOf('sha256') })
  const at = card.trace.findIndex(isVerify)
  expect(card.trace.slice(at - 1, at + 4)).toEqual([
    expect.stringMatching(/^00C0/),
    '0020008008 (8 bytes)',
    expect.stringMatching(/^1087079C/),
    expect.stringMatching(/^0087079C/),
    expect.stringMatching(/^00C0/),
  ])
  expect(card.trace.filter(isVerify)).toHaveLength(1)
  expect(card.trace.slice(at + 4).filter((entry) => entry === 'reset')).not.toEqual([])
  expect(card.trace.join()).not.toContain(Buffer.from(pin).toString('hex'))
})

test('a wrong PIN costs one try and says what is left; a blocked one is not tried', async () => {
  proves('wrong-pin')
  const card = await bed.insert()
  await pinentry.type('654321')
  const wrong = await post('verify-pin', {})
  expect(wrong).toMatchObject({ status: 422, json: { code: '108003', triesLeft: 2 } })
  expect(card.trace.filter(isVerify)).toHaveLength(1)
  await post('verify-pin', {})
  expect(await post('verify-pin', {})).toMatchObject({ status: 409, json: { code: '108004' } })
  await pinentry.read()
  expect(await post('verify-pin', {})).toMatchObject({ status: 409, json: { code: '108004' } })
  expect(await pinentry.read()).toBe('')
  expect(card.trace.filter(isVerify)).toHaveLength(3)
})

test.each(['12345', '123456789', '12a456'])('the PIN %s is never sent', async (typed) => {
  proves('wrong-pin', 'page-takes-pin')
  const card = await bed.insert()
  await pinentry.type(typed)
  expect(await post('verify-pin', {})).toMatchObject({ status: 422, json: { code: '108007' } })
  expect(card.trace.filter(isVerify)).toEqual([])
})

test('a dialog that is cancelled sends nothing', async () => {
  proves('wrong-pin')
  const card = await bed.insert()
  await pinentry.type('cancel')
  expect(await post('verify-pin', {})).toMatchObject({ status: 409, json: { code: '108005' } })
  expect(card.trace.filter(isVerify)).toEqual([])
})

test('a PIN of the page is not used: the dialog opens all the same', async () => {
  proves('page-takes-pin')
  await bed.insert()
  await pinentry.type(pin)
  await pinentry.read()
  const { json } = await post('verify-pin', { pin: '000000', osDialog: false })
  expect(json.data).toEqual({ verified: true })
  expect(await pinentry.read()).toContain('GETPIN')
})

test("another program's verified PIN does not spare the dialog, and ours serves nobody after us", async () => {
  proves('pin-reused')
  const card = await bed.insert()
  const other = ['-r', 'Virtual PCD 00 00', '-a', 'verify-pin', '-P', pin]
  await run('yubico-piv-tool', other)
  await pinentry.type('cancel')
  const body = { algorithm: 'sha256', data: digestOf('sha256'), id: '9A' }
  expect((await post('sign', body)).status).toBe(409)
  await pinentry.type(pin)
  expect((await post('sign', body)).status).toBe(200)
  expect(card.trace.at(-1)).toBe('reset')
})

test('a card that is taken out while the dialog is open gets no PIN', async () => {
  proves('dialogs-queue', 'pin-reused')
  await pinentry.type('wait')
  await pinentry.read()
  const other = await makeKeys({ '9C': 'RSA-2048' })
  let answer: Promise<{ status: number; json: { code?: string } }> | undefined
  await (async () => {
    const first = await bed.insert()
    answer = post('verify-pin', {})
    let shown = ''
    await waitFor(async () => {
      shown += await pinentry.read()
      return shown.includes('GETPIN')
    })
    await first.remove()
  })()
  expect(await answer).toMatchObject({ status: 409, json: { code: '702002' } })
  const second = await bed.insert({ keys: other.keys })
  await pinentry.type(pin)
  expect(second.trace.filter(isVerify)).toEqual([])
})

test.each([
  [{ algorithm: 'md5', data: 'AAAA' }, 422, '106004'],
  [{ algorithm: 'sha256', data: 'AAAA' }, 422, '106004'],
  [{ algorithm: 'sha256', data: '!' }, 422, '106004'],
  [{ algorithm: 'sha256', data: 'A'.repeat(90_000) }, 422, '106004'],
  [{ algorithm: 'sha256', data: digestOf('sha256'), id: '9F' }, 422, '202001'],
])('bad input %# is a problem, and nothing reaches the card', async (body, status, code) => {
  proves('card-input-validated')
  const card = await bed.insert()
  const before = card.trace.length
  expect(await post('sign', body)).toMatchObject({ status, json: { code } })
  expect(card.trace.slice(before)).toEqual([])
})

test('each success is counted once, by module and operation', async () => {
  proves('uses-counted')
  await bed.insert()
  const uses = async () => {
    const { json } = await bed.connector.request('/ds/transactions')
    const list = json.data as { module: string; useCase: string; counter: number }[]
    return list.find(({ module, useCase }) => module === 'piv' && useCase === 'signature')?.counter
  }
  const before = (await uses()) ?? 0
  const body = { algorithm: 'sha256', data: digestOf('sha256') }
  await pinentry.type('cancel')
  await post('sign', body)
  await pinentry.type(pin)
  await post('sign', body)
  expect(await uses()).toBe(before + 1)
})
