/** Payment cards through the compiled connector, with a real card service, in the calls of legacy clients for emv and crelan. */
import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Display, startDisplay } from '../../../../test/bed/display.ts'
import { proves } from '../../../../test/bed/proves.ts'
import { insertCard } from '../../../../test/bed/virtual-card.ts'
import { waitFor } from '../../../../test/bed/wait-for.ts'
import { traceCard } from '../../cards/emulated-card.ts'
import {
  cardNumber,
  createEmvCard,
  type EmvCardOptions,
  keyBytes,
  maestro,
  visa,
} from '../../cards/emv-card.ts'
import { type GrantedPage, openPage } from './granted-page.ts'
import { startUserAtReader, type UserAtReader } from './user-at-reader.ts'

const granted = 'https://bank.pages.example'
const other = 'https://shop.pages.example'

let display: Display
let user: UserAtReader
let bank: GrantedPage
let shop: GrantedPage

beforeAll(async () => {
  display = await startDisplay()
  const path = join(await mkdtemp(join(tmpdir(), 'cardwire-grants-')), 'cards.json')
  const grants = [{ origin: granted, allow: ['pan'] }]
  await writeFile(path, JSON.stringify({ grants }), { mode: 0o600 })
  user = await startUserAtReader({
    ...display.settings,
    CARDWIRE_CORS: 'https://*.pages.example',
    CARDWIRE_JWT: 'off',
    CARDWIRE_CARDS: path,
    CARDWIRE_LOG_LEVEL: 'debug',
  })
  bank = await openPage(user.bed, display, granted)
  shop = await openPage(user.bed, display, other)
  await user.pinentry.type('yes')
})
afterAll(async () => {
  await user?.stop()
  await display?.stop()
})

const insert = (options: Partial<EmvCardOptions> = {}) =>
  user.bed.insertAnother((port) =>
    insertCard(port, createEmvCard({ protocol: 'T=0', directory: 'contact', ...options })),
  )
const get = async (page: GrantedPage, path: string, module = 'emv') => {
  const reader = (await user.bed.find())?.id ?? ''
  return page.get(`/v3/modules/${module}/apps/payment/${path.replace('{r}', reader)}`)
}
const issuer = { certificate: keyBytes.issuer.toString('base64'), exponent: 'Aw==' }
const icc = { certificate: keyBytes.icc.toString('base64'), exponent: 'Aw==' }

test.each([
  ['T=0', 'contact'],
  ['T=1', 'contactless'],
  ['T=0', 'none'],
] as const)(
  'the applications of a card over %s with the directory %s',
  async (protocol, directory) => {
    proves('payment-applications')
    await insert({ protocol, directory })
    const { json } = await get(shop, 'readers/{r}/data')
    expect(json.data.applications).toEqual([
      { aid: visa, name: 'VISA DEBIT', priority: 1 },
      { aid: maestro, name: 'MAESTRO', priority: 2 },
    ])
    await waitFor(
      async () => directory === 'none' || (await user.bed.find())?.card?.module === 'emv',
    )
  },
)

test('its data are read after one question, the number whole with the grant alone, and counted; no log has it', async () => {
  proves('payment-holder', 'payment-number-read')
  await insert()
  await user.pinentry.read()
  const { json } = await get(shop, 'readers/{r}/application-data')
  expect(json.data).toEqual({
    ...{ country: 'BE', countryCode: '056', language: 'nlfr', name: 'LOVELACE/ADA' },
    ...{ effectiveDate: '240101', expirationDate: '291231', pan: '************1111' },
  })
  const shown = (await user.pinentry.read()).replaceAll('%0A', ' ')
  expect(shown).toMatch(/CONFIRM/)
  expect(shown).toContain(
    'From your card: name, card number, country, language and validity dates.',
  )
  await get(shop, 'readers/{r}/application-data')
  expect(await user.pinentry.read()).toBe('')
  const whole = await get(bank, 'readers/{r}/application-data', 'crelan')
  expect(whole.json.data.pan).toBe(cardNumber)
  const uses = (await user.bed.connector.request('/ds/transactions')).json.data
  expect(uses).toContainEqual(expect.objectContaining({ module: 'emv', useCase: 'identity-read' }))
  expect(user.bed.connector.output()).not.toContain(cardNumber)
})

