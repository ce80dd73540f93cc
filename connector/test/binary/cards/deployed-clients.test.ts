/** Every generation of legacy client libraries with a card: the compiled connector, a real card service, a PIV card. */
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
import { type DeployedClient, deployedClient, Rejected } from '../deployed/client.ts'
import { type Call, otherFactories } from '../deployed/factories.ts'
import { type Generation, newest, testedGenerations } from '../deployed/generations.ts'
import { openPage } from '../deployed/page.ts'
import { openToken, type TokenClient } from '../deployed/token-client.ts'
import { type CardReader, pin } from './card-reader.ts'
import type { ScriptedPinentry } from './scripted-pinentry.ts'
import { startUserAtReader, type UserAtReader } from './user-at-reader.ts'

const message = Buffer.from('a message that is signed')
const digest = createHash('sha256').update(message).digest('base64')
const granted = 'https://granted.pages.example'

let folder: string
let display: Display
let pinentry: ScriptedPinentry
let registryPort: number
let user: UserAtReader
let bed: CardReader
let files: CardFiles
let card: TracedCard & VirtualCard

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cardwire-deployed-'))
  const cards = join(folder, 'cards.json')
  const grants = [{ origin: granted, allow: ['raw-authenticate'] }]
  await writeFile(cards, JSON.stringify({ grants }), { mode: 0o600 })
  display = await startDisplay()
  registryPort = await findFreePort()
  user = await startUserAtReader({
    ...display.settings,
    CARDWIRE_CARDS: cards,
    CARDWIRE_CORS: 'https://*.pages.example',
    CARDWIRE_JWT: 'off',
    CARDWIRE_LOG_LEVEL: 'debug',
    CARDWIRE_REGISTRY_PORT: String(registryPort),
  })
  ;({ bed, pinentry } = user)
  await bed.connector.waitForOutput(/registry found/)
  files = await makeKeys({ '9A': 'P-256', '9C': 'RSA-2048' })
  card = await insertPivCard(cardPorts[0], { keys: files.keys, pin, protocol: 'T=1' })
  await waitFor(async () => (await bed.find())?.card !== undefined)
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

