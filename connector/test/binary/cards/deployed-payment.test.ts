/** Legacy client libraries with a payment card: `emv(reader)`, `crelan(reader)` and `paymentGeneric` of a page. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Display, startDisplay } from '../../../../test/bed/display.ts'
import { findFreePort } from '../../../../test/bed/free-port.ts'
import { cardPorts } from '../../../../test/bed/pcscd.ts'
import { proves } from '../../../../test/bed/proves.ts'
import type { Json } from '../../../../test/bed/service-request.ts'
import { insertCard, type VirtualCard } from '../../../../test/bed/virtual-card.ts'
import { waitFor } from '../../../../test/bed/wait-for.ts'
import { type TracedCard, traceCard } from '../../cards/emulated-card.ts'
import { cardPin, createEmvCard, keyBytes, maestro, visa } from '../../cards/emv-card.ts'
import { type DeployedClient, deployedClient } from '../deployed/client.ts'
import { generations } from '../deployed/generations.ts'
import { openPage } from '../deployed/page.ts'
import { openToken } from '../deployed/token-client.ts'
import { startUserAtReader, type UserAtReader } from './user-at-reader.ts'

const certificate = keyBytes.issuer.toString('base64')
const data = Buffer.alloc(32, 7).toString('base64')

let display: Display
let registryPort: number
let user: UserAtReader
let card: TracedCard & VirtualCard

beforeAll(async () => {
  display = await startDisplay()
  registryPort = await findFreePort()
  user = await startUserAtReader({
    ...display.settings,
    CARDWIRE_CORS: 'https://*.pages.example',
    CARDWIRE_JWT: 'off',
    CARDWIRE_REGISTRY_PORT: String(registryPort),
  })
  const { bed } = user
  await bed.connector.waitForOutput(/registry found/)
  const traced = traceCard(createEmvCard({ protocol: 'T=1', directory: 'contact' }))
  card = { ...traced, ...(await insertCard(cardPorts[0], traced)) }
  await waitFor(async () => (await bed.find())?.card?.module === 'emv')
})
afterAll(async () => {
  await card?.remove()
  await user?.stop()
  await display?.stop()
})
// Also the yes to a question.
beforeEach(async () => {
  await user.pinentry.type(cardPin)
  await user.pinentry.read()
})

const isVerify = (entry: string) => entry.startsWith('0020') && entry.endsWith('bytes)')
const countUses = async (): Promise<number> => {
  const { json } = await user.bed.connector.request('/ds/transactions')
  const list = json.data as { module: string; useCase: string; counter: number }[]
  return list
    .filter(({ module, useCase }) => module === 'emv' && useCase === 'pin-verification')
    .reduce((sum, { counter }) => sum + counter, 0)
}

/** Each reads certificates, sends PINs or leaves the reader out in a way of its own. */
const different = ['3.4.2', '3.5.5', '3.6.1', '3.8.8']