test('a user who refuses shares no data', async () => {
  proves('payment-holder', 'payment-number-read')
  await insert()
  const stranger = await openPage(user.bed, display, 'https://stranger.pages.example')
  await user.pinentry.type('cancel')
  const answer = await get(stranger, 'readers/{r}/application-data')
  await user.pinentry.type('yes')
  expect(answer).toMatchObject({ status: 403, json: { code: '604001' } })
})

test('the key of the issuer is for every page; that of the card, which has its number in it, by the grant', async () => {
  proves('payment-issuer-keys', 'payment-number-read')
  await insert()
  expect((await get(shop, `${visa}/readers/{r}/issuer-cert`)).json.data).toMatchObject(issuer)
  const list = `${visa}/readers/{r}/cert-list`
  expect(Object.keys((await get(shop, list)).json.data)).toEqual(['issuerPublicCertificate'])
  const refused = await get(shop, `${visa}/readers/{r}/icc-cert`)
  expect(refused).toMatchObject({ status: 403, json: { code: '104007' } })
  expect((await get(bank, `${visa}/readers/{r}/icc-cert`)).json.data).toMatchObject(icc)
  expect((await get(bank, list)).json.data).toMatchObject({
    issuerPublicCertificate: { certificates: [issuer] },
    ICCPublicCertificate: { certificates: [icc] },
  })
  const filtered = await get(bank, `${list}?filter=ICCPublicCertificate`)
  expect(Object.keys(filtered.json.data)).toEqual(['ICCPublicCertificate'])
})

test('a card starts one transaction for all pages that read the same of it, and none for an application that it does not list', async () => {
  proves('payment-card-worn')
  const card = traceCard(createEmvCard({ protocol: 'T=1', directory: 'contact' }))
  await user.bed.insertAnother((port) => insertCard(port, card))
  const reads = [shop, bank, shop, shop, bank, shop, shop, shop].map((page) =>
    get(page, `${visa}/readers/{r}/cert-list?filter=issuerPublicCertificate`),
  )
  for (const { json } of await Promise.all(reads)) {
    expect(json.data).toMatchObject({ issuerPublicCertificate: issuer })
  }
  expect(await get(shop, 'A0000001523010/readers/{r}/issuer-cert')).toMatchObject({ status: 422 })
  expect(card.trace.filter((entry) => entry.startsWith('80A8'))).toHaveLength(1)
  expect(card.trace.filter((entry) => entry.includes('A0000001523010'))).toEqual([])
})

test('clients for crelan leave the reader out, and get the card of the only reader that has one', async () => {
  proves('payment-issuer-keys')
  expect(await get(shop, `${visa}/issuer-cert`, 'crelan')).toMatchObject({
    json: { code: '702001' },
  })
  await insert()
  expect((await get(shop, `${visa}/issuer-cert`, 'crelan')).json.data).toMatchObject(issuer)
  expect((await get(shop, `${visa}/cert-list`, 'crelan')).json.data).toMatchObject({
    issuerPublicCertificate: issuer,
  })
  expect((await get(bank, `${visa}/icc-cert`, 'crelan')).json.data).toMatchObject(icc)
})

test('an application that the card does not have, another card and other modules are card-unsupported', async () => {
  await insert()
  const unsupported = { status: 422, json: { code: '702003' } }
  expect(await get(shop, 'A0000001523010/readers/{r}/issuer-cert')).toMatchObject(unsupported)
  expect(await get(shop, 'readers/{r}/data', 'piv')).toMatchObject(unsupported)
  expect(await get(shop, 'readers/{r}/data', 'ocra')).toMatchObject(unsupported)
})

test('a card that is none for payments is card-unsupported, and nobody is asked', async () => {
  await user.bed.insert()
  await user.pinentry.read()
  const answer = await get(shop, 'readers/{r}/application-data')
  expect(answer).toMatchObject({ status: 422, json: { code: '702003' } })
  expect(await user.pinentry.read()).toBe('')
})