describe.each(testedGenerations)('client $version', (generation) => {
  let page: CardPage
  beforeAll(async () => {
    page = await openCardPage(generation)
  })

  test('reads the certificates, all, one alone, and the list behind it', async () => {
    proves('legacy-clients-piv')
    const { client, token, inReader } = page
    const authenticationCertificate = await readCertificate('9A', 'authentication')
    const nonRepudiationCertificate = await readCertificate('9C', 'non-repudiation')
    expect(await token.certificates()).toEqual({
      authenticationCertificate,
      nonRepudiationCertificate,
    })
    expect(await token.certificate('nonrepudiation-cert')).toEqual(nonRepudiationCertificate)
    const { certificates } = await client.get(`${inReader}/authentication-cert`)
    const { certificate } = authenticationCertificate
    // Without a token the header `Authorization` is empty up to 3.5.3, and absent afterwards.
    const isEarlier = generation.authorization === 'always'
    const first = isEarlier ? certificate : expect.objectContaining({ certificate, id: '9A' })
    expect(certificates[0]).toEqual(first)
  })

  test('signs digests and messages and verifies a PIN: in a dialog, whatever PIN it sends', async () => {
    proves('legacy-clients-piv')
    const { token } = page
    expect(await token.algorithms()).toContain('sha256')
    const wishes = { osDialog: true, txId: 'tx-1', language: 'nl', timeout: 60 }
    const body = { algorithm: 'sha256', data: digest, ...wishes }
    const raw = { ...body, data: message.toString('base64'), id: '9C' }
    for (const signed of [
      await token.post('sign?bulk=true', body),
      await token.post('sign_raw', raw, '000000'),
    ]) {
      expect(await isValid('9C', signed.data)).toBe(true)
    }
    const verified = await token.post('verify-pin', { osDialog: false }, '000000')
    expect(verified).toEqual({ verified: true })
    expect((await pinentry.read()).match(/GETPIN/g)).toHaveLength(3)
    const resets = [await token.resetBulkPin('GET'), await token.resetBulkPin('POST')]
    expect(resets).toEqual([true, true])
  })

  test('is told what the card, the user or its own input prevents, each by a code', async () => {
    proves('legacy-clients-piv')
    const { client, token } = page
    // Each of them has to wait after that.
    for (const [typed, code] of [
      ['654321', '108003'],
      ['cancel', '108005'],
    ] as const) {
      const origin = `https://${typed}-${generation.version.replaceAll('.', '-')}.pages.example`
      const { token: other } = await openCardPage(generation, origin)
      await pinentry.type(typed)
      await expect(other.post('verify-pin', {})).rejects.toMatchObject({ code })
      await expect(other.post('verify-pin', {})).rejects.toMatchObject({ code: '108005' })
    }
    await pinentry.type(pin)
    expect(await token.post('verify-pin', {})).toEqual({ verified: true })
    await expect(token.certificate('root-cert')).rejects.toMatchObject({ code: '202001' })
    const short = { algorithm: 'sha256', data: 'AAAA' }
    await expect(token.post('sign', short)).rejects.toMatchObject({ code: '106004' })
    const nowhere = '/v3/modules/piv/apps/token/readers/0000000000000000/cert-list'
    await expect(client.get(nowhere)).rejects.toMatchObject({ code: '701001' })
  })

  test('is refused authentication without a grant, and a library of its own choice, in words', async () => {
    proves('page-library')
    const { client, token } = page
    const before = card.trace.length
    const authenticated = token.post('authenticate', { algorithm: 'sha256', data: digest })
    await expect(authenticated).rejects.toMatchObject({
      code: '104007',
      message: expect.stringContaining('the administrator has to enter'),
    })
    const body = { macos: '/tmp/a.dylib', win: 'C:\\a.dll', linux: '/tmp/a.so' }
    const path = '/v3/modules/pkcs11/apps/token/config'
    await expect(client.request('POST', path, { body })).rejects.toMatchObject({
      code: '104007',
      message: expect.stringContaining('an administrator configures the card libraries'),
    })
    expect(card.trace.slice(before)).toEqual([])
  })

  test('is told by every factory without a module that the card is not supported', async () => {
    proves('legacy-clients-missing-modules')
    const isWhole = ['3.4.2', newest.version].includes(generation.version)
    expect(await findWrongAnswers(page, isWhole ? () => true : isCommon)).toEqual([])
  })
})

describe('the newest client', () => {
  let page: CardPage
  beforeAll(async () => {
    page = await openCardPage(newest, granted)
  })

  test.each([
    ['GET', 'truststore/certs-list'],
    ['POST', 'truststore/reset-bulk-pin'],
    // What getInfo() of simplesign asks for.
    ['GET', 'simplesign'],
    ['GET', 'simplesign/ctx'],
    ['POST', 'simplesign'],
    ['POST', 'vdds/cmd/exec'],
    ['GET', 'wacom-stu/devices'],
  ] as const)('is told that there is no such module: %s %s', async (method, path) => {
    proves('legacy-clients-omitted-modules', 'windows-keys-elsewhere')
    const request = page.client.request(
      method,
      `/v3/modules/${path}`,
      method === 'POST' ? { body: {} } : {},
    )
    const error = await request.catch((thrown: unknown) => thrown)
    expect(error instanceof Rejected && [error.code, error.message !== '']).toEqual([
      '702003',
      true,
    ])
  })

  test('authenticates by the grant of the administrator', async () => {
    const signed = await page.token.post('authenticate', { algorithm: 'SHA256', data: digest })
    expect(await isValid('9A', signed.data)).toBe(true)
  })

  test.each([
    '?filter=authenticationCertificate,encryptionCertificate',
    '?filter=authenticationCertificate&filter=encryptionCertificate',
    '?0=authenticationCertificate&1=encryptionCertificate',
    '?filters[]=authenticationCertificate&filters[]=encryptionCertificate&parseCerts=true',
    '?filter=authenticationCertificate,somethingElse',
  ])('lists by the filter %s', async (filter) => {
    proves('legacy-clients-filters')
    const list = await page.token.certificates(filter)
    expect(Object.keys(list)).toEqual(['authenticationCertificate'])
  })

  test.each(['SHA256', 'SHA-256', 'Sha-256'])('signs with the algorithm %s', async (algorithm) => {
    proves('legacy-clients-filters')
    const signed = await page.token.post('sign', { algorithm, data: digest })
    expect(await isValid('9C', signed.data)).toBe(true)
  })

  test.each(['x-pace-pin', 'x-pace-can'])(
    'has the header %s in no log, and none of it reaches the card',
    async (name) => {
      proves('contactless-secrets')
      const { client, inReader } = page
      await client.request('GET', `${inReader}/cert-list`, { headers: { [name]: '271828' } })
      const hex = Buffer.from('271828').toString('hex').toUpperCase()
      expect(card.trace.join()).not.toContain(hex)
      expect(bed.connector.output()).toContain('cert-list')
      expect(bed.connector.output()).not.toContain('271828')
    },
  )

  test('gives the user ten seconds at least', async () => {
    proves('pin-time-minimum')
    await pinentry.type('wait')
    const before = performance.now()
    const late = page.token.post('verify-pin', { timeout: 1 })
    await expect(late).rejects.toMatchObject({ code: '108006' })
    expect(performance.now() - before).toBeGreaterThan(9500)
  })
})

