/** Libraries of tokens that crash, hang and lie, beside a reader of a real card service, through the compiled connector. */
import { appendFile, copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { proves } from '../../../../test/bed/proves.ts'
import { waitFor } from '../../../../test/bed/wait-for.ts'
import { buildFaultyLibrary, type FaultyLibrary } from '../../tokens/faulty-library.ts'
import { type CardReader, startCardReader } from './card-reader.ts'
import { createPinentry, type ScriptedPinentry } from './scripted-pinentry.ts'

let folder: string
let faulty: FaultyLibrary
let pinentry: ScriptedPinentry
let bed: CardReader
let token: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cardwire-tokens-'))
  faulty = await buildFaultyLibrary()
  const altered = join(folder, 'altered.so')
  await copyFile(faulty.library.path, altered)
  await appendFile(altered, 'more')
  const cards = join(folder, 'cards.json')
  const libraries = [
    { ...faulty.library, ownReaders: true },
    { ...faulty.library, path: altered, ownReaders: true },
  ]
  await writeFile(cards, JSON.stringify({ libraries }), { mode: 0o600 })
  pinentry = await createPinentry()
  await pinentry.type('1234')
  bed = await startCardReader({ CARDWIRE_CARDS: cards, PATH: pinentry.path, DISPLAY: ':none' })
  await waitFor(async () => (await findToken()) !== undefined)
  token = (await findToken())?.id ?? ''
})
afterAll(async () => {
  await bed?.stop()
  await pinentry?.remove()
  await faulty?.remove()
  await rm(folder, { recursive: true, force: true })
})
beforeEach(async () => {
  await faulty.fail(undefined)
  await pinentry.type('1234')
  await pinentry.read()
})

const findToken = async () => {
  const { json } = await bed.connector.request('/v3/readers')
  const all: readonly { readonly id: string; readonly name: string }[] = json.data
  return all.find(({ name }) => name === 'Faulty')
}
const inToken = (path: string) => `/v3/modules/pkcs11/apps/token/readers/${token}/${path}`
const list = () => bed.connector.request(inToken('cert-list'))
const verifyPin = () =>
  bed.connector.request(inToken('verify-pin'), {
    method: 'POST',
    body: '{}',
    headers: { 'content-type': 'application/json' },
  })
const signing = { algorithm: 'sha256', data: Buffer.alloc(32).toString('base64') }
const sign = () =>
  bed.connector.request(inToken('sign'), {
    method: 'POST',
    body: JSON.stringify(signing),
    headers: { 'content-type': 'application/json' },
  })
const readSandbox = async () => (await bed.connector.request('/info')).json.data.t1CInfoAPI.sandbox

describe.each([
  ...['C_Initialize', 'C_GetFunctionList', 'C_GetSlotList', 'C_OpenSession', 'C_FindObjects'],
  ...['C_GetAttributeValue', 'C_CloseSession'],
])('a library that ends its process in %s', (call) => {
  test.each(['crash', 'exit'])('(%s) is card-mute, and the next call works', async (behaviour) => {
    const sandbox = await readSandbox()
    // A process that has the library has left these behind.
    if (/Initialize|FunctionList/.test(call)) {
      await faulty.fail('C_OpenSession crash')
      await list()
    }
    await faulty.fail(`${call} ${behaviour}`)
    expect(await list()).toMatchObject({ status: 503, json: { code: '702004' } })
    await faulty.fail(undefined)
    expect(await list()).toMatchObject({ status: 200 })
    expect(await readSandbox()).toEqual(sandbox)
  })
})

test.each([
  ['C_GetSlotList lie'],
  ['C_FindObjects lie'],
  ['C_GetAttributeValue lie'],
  ['growing lie'],
  ['C_GetMechanismList lie'],
])('one that answers %s is card-mute, and the next call works', async (fault) => {
  proves('library-misbehaves')
  await faulty.fail(fault)
  expect(await list()).toMatchObject({ status: 503, json: { code: '702004' } })
  await faulty.fail(undefined)
  expect(await list()).toMatchObject({ status: 200 })
})

test('one that writes to the output of its process is read all the same', async () => {
  proves('library-output')
  await faulty.fail('C_FindObjects write')
  expect(await list()).toMatchObject({ status: 200 })
})

test.each([['C_Login crash'], ['C_Sign crash'], ['C_Sign lie'], ['C_Logout exit'], [undefined]])(
  'one that signs wrongly (%s) is card-mute',
  async (fault) => {
    proves('library-misbehaves')
    await faulty.fail(fault)
    expect(await sign()).toMatchObject({ status: 503, json: { code: '702004' } })
    await faulty.fail(undefined)
    expect(await list()).toMatchObject({ status: 200 })
  },
)

test('one that hangs is a problem in time, and cards come and go meanwhile', async () => {
  proves('library-misbehaves')
  await faulty.fail('C_FindObjects hang')
  const hanging = list()
  const card = await bed.insert()
  expect(await bed.token('cert-list')).toMatchObject({ status: 200 })
  await card.remove()
  await waitFor(async () => (await bed.find())?.card === undefined)
  expect(await hanging).toMatchObject({ status: 503 })
  await faulty.fail(undefined)
  expect(await list()).toMatchObject({ status: 200 })
})

test('one that hangs while the tokens are listed keeps no other reader from the listing', async () => {
  proves('library-misbehaves')
  await faulty.fail('C_GetSlotList hang')
  expect(await bed.find()).toBeDefined()
  expect(await findToken()).toBeDefined()
})

test('one that is not the file which the administrator named is never loaded, and the log says why', async () => {
  proves('library-swapped')
  const output = bed.connector.output()
  expect(output).toMatch(/library not used.*altered\.so.*its SHA-256 is [0-9a-f]{64}/)
})

test('a token with one try left has a dialog that says so, and a wrong PIN is told with it', async () => {
  proves('pkcs11-tokens-without-reader')
  await faulty.fail('C_GetTokenInfo final')
  expect(await verifyPin()).toMatchObject({ status: 200, json: { data: { verified: true } } })
  expect(await pinentry.read()).toContain('This is your last attempt.')
  await pinentry.type('4321')
  const { json } = await verifyPin()
  expect([json.code, json.triesLeft]).toEqual(['108003', 1])
})

test('a token whose PIN is blocked has no dialog', async () => {
  await faulty.fail('C_GetTokenInfo locked')
  expect(await verifyPin()).toMatchObject({ status: 409, json: { code: '108004', triesLeft: 0 } })
  expect(await pinentry.read()).toBe('')
})

test('a token with keys of its own has the PIN typed there, and a notice that says so', async () => {
  proves('pkcs11-tokens-without-reader')
  await faulty.fail('C_GetTokenInfo pad')
  expect(await verifyPin()).toMatchObject({ status: 200, json: { data: { verified: true } } })
  expect(await pinentry.read()).not.toContain('GETPIN')
})

test('a token that wants no PIN signs nothing', async () => {
  proves('token-key-misused')
  await faulty.fail('C_GetTokenInfo open')
  expect(await sign()).toMatchObject({ status: 422, json: { code: '202002' } })
})
