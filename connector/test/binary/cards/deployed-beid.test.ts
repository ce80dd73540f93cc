/** Legacy client libraries with a Belgian identity card: `beid(reader)` of a page, through the compiled connector. */
import { createHash, verify, X509Certificate } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Display, startDisplay } from '../../../../test/bed/display.ts'
import { findFreePort } from '../../../../test/bed/free-port.ts'
import { cardPorts } from '../../../../test/bed/pcscd.ts'
import { proves } from '../../../../test/bed/proves.ts'
import type { VirtualCard } from '../../../../test/bed/virtual-card.ts'
import { waitFor } from '../../../../test/bed/wait-for.ts'
import {
  type BeidCertificate,
  type BeidFiles,
  insertBeidCard,
  makeBeidFiles,
} from '../../cards/beid-files.ts'
import { address, identity, picture } from '../../cards/beid-person.ts'
import { type DeployedClient, deployedClient } from '../deployed/client.ts'
import { generations } from '../deployed/generations.ts'
import { openPage } from '../deployed/page.ts'
import { openToken, type TokenClient } from '../deployed/token-client.ts'
import type { CardReader } from './card-reader.ts'
import type { ScriptedPinentry } from './scripted-pinentry.ts'
import { startUserAtReader, type UserAtReader } from './user-at-reader.ts'

const pin = '1234'
const message = Buffer.from('a message that is signed')
const digest = createHash('sha384').update(message).digest('base64')
/** One of each way of reading an answer. */
const versions = ['3.4.2', '3.5.5', '3.6.1', '3.7.6', '3.8.8']

let display: Display
let registryPort: number
let user: UserAtReader
let bed: CardReader
let pinentry: ScriptedPinentry
let files: BeidFiles
let card: VirtualCard

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
  files = await makeBeidFiles('1.8')
  card = await insertBeidCard(cardPorts[0], files, { pin, protocol: 'T=1' })
  await waitFor(async () => (await bed.find())?.card?.module === 'beid')
  // Also the yes to a question.
  await pinentry.type(pin)
})
afterAll(async () => {
  await card?.remove()
  await user?.stop()
  await display?.stop()
})

async function read(name: BeidCertificate): Promise<X509Certificate> {
  return new X509Certificate(await readFile(files.certificateFile(name)))
}

describe.each(generations.filter(({ version }) => versions.includes(version)))(
  'client $version with a Belgian card',
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
      token = openToken(client, generation, { module: 'beid', reader })
      inReader = `/v3/modules/beid/apps/token/readers/${reader}`
    })

    test('reads the certificates of the user and of the authorities', async () => {
      proves('legacy-clients-belgian')
      const names = ['authentication', 'signature', 'root', 'ca'] as const
      const [authentication, signature, root, ca] = await Promise.all(
        names.map(async (name) => (await read(name)).raw.toString('base64')),
      )
      expect(await token.certificates()).toMatchObject({
        authenticationCertificate: { certificate: authentication },
        nonRepudiationCertificate: { certificate: signature },
        rootCertificate: { certificate: root },
        intermediateCertificates: { certificate: ca },
      })
      expect(await token.certificate('root-cert')).toMatchObject({ certificate: root })
      expect(await token.certificate('intermediate-certs')).toMatchObject({ certificate: ca })
    })

    test('reads who the user is, after one question for its origin', async () => {
      proves('legacy-clients-belgian')
      await pinentry.read()
      expect(await client.get(`${inReader}/biometric`)).toMatchObject(identity)
      expect(await client.get(`${inReader}/all-data?filter=address,picture`)).toMatchObject({
        address,
        picture: { picture: Buffer.from(picture).toString('base64') },
      })
      expect((await pinentry.read()).match(/^CONFIRM$/gm)).toHaveLength(1)
    })

    test('reads what the card says of itself, where this version looks for it', async () => {
      proves('legacy-clients-belgian')
      const answer = await client.get(`${inReader}/info`)
      const info = generation.certificate === 'only' ? answer : answer.info
      expect(info).toMatchObject({ serialNumber: identity.chipNumber, label: 'BELPIC' })
      expect(await client.get(`${inReader}/version`)).toEqual({ version: '1.8' })
    })

    test('verifies the PIN and signs', async () => {
      proves('legacy-clients-belgian')
      expect(await token.post('verify-pin', {}, '0000')).toEqual({ verified: true })
      expect(await token.algorithms()).toContain('sha384')
      const { data } = await token.post('sign', { algorithm: 'sha384', data: digest })
      const { publicKey } = await read('signature')
      const key = { key: publicKey, dsaEncoding: 'ieee-p1363' } as const
      expect(verify('sha384', message, key, Buffer.from(data, 'base64'))).toBe(true)
    })
  },
)
