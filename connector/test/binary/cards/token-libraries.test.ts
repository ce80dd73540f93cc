/** Cards whose ATR the administrator has named for OpenSC's library, as legacy clients use them, through the compiled connector. */
import { createHash, verify, X509Certificate } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Display, startDisplay } from '../../../../test/bed/display.ts'
import { findFreePort } from '../../../../test/bed/free-port.ts'
import { cardPorts } from '../../../../test/bed/pcscd.ts'
import { proves } from '../../../../test/bed/proves.ts'
import type { VirtualCard } from '../../../../test/bed/virtual-card.ts'
import { waitFor } from '../../../../test/bed/wait-for.ts'
import {
  type CardFiles,
  insertPivCard,
  makeKeys,
  type TracedCard,
} from '../../cards/emulated-card.ts'
import { openpgpAtrs } from '../../cards/openpgp-card.ts'
import { insertOpenpgpCard, makeOpenpgpFiles } from '../../cards/openpgp-files.ts'
import { readLibrary } from '../../tokens/soft-token.ts'
import { type DeployedClient, deployedClient } from '../deployed/client.ts'
import { generations } from '../deployed/generations.ts'
import { openPage } from '../deployed/page.ts'
import { openToken } from '../deployed/token-client.ts'
import { type CardReader, pin } from './card-reader.ts'
import type { ScriptedPinentry } from './scripted-pinentry.ts'
import { startUserAtReader, type UserAtReader } from './user-at-reader.ts'

const message = Buffer.from('a message that is signed')
const digest = createHash('sha256').update(message).digest('base64')
const openScPath = '/usr/lib/x86_64-linux-gnu/opensc-pkcs11.so'
const origin = 'https://shop.pages.example'

let folder: string
let display: Display
let registryPort: number
let user: UserAtReader
let bed: CardReader
let pinentry: ScriptedPinentry
let files: CardFiles
let card: TracedCard & VirtualCard
let client: DeployedClient
let reader: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cardwire-tokens-'))
  files = await makeKeys(
    { '9A': 'P-256', '9C': 'RSA-2048' },
    { '9A': 'digitalSignature', '9C': 'nonRepudiation' },
  )
  display = await startDisplay()
  registryPort = await findFreePort()
  const cards = join(folder, 'cards.json')
  // Of the emulated cards.
  const atrs = ['3B8D800180FBA000000308000010000100CD', openpgpAtrs['T=1']]
  const libraries = [{ ...(await readLibrary(openScPath)), atrs }]
  const grants = [{ origin, allow: ['raw-authenticate'] }]
  await writeFile(cards, JSON.stringify({ grants, libraries }), { mode: 0o600 })
  user = await startUserAtReader({
    ...display.settings,
    CARDWIRE_CARDS: cards,
    CARDWIRE_CORS: 'https://*.pages.example',
    CARDWIRE_JWT: 'off',
    CARDWIRE_REGISTRY_PORT: String(registryPort),
  })
  ;({ bed, pinentry } = user)
  await bed.connector.waitForOutput(/registry found/)
  card = await insertPivCard(cardPorts[0], { keys: files.keys, pin, protocol: 'T=1' })
  await waitFor(async () => (await bed.find())?.card !== undefined)
  reader = (await bed.find())?.id ?? ''
  client = await connect(origin)
})
afterAll(async () => {
  await card?.remove()
  await user?.stop()
  await display?.stop()
  await rm(folder, { recursive: true, force: true })
})
beforeEach(async () => {
  await pinentry.type(pin)
  await pinentry.read()
})

const findGeneration = () => {
  const [generation] = generations.filter(({ version }) => version === '3.8.8')
  if (!generation) throw new Error('Expected a generation')
  return generation
}
/** A page of this origin, with consent. */
async function connect(from: string): Promise<DeployedClient> {
  const page = openPage(from, [bed.connector.ca])
  const connected = deployedClient(page, findGeneration(), { registryPort })
  await connected.initialize().catch(() => undefined)
  const word = connected.codeWord()
  await display.copy(word)
  await connected.getImplicitConsent(word)
  return connected
}
const open = (module: string, from = client) =>
  openToken(from, findGeneration(), { module, reader })
const isValid = async (slot: '9A' | '9C', signature: string) => {
  const { publicKey } = new X509Certificate(await readFile(files.certificateFile(slot)))
  const key = { key: publicKey, dsaEncoding: 'ieee-p1363' } as const
  return verify('sha256', message, key, Buffer.from(signature, 'base64'))
}
const signing = { algorithm: 'sha256', data: digest }

test('the listing names the module before that of the card', async () => {
  expect((await bed.find())?.card).toMatchObject({ module: 'pkcs11', modules: ['pkcs11', 'piv'] })
})

