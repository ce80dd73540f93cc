/** Pages with consent, and what the administrator's grants let them do with a card. */
import { createHash, verify, X509Certificate } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Display, startDisplay } from '../../../../test/bed/display.ts'
import { proves } from '../../../../test/bed/proves.ts'
import { type CardReader, pin } from './card-reader.ts'
import { type GrantedPage, openPage } from './granted-page.ts'
import type { ScriptedPinentry } from './scripted-pinentry.ts'
import { startUserAtReader, type UserAtReader } from './user-at-reader.ts'

const granted = 'https://granted.pages.example'
const other = 'https://other.pages.example'
const message = Buffer.from('a message that is signed')
const data = createHash('sha256').update(message).digest('base64')

let folder: string
let display: Display
let pinentry: ScriptedPinentry
let user: UserAtReader
let bed: CardReader
const pages = new Map<string, GrantedPage>()

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cardwire-grants-'))
  const cards = join(folder, 'cards.json')
  const grants = [{ origin: granted, allow: ['raw-authenticate'] }]
  await writeFile(cards, JSON.stringify({ grants }), { mode: 0o600 })
  display = await startDisplay()
  user = await startUserAtReader({
    ...display.settings,
    CARDWIRE_CARDS: cards,
    CARDWIRE_CORS: 'https://*.pages.example',
    CARDWIRE_JWT: 'off',
  })
  ;({ bed, pinentry } = user)
  await pinentry.type(pin)
  for (const origin of [granted, other]) pages.set(origin, await openPage(bed, display, origin))
})
afterAll(async () => {
  await user?.stop()
  await display?.stop()
  await rm(folder, { recursive: true, force: true })
})

const sign = async (origin: string, path: string, id?: string) => {
  const answer = await pages.get(origin)?.call(path, { algorithm: 'sha256', data, id })
  if (!answer) throw new Error(`no page of ${origin}`)
  return answer
}

/** Whether this is a signature of the message by the key 9A. */
async function isValid(signature: string) {
  const { publicKey } = new X509Certificate(await readFile(bed.files.certificateFile('9A')))
  const key = { key: publicKey, dsaEncoding: 'ieee-p1363' } as const
  return verify('sha256', message, key, Buffer.from(signature, 'base64'))
}

test.each([
  ['authenticate', undefined],
  ['sign', '9A'],
  ['sign_raw', '9A'],
  ['sign', '9D'],
  ['sign', '9E'],
] as const)(
  'a page without a grant gets 403 from %s with key %s: no dialog, and no signature',
  async (path, id) => {
    proves('raw-authenticate-grant', 'authentication-digest', 'page-pin-misused')
    const card = await bed.insert()
    await pinentry.read()
    const before = card.trace.length
    const { status, json } = await sign(other, path, id)
    expect([status, json.code]).toEqual([403, '104007'])
    expect(json.description).toContain(`{"origin":"${other}","allow":["raw-authenticate"]}`)
    expect(await pinentry.read()).toBe('')
    expect(card.trace.slice(before)).toEqual([])
  },
)

test('a page with the grant signs with the key to authenticate, after a dialog that names it', async () => {
  proves('raw-authenticate-grant')
  await bed.insert()
  await pinentry.read()
  const { status, json } = await sign(granted, 'authenticate')
  expect(status).toBe(200)
  expect(await isValid(json.data.data)).toBe(true)
  expect(await pinentry.read()).toContain(granted)
})

test('a page without a grant signs with the key of signatures', async () => {
  proves('raw-authenticate-grant')
  await bed.insert()
  expect((await sign(other, 'sign')).status).toBe(200)
})