describe.each(generations.filter(({ version }) => different.includes(version)))(
  'client $version with a payment card',
  (generation) => {
    let client: DeployedClient
    let reader: string
    /** Encrypts the PIN of a form as this version does. */
    let verifyPin: (module: string, body: object, pin?: string) => Promise<Json>
    const inPayment = (module: string) => `/v3/modules/${module}/apps/payment`
    const get = (module: string, path: string) => client.get(`${inPayment(module)}/${path}`)

    const host = `v${generation.version.replaceAll('.', '-')}`
    /** A page of this origin, with consent. */
    const connect = async (origin: string): Promise<DeployedClient> => {
      const page = openPage(origin, [user.bed.connector.ca])
      const connected = deployedClient(page, generation, { registryPort })
      await connected.initialize().catch(() => undefined)
      const word = connected.codeWord()
      await display.copy(word)
      await connected.getImplicitConsent(word)
      return connected
    }

    beforeAll(async () => {
      client = await connect(`https://${host}.pages.example`)
      const [found] = await client.get('/v3/readers?cardInserted=true')
      reader = found.id
      verifyPin = (module, body, pin) =>
        openToken(client, generation, { module, reader, family: 'payment' }).post(
          'verify-pin',
          body,
          pin,
        )
    })

    test('reads applications, data and keys; the key of the card is refused in words', async () => {
      proves('legacy-clients-payment')
      const { applications } = await get('emv', `readers/${reader}/data`)
      expect(applications.map(({ aid }: { aid: string }) => aid)).toEqual([visa, maestro])
      expect(await get('emv', `readers/${reader}/application-data`)).toMatchObject({
        ...{ name: 'LOVELACE/ADA', pan: '************1111', expirationDate: '291231' },
      })
      const keys = `${visa}/readers/${reader}`
      expect(await get('emv', `${keys}/issuer-cert`)).toMatchObject({ certificate })
      const list = await get('emv', `${keys}/cert-list?filter=issuerPublicCertificate`)
      expect(list).toMatchObject({ issuerPublicCertificate: { certificates: [{ certificate }] } })
      await expect(get('emv', `${keys}/icc-cert`)).rejects.toMatchObject({
        ...{ code: '104007', message: expect.stringContaining('the administrator has to enter') },
      })
    })

    test('reads the keys for crelan, which versions from 3.6 on ask for without a reader', async () => {
      proves('legacy-clients-payment')
      const keys = generation.version < '3.6' ? `${visa}/readers/${reader}` : visa
      expect(await get('crelan', `${keys}/issuer-cert`)).toMatchObject({ certificate })
      expect(await get('crelan', `${keys}/cert-list`)).toMatchObject({
        issuerPublicCertificate: { certificate },
      })
      expect(await get('crelan', `readers/${reader}/data`)).toMatchObject({
        applications: [{ aid: visa }, { aid: maestro }],
      })
    })

    test.each(['emv', 'crelan'])(
      'verifies the PIN for %s in a dialog, whatever PIN it sends; a wrong one is a problem with a code',
      async (module) => {
        proves('payment-pin', 'legacy-clients-payment', 'payment-pin-blocked')
        const before = await countUses()
        card.trace.length = 0
        expect(await verifyPin(module, { osDialog: false, timeout: 60 }, '0000')).toEqual({
          verified: true,
        })
        const shown = await user.pinentry.read()
        expect(shown).toContain('Card: Payment card')
        expect(shown).toContain('3 attempts left')
        expect(card.trace.filter(isVerify)).toEqual(['0020008008 (8 bytes)'])
        expect(card.trace.at(-1)).toBe('reset')
        expect(await countUses()).toBe(before + 1)
        await user.pinentry.type('9999')
        // It has to wait after that.
        const other = await connect(`https://${module}-${host}.pages.example`)
        const token = openToken(other, generation, { module, reader, family: 'payment' })
        await expect(token.post('verify-pin', {})).rejects.toMatchObject({ code: '108003' })
        await user.pinentry.type(cardPin)
        expect(await verifyPin(module, {})).toEqual({ verified: true })
      },
    )

    test.each(['crelan', 'emv', 'ocra'])(
      'is told that %s signs nothing, in words, and nobody is asked',
      async (module) => {
        proves('legacy-clients-payment')
        for (const bulk of ['', '?bulk=true']) {
          const body = { txId: 'tx-1', language: 'nl', data, timeout: 60 }
          const path = `${inPayment(module)}/readers/${reader}/sign${bulk}`
          await expect(client.request('POST', path, { body })).rejects.toMatchObject({
            ...{
              code: '702003',
              message: expect.stringContaining('Cannot sign with a payment card'),
            },
          })
        }
        expect(await user.pinentry.read()).toBe('')
      },
    )

    test('ends what is kept by either verb, though nothing is', async () => {
      proves('legacy-clients-payment')
      for (const module of ['crelan', 'emv']) {
        expect(await client.get(`${inPayment(module)}/reset-bulk-pin`)).toBe(true)
        expect(await client.request('POST', `${inPayment(module)}/reset-bulk-pin`)).toBe(true)
      }
    })
  },
)
