/** Pages that read the identity data of a Belgian card through the compiled connector, and the user who is asked. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { runCommand } from '../../../../test/bed/connector.ts'
import { type Display, startDisplay } from '../../../../test/bed/display.ts'
import type { Settings } from '../../../../test/bed/program.ts'
import { proves } from '../../../../test/bed/proves.ts'
import { waitFor } from '../../../../test/bed/wait-for.ts'
import { type BeidFiles, insertBeidCard, makeBeidFiles } from '../../cards/beid-files.ts'
import { address, identity, picture } from '../../cards/beid-person.ts'
import { runForDocument } from '../command-document.ts'
import type { CardReader } from './card-reader.ts'
import { type GrantedPage, openPage } from './granted-page.ts'
import type { ScriptedPinentry } from './scripted-pinentry.ts'
import { startUserAtReader, type UserAtReader } from './user-at-reader.ts'

let display: Display
let pinentry: ScriptedPinentry
let user: UserAtReader
let bed: CardReader
let files: BeidFiles
let settings: Settings

beforeAll(async () => {
  display = await startDisplay()
  files = await makeBeidFiles('1.8')
  settings = {
    ...display.settings,
    LANG: 'en_GB.UTF-8',
    CARDWIRE_CORS: 'https://*.pages.example',
    CARDWIRE_JWT: 'off',
  }
  user = await startUserAtReader(settings)
  ;({ bed, pinentry } = user)
})
afterAll(async () => {
  await user?.stop()
  await display?.stop()
})
beforeEach(async () => {
  await pinentry.type('share')
  await pinentry.read()
})

let pages = 0

/** A page of an origin of its own, with consent. */
async function openOther(): Promise<GrantedPage & { readonly origin: string }> {
  pages += 1
  // Five requests for consent a minute are for one origin.
  const origin = `https://page-${pages}.pages.example`
  return { origin, ...(await openPage(bed, display, origin)) }
}

const insert = () =>
  bed.insertAnother((port) => insertBeidCard(port, files, { pin: '1234', protocol: 'T=1' }))

/** READ BINARY. */
const reads = (trace: readonly string[]) => trace.filter((entry) => entry.startsWith('00B0'))

const countQuestions = async () => (await pinentry.read()).match(/^CONFIRM$/gm)?.length ?? 0

/** Resolves when the question for this origin is on the screen. */
const waitForQuestion = async (origin: string) => {
  let shown = ''
  await waitFor(async () => {
    shown += await pinentry.read()
    return shown.includes(origin) && shown.includes('CONFIRM')
  })
}

async function countReads(): Promise<number> {
  const { json } = await bed.connector.request('/ds/transactions')
  const uses = json.data as { module: string; useCase: string; counter: number }[]
  return uses
    .filter(({ module, useCase }) => module === 'beid' && useCase === 'identity-read')
    .reduce((sum, { counter }) => sum + counter, 0)
}

test('a page reads every part after one question that names it, and each read is counted', async () => {
  proves('identity-data')
  const page = await openOther()
  await insert()
  const before = await countReads()
  const biometric = await page.read('biometric', 'beid')
  expect(biometric.json.data).toMatchObject(identity)
  const shown = await pinentry.read()
  expect(shown.replaceAll('%0A', ' ')).toContain(`${page.origin} wants to read your identity data.`)
  expect(shown).toContain('Card: Belgian identity card%0ACard reader: Virtual PCD 00 00')
  expect((await page.read('address', 'beid')).json.data).toMatchObject(address)
  expect((await page.read('picture', 'beid')).json.data).toMatchObject({
    picture: Buffer.from(picture).toString('base64'),
    width: 140,
    height: 200,
  })
  const { status, json } = await page.read('all-data', 'beid')
  expect(status).toBe(200)
  expect(json.data).toMatchObject({ biometric: identity, address, picture: { width: 140 } })
  const filtered = await page.read('all-data?filter=address,%20Picture,token', 'beid')
  expect(Object.keys(filtered.json.data)).toEqual(['address', 'picture'])
  expect((await page.read('all-data?filter=token', 'beid')).json.data).toEqual({})
  expect(await countQuestions()).toBe(0)
  expect(await countReads()).toBe(before + 5)
})

test('a page whose user says no gets a problem and no data, and asks in vain for half a minute', async () => {
  proves('identity-refused', 'visitor-identified')
  const page = await openOther()
  const card = await insert()
  await pinentry.type('cancel')
  const before = await countReads()
  expect(await page.read('all-data', 'beid')).toMatchObject({
    status: 403,
    json: { code: '604001', type: 'urn:cardwire:problem:identity-refused' },
  })
  expect(await countQuestions()).toBe(1)
  await pinentry.type('share')
  const again = await page.read('picture', 'beid')
  expect([again.status, again.json.code]).toEqual([403, '604001'])
  expect(Number(again.headers['retry-after'])).toBeGreaterThan(20)
  expect(await countQuestions()).toBe(0)
  expect(reads(card.trace)).toEqual([])
  expect(await countReads()).toBe(before)
})

