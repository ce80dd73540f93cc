/** Legacy client libraries with an OpenPGP card: `generic(reader, 'openpgp')` of a page, through the compiled connector. */
import { createHash, createPublicKey, verify, X509Certificate } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Display, startDisplay } from '../../../../test/bed/display.ts'
import { findFreePort } from '../../../../test/bed/free-port.ts'
import { cardPorts } from '../../../../test/bed/pcscd.ts'
import { proves } from '../../../../test/bed/proves.ts'
import { waitFor } from '../../../../test/bed/wait-for.ts'
import type { OpenpgpCardOptions } from '../../cards/openpgp-card.ts'
import {
  insertOpenpgpCard,
  makeOpenpgpFiles,
  type OpenpgpFiles,
} from '../../cards/openpgp-files.ts'
import { type DeployedClient, deployedClient } from '../deployed/client.ts'
import { generations } from '../deployed/generations.ts'
import { openPage } from '../deployed/page.ts'
import { openToken, type TokenClient } from '../deployed/token-client.ts'
import type { CardReader } from './card-reader.ts'
import type { ScriptedPinentry } from './scripted-pinentry.ts'
import { startUserAtReader, type UserAtReader } from './user-at-reader.ts'

const pin = 'letters & 1'
const message = Buffer.from('a message that is signed')
const digest = createHash('sha256').update(message).digest('base64')
const nonce = 'a'.repeat(44)

let display: Display
let registryPort: number
let user: UserAtReader
let bed: CardReader
let pinentry: ScriptedPinentry
let elliptic: OpenpgpFiles
let edwards: OpenpgpFiles

beforeAll(async () => {
  display = await startDisplay()
  registryPort = await findFreePort()
  user = await startUserAtReader({
    ...display.settings,
    CARDWIRE_CORS: 'https://*.pages.example',
    CARDWIRE_JWT: 'off',
    CARDWIRE_REGISTRY_PORT: String(registryPort),
  })
  ;({ bed, pinentry } = user)
  await bed.connector.waitForOutput(/registry found/)
  elliptic = await makeOpenpgpFiles('P-256')
  edwards = await makeOpenpgpFiles('Ed25519')
})
afterAll(async () => {
  await user?.stop()
  await display?.stop()
})
// Also the yes to a question.
beforeEach(() => pinentry.type(pin))

const insert = async (options: Pick<OpenpgpCardOptions, 'keys' | 'certificates'>) => {
  const card = await bed.insertAnother(() =>
    insertOpenpgpCard(cardPorts[0], { ...options, pin, protocol: 'T=1' }),
  )
  await waitFor(async () => (await bed.find())?.card?.module === 'openpgp')
  return card
}

describe.each(generations.filter(({ version }) => ['3.4.2', '3.6.1', '3.8.8'].includes(version)))(
  'client $version with an OpenPGP card',
  (generation) => {
    let client: DeployedClient
    let token: TokenClient
    let inReader: string

    beforeAll(async () => {
      const origin = `https://v${generation.version.replaceAll('.', '-')}.pages.example`
      const page = openPage(origin, [bed.connector.ca])
      client = deployedClient(page, generation, { registryPort })
      await client.initialize().catch(() => undefined)
      const word = client.codeWord()
      await display.copy(word)
      await client.getImplicitConsent(word)
      const reader = (await bed.find())?.id ?? ''
      token = openToken(client, generation, { module: 'openpgp', reader })
      inReader = `/v3/modules/openpgp/apps/token/readers/${reader}`
    })

    test('reads certificates and the holder, verifies the PIN and signs', async () => {
      proves('legacy-clients-openpgp')
      const { keys, certificates } = elliptic
      await insert({ keys, certificates })
      const certificate = Buffer.from(certificates.signature ?? []).toString('base64')
      expect(await token.certificates()).toMatchObject({
        nonRepudiationCertificate: { certificate, id: 'signature' },
      })
      expect(await client.get(`${inReader}/biometric`)).toMatchObject({ name: 'LOVELACE' })
      expect(await token.algorithms()).toContain('sha256')
      expect(await token.post('verify-pin', {}, '0000')).toEqual({ verified: true })
      const { data } = await token.post('sign', { algorithm: 'sha256', data: digest })
      const { publicKey } = new X509Certificate(certificates.signature ?? '')
      const key = { key: publicKey, dsaEncoding: 'ieee-p1363' } as const
      expect(verify('sha256', message, key, Buffer.from(data, 'base64'))).toBe(true)
    })

    test('calls everything else that `generic` has, and is told by a code what such cards do not have', async () => {
      proves('legacy-clients-openpgp')
      const { keys, certificates } = elliptic
      await insert({ keys, certificates })
      const code = (wanted: string) => expect.objectContaining({ code: wanted })
      const get = (path: string) => client.get(`${inReader}/${path}`)
      expect(await get('info')).toMatchObject({ info: { serialNumber: expect.any(String) } })
      expect(await get('all-data?filter=biometric')).toMatchObject({
        biometric: { name: 'LOVELACE' },
      })
      for (const purpose of ['authentication', 'encryption'] as const) {
        const certificate = Buffer.from(certificates[purpose] ?? []).toString('base64')
        expect(await token.certificate(`${purpose}-cert`)).toMatchObject({ certificate })
      }
      for (const path of ['root-cert', 'intermediate-certs', 'issuer-cert']) {
        await expect(get(path)).rejects.toEqual(code('202001'))
      }
      for (const path of ['address', 'picture']) {
        await expect(get(path)).rejects.toEqual(code('702003'))
      }
      const raw = { algorithm: 'SHA-256', data: message.toString('base64') }
      const { data: signedHash } = await token.post('sign_raw', raw)
      const check = { algorithm: 'sha256', hash: digest, signedHash }
      expect(await token.post('validate', check)).toEqual({ valid: true })
      // Without the grant each has its dialog.
      const body = { algorithm: 'sha256', data: digest }
      expect(await token.post('sign?bulk=true', body)).toHaveProperty('data')
      await expect(token.post('authenticate', body)).rejects.toEqual(code('104007'))
      expect([await token.resetBulkPin('GET'), await token.resetBulkPin('POST')]).toEqual([
        true,
        true,
      ])
    })

    test('signs with Ed25519 without a certificate', async () => {
      proves('legacy-clients-openpgp')
      await insert({ keys: edwards.keys, certificates: {} })
      const { data } = await token.post('sign', { algorithm: 'sha256', data: digest })
      const { signature } = edwards.keys
      if (!signature) throw new Error('Expected a key')
      const key = createPublicKey(signature)
      const signed = Buffer.from(digest, 'base64')
      expect(verify(null, signed, key, Buffer.from(data, 'base64'))).toBe(true)
    })

    test.each([
      ['an Ed25519 key', () => edwards],
      ['a key without a certificate', () => ({ keys: elliptic.keys, certificates: {} })],
    ])('a user does not authenticate with %s: key-unsupported, and no dialog', async (_, files) => {
      proves('openpgp-no-authentication')
      const { keys, certificates } = files()
      await insert({ keys, certificates })
      await pinentry.read()
      const authenticated = client.request('POST', `${inReader}/authentication-token`, {
        body: { nonce },
      })
      await expect(authenticated).rejects.toMatchObject({ code: '202002' })
      expect(await pinentry.read()).toBe('')
    })
  },
)