describe.each(['pkcs11', 'safenet', 'idemia_cosmo_82', 'oberthur_73', 'certigna', 'dnie'])(
  'factory %s',
  (module) => {
    test('reads the certificates and the algorithms', async () => {
      proves('pkcs11-library')
      const token = open(module)
      const read = async (slot: '9A' | '9C') =>
        new X509Certificate(await readFile(files.certificateFile(slot))).raw.toString('base64')
      expect(await token.certificates()).toMatchObject({
        authenticationCertificate: { certificate: await read('9A'), id: '01' },
        nonRepudiationCertificate: { certificate: await read('9C'), id: '02' },
      })
      expect(await token.algorithms()).toContain('sha256')
    })

    test('signs with RSA after a dialog, and the card is reset before another has it', async () => {
      proves('pkcs11-library', 'library-pin-reused')
      const { data } = await open(module).post('sign', signing)
      expect(await isValid('9C', data)).toBe(true)
      expect(await pinentry.read()).toContain(origin)
      const last = card.trace.findLastIndex((entry) => entry.startsWith('002000'))
      expect(card.trace.slice(last)).toContain('reset')
    })
  },
)

test('a page with the grant authenticates with an elliptic key', async () => {
  proves('pkcs11-library')
  const { data } = await open('jcop3').post('authenticate', signing)
  expect(await isValid('9A', data)).toBe(true)
})

test('the PIN is verified, and a wrong one is told', async () => {
  proves('pkcs11-library')
  const token = open('pkcs11')
  expect(await token.post('verify-pin', {})).toEqual({ verified: true })
  // Each of them has to wait after that.
  for (const [typed, code] of [
    ['654321', '108003'],
    ['12', '108007'],
  ] as const) {
    const other = open('pkcs11', await connect(`https://typed-${typed}.pages.example`))
    await pinentry.type(typed)
    await expect(other.post('verify-pin', {})).rejects.toMatchObject({ code })
  }
  await pinentry.type(pin)
  expect(await token.post('verify-pin', {})).toEqual({ verified: true })
})

test('the token tells of itself in the words of PKCS #11', async () => {
  proves('pkcs11-library')
  const path = `/v3/modules/safenet/apps/token/readers/${reader}/info`
  expect(await client.get(path)).toMatchObject({
    infoType: 'PKCS11',
    module: { name: 'safenet', isHashedByToken: false },
    info: { slot: 'Virtual PCD 00 00', ulMinPinLen: 4, ulMaxPinLen: 8 },
  })
})

test('a page learns no path of a library, and sets none', async () => {
  proves('pkcs11-library')
  const config = '/v3/modules/pkcs11/apps/token/config'
  expect(await client.get(config)).toEqual({ macos: '', win: '', linux: '' })
  const body = { macos: '', win: '', linux: '/tmp/a.so' }
  const refused = {
    code: '104007',
    message: expect.stringContaining('configures the card libraries'),
  }
  await expect(client.request('POST', config, { body })).rejects.toMatchObject(refused)
  await expect(client.request('PATCH', `${config}/reset`)).rejects.toMatchObject(refused)
})

test('uses are counted for the module pkcs11', async () => {
  proves('pkcs11-library')
  const token = open('safenet')
  await token.post('verify-pin', {})
  await token.post('sign', signing)
  await token.post('authenticate', signing)
  const { json } = await bed.connector.request('/ds/transactions')
  for (const useCase of ['signature', 'authentication', 'pin-verification'])
    expect(json.data).toContainEqual(expect.objectContaining({ module: 'pkcs11', useCase }))
})

test('its own module answers for the card as well', async () => {
  const { data } = await open('piv').post('sign', signing)
  expect(await isValid('9C', data)).toBe(true)
})

interface Certificate {
  readonly id: string
  readonly certificate: string
}

test('a card with a slot for each of its PINs signs with the key that a page names', async () => {
  proves('pkcs11-library')
  await card.remove()
  await waitFor(async () => (await bed.find())?.card === undefined)
  const { keys, certificates } = await makeOpenpgpFiles('RSA-2048')
  card = await insertOpenpgpCard(cardPorts[0], { keys, certificates, pin, protocol: 'T=1' })
  await waitFor(async () => (await bed.find())?.card?.module === 'pkcs11')
  const read = async (kind: string): Promise<readonly Certificate[]> =>
    (await client.get(`/v3/modules/pkcs11/apps/token/readers/${reader}/${kind}`)).certificates
  const signatures = await read('nonrepudiation-cert')
  const authentications = await read('authentication-cert')
  expect(signatures.map(({ id }) => id)).toEqual(['01'])
  expect(authentications.map(({ id }) => id).sort()).toEqual(['02', '03'])
  const all = [...signatures, ...authentications]
  for (const [id, name] of [
    ['01', 'OpenPGP card (User PIN (sig))'],
    ['03', 'OpenPGP card (User PIN)'],
  ]) {
    const { data } = await open('pkcs11').post('sign', { ...signing, id })
    const certificate = all.find((one) => one.id === id)?.certificate ?? ''
    const { publicKey } = new X509Certificate(Buffer.from(certificate, 'base64'))
    expect(verify('sha256', message, publicKey, Buffer.from(data, 'base64'))).toBe(true)
    expect(await pinentry.read()).toContain(`Card: ${name}%0A`)
  }
})

test('a card that no library is named for is card-unsupported to the same factories', async () => {
  proves('pkcs11-library')
  await card.remove()
  await waitFor(async () => (await bed.find())?.card === undefined)
  card = await insertPivCard(cardPorts[0], { keys: files.keys, pin, protocol: 'T=0' })
  await waitFor(async () => (await bed.find())?.card !== undefined)
  await expect(open('safenet').certificates()).rejects.toMatchObject({ code: '702003' })
})