test('calls at the same time share one question', async () => {
  proves('identity-data')
  const page = await openOther()
  await insert()
  const parts = ['biometric', 'address', 'picture']
  const answers = await Promise.all(parts.map((part) => page.read(part, 'beid')))
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
  expect(await countQuestions()).toBe(1)
})

test('info and version take the consent alone, and clients of every version read info', async () => {
  proves('card-info-version')
  const page = await openOther()
  await insert()
  const { data } = (await page.read('info', 'beid')).json
  expect(data).toMatchObject({ serialNumber: identity.chipNumber, label: 'BELPIC' })
  expect(data).toMatchObject({
    infoType: 'TOKEN',
    module: { name: 'beid', isHashedByToken: false },
  })
  expect(data.info).toMatchObject({ rawData: data.rawData, serialNumber: identity.chipNumber })
  expect((await page.read('version', 'beid')).json.data).toEqual({ version: '1.8' })
  expect(await countQuestions()).toBe(0)
})

test('cards of a module without these data, and cards of another module, are a problem without a question', async () => {
  proves('identity-refused')
  const page = await openOther()
  await bed.insert()
  const unsupported = { status: 422, json: { code: '702003' } }
  for (const path of ['all-data', 'biometric', 'address', 'picture', 'info', 'version']) {
    expect(await page.read(path, 'piv')).toMatchObject(unsupported)
    expect(await page.read(path, 'beid')).toMatchObject(unsupported)
    expect(await page.read(path, 'luxeid')).toMatchObject(unsupported)
  }
  expect(await countQuestions()).toBe(0)
})

test('two origins are asked about in turn, and each gets its own answer', async () => {
  proves('answer-reused')
  const [one, two] = [await openOther(), await openOther()]
  const card = await insert()
  await pinentry.type('wait')
  const first = one.read('address', 'beid')
  await waitForQuestion(one.origin)
  const before = card.trace.length
  const second = two.read('address', 'beid')
  // Its SELECT is done, so that it waits for the window.
  await waitFor(() => card.trace.length > before)
  expect(await countQuestions()).toBe(0)
  await pinentry.type('cancel')
  expect((await first).status).toBe(403)
  expect((await second).status).toBe(403)
  expect(await pinentry.read()).toContain(two.origin)
  expect(reads(card.trace)).toEqual([])
})

test('a consent that is revoked while the question is open closes it, and nothing is read', async () => {
  proves('visitor-identified')
  const page = await openOther()
  const card = await insert()
  await pinentry.type('wait')
  const answer = page.read('picture', 'beid')
  await waitForQuestion(page.origin)
  runCommand(bed.connector.home, ['consents', 'revoke', page.origin], settings)
  expect(await answer).toMatchObject({ status: 403, json: { code: '814501' } })
  expect(reads(card.trace)).toEqual([])
})

test('a card that is taken out while the question is open closes it', async () => {
  proves('visitor-identified')
  const page = await openOther()
  const card = await insert()
  await pinentry.type('wait')
  const answer = page.read('picture', 'beid')
  await waitForQuestion(page.origin)
  await card.remove()
  expect(await answer).toMatchObject({ status: 409, json: { code: '702002' } })
  expect(reads(card.trace)).toEqual([])
})

test('a program without an origin is asked about each time', async () => {
  proves('answer-reused')
  await insert()
  for (const _ of [1, 2]) {
    expect((await bed.token('address', 'beid')).status).toBe(200)
    expect((await pinentry.read()).replaceAll('%0A', ' ')).toContain(
      'A program on this computer wants to read your identity data.',
    )
  }
})

test('the answer is kept over a restart, shown by cardwire consents, and ends with the consent', async () => {
  proves('identity-answer-kept')
  const page = await openOther()
  await insert()
  expect((await page.read('address', 'beid')).status).toBe(200)
  const { home } = bed.connector
  const listed = () => runForDocument(home, ['consents'], settings).document['consents']
  const ofPage = expect.objectContaining({ origin: page.origin, identity: ['beid'] })
  expect(listed()).toContainEqual(ofPage)
  expect(runCommand(home, ['consents'], settings).out).toContain(
    'can read your identity data from these cards: beid',
  )
  await pinentry.read()
  await bed.restart()
  expect(await page.read('address', 'beid')).toMatchObject({ status: 200 })
  expect(await countQuestions()).toBe(0)
  runCommand(home, ['consents', 'revoke', page.origin], settings)
  expect((await page.read('address', 'beid')).status).toBe(403)
  expect(listed()).not.toContainEqual(ofPage)
  await openPage(bed, display, page.origin)
  expect((await page.read('address', 'beid')).status).toBe(200)
  expect(await countQuestions()).toBe(1)
})