interface CardPage {
  readonly client: DeployedClient
  readonly token: TokenClient
  /** Of the calls in the card's reader. */
  readonly inReader: string
  readonly reader: string
}

/** A page with consent that calls `generic(reader.card.modules[0])`. */
async function openCardPage(generation: Generation, origin?: string): Promise<CardPage> {
  const host = `v${generation.version.replaceAll('.', '-')}`
  const page = openPage(origin ?? `https://${host}.pages.example`, [bed.connector.ca])
  const client = deployedClient(page, generation, { registryPort })
  await client.initialize().catch(() => undefined)
  const word = client.codeWord()
  await display.copy(word)
  await client.getImplicitConsent(word)
  const [{ id: reader, card: listed }] = await client.get('/v3/readers?cardInserted=true')
  const [module] = listed.modules
  const token = openToken(client, generation, { module, reader })
  return { client, token, reader, inReader: `/v3/modules/${module}/apps/token/readers/${reader}` }
}

/** Of every factory. */
const isCommon = ({ path }: Call) => /(cert-list|\/sign)$/.test(path)

/** The calls of factories without a module that are not answered with the code of an unsupported card, or of a missing grant. */
async function findWrongAnswers(
  { client, reader }: CardPage,
  isWanted: (call: Call) => boolean,
): Promise<readonly string[]> {
  const wrong: string[] = []
  for (const { module, calls } of otherFactories) {
    for (const call of calls.filter(isWanted)) {
      const code = await codeOf(client, `/v3/modules/${module}/apps`, reader, call)
      if (code !== (call.code ?? '702003'))
        wrong.push(`${module} ${call.method} ${call.path}: ${code}`)
    }
  }
  return wrong
}

async function codeOf(
  client: DeployedClient,
  base: string,
  reader: string,
  { method, path, body }: Call,
): Promise<unknown> {
  const at = `${base}/${path.replace('{reader}', reader)}`
  const error = await client.request(method, at, { body }).then(
    () => 'an answer',
    (thrown: unknown) => thrown,
  )
  return error instanceof Rejected ? error.message !== '' && error.code : String(error)
}

async function readCertificate(id: '9A' | '9C', certificateType: string) {
  const { raw } = new X509Certificate(await readFile(files.certificateFile(id)))
  return { certificate: raw.toString('base64'), certificateType, id }
}

/** Whether the key made this signature of the message. */
async function isValid(id: '9A' | '9C', signature: string): Promise<boolean> {
  const { publicKey } = new X509Certificate(await readFile(files.certificateFile(id)))
  const key = { key: publicKey, dsaEncoding: 'ieee-p1363' } as const
  return verify('sha256', message, key, Buffer.from(signature, 'base64'))
}
