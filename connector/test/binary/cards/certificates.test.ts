/** The certificates of a PIV card through the compiled connector, with a real card service. */
import { X509Certificate } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { get } from 'node:https'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { proves } from '../../../../test/bed/proves.ts'
import { waitFor } from '../../../../test/bed/wait-for.ts'
import { type CardReader, startCardReader } from './card-reader.ts'

let bed: CardReader

beforeAll(async () => {
  bed = await startCardReader()
})
afterAll(() => bed?.stop())

const listed = async (path: string) => (await bed.token(path)).json.data

const der = async (slot: '9A' | '9C' | '9D' | '9E') =>
  new X509Certificate(await readFile(bed.files.certificateFile(slot))).raw.toString('base64')

describe.each([
  ['T=1', false],
  ['T=0', false],
  ['T=1', true],
] as const)('PIV card over %s, compressed certificates: %s', (protocol, compressed) => {
  test('cert-list has every certificate byte for byte', async () => {
    proves('card-certificates')
    await bed.insert({ protocol, compressed })
    const { status, json } = await bed.token('cert-list')
    expect(status).toBe(200)
    expect(json.data).toMatchObject({
      authenticationCertificate: {
        certificate: await der('9A'),
        id: '9A',
        certificates: [
          { id: '9A', certificate: await der('9A'), subject: 'O=Example,CN=Test 9A' },
          { id: '9E', certificate: await der('9E') },
        ],
      },
      nonRepudiationCertificate: { certificates: [{ id: '9C', certificate: await der('9C') }] },
      encryptionCertificate: { certificates: [{ id: '9D', certificate: await der('9D') }] },
    })
  })
})

test.each([
  ['cert-list?filter=nonRepudiationCertificate', ['nonRepudiationCertificate']],
  [
    'cert-list?filter=authentication-certificate,encryptionCertificate',
    ['authenticationCertificate', 'encryptionCertificate'],
  ],
  ['cert-list?filter=rootCertificate', []],
])('%s leaves out what was not asked for', async (path, members) => {
  proves('certificate-filter')
  await bed.insert()
  expect(Object.keys(await listed(path)).sort()).toEqual(members)
})

test('a certificate that the card does not have is absent from the list, and alone a problem', async () => {
  proves('certificate-filter')
  const { '9A': key } = bed.files.keys
  await bed.insert({ keys: key ? { '9A': key } : {} })
  expect(Object.keys((await bed.token('cert-list')).json.data)).toEqual([
    'authenticationCertificate',
  ])
  expect(await bed.token('nonrepudiation-cert')).toMatchObject({
    status: 422,
    json: { code: '202001' },
  })
  expect(await bed.token('root-cert')).toMatchObject({ status: 422, json: { code: '202001' } })
  expect((await bed.token('authentication-cert')).json.data.certificates).toHaveLength(1)
})

test('supported-algorithms are those of the key that signs', async () => {
  proves('card-algorithms')
  await bed.insert()
  expect((await bed.token('supported-algorithms')).json.data).toEqual({
    ref: ['sha256', 'sha384', 'sha512', 'sha1'],
  })
})

test('a card that cannot be used is a problem with the number of its kind', async () => {
  proves('card-problems-distinct')
  expect(await bed.token('cert-list')).toMatchObject({ status: 409, json: { code: '702001' } })
  await bed.insert()
  expect(await bed.token('cert-list', 'luxeid')).toMatchObject({
    status: 422,
    json: { code: '702003' },
  })
  const path = '/v3/modules/piv/apps/token/readers/0000000000000000/cert-list'
  expect(await bed.connector.request(path)).toMatchObject({ status: 400, json: { code: '701001' } })
})

test('a listing names the module by ATR, and asks no card for it', async () => {
  proves('card-module-detected', 'cards-asked-without-consent')
  const card = await bed.insert()
  expect(await bed.find()).toMatchObject({ card: { module: 'piv', modules: ['piv'] } })
  expect(card.trace.filter((entry) => entry.startsWith('00A4'))).toEqual([])
})

test('a card that no ATR tells of is asked once for each insertion, and the events have the answer', async () => {
  proves('card-module-detected')
  const events = await openEvents()
  const commands = await bed.insertUnnamed('3B0201AA', '61009000')
  await waitFor(async () => (await bed.find())?.card?.module === 'piv')
  await bed.find()
  expect(commands).toEqual([
    '00A4040009A00000030800001000',
    '00A404000FA00000003029057000AD13100101FF',
    '00A4040006D27600012401',
    '00A404000E325041592E5359532E4444463031',
  ])
  // It has whatever is selected.
  await waitFor(() => events.text().includes('"modules":["piv","beid","openpgp","emv"]'))
})

test('a card without a known application has no module', async () => {
  proves('card-module-detected')
  const commands = await bed.insertUnnamed('3B0201BB', '6A82')
  await waitFor(() => commands.length > 0)
  expect((await bed.find())?.card?.modules).toEqual([])
  expect(await bed.token('cert-list')).toMatchObject({ status: 422, json: { code: '702003' } })
})

/** The stream of events. */
async function openEvents() {
  let text = ''
  const opened = Promise.withResolvers<void>()
  const stream = get(
    {
      host: '127.0.0.1',
      port: bed.connector.port,
      ca: bed.connector.ca,
      servername: 'localhost',
      path: '/v3/readers/events',
      headers: { 'x-csrf-token': 't1c-js', authorization: `Bearer ${bed.connector.token}` },
    },
    (response) =>
      response.on('data', (chunk) => {
        text += chunk
        opened.resolve()
      }),
  )
  stream.on('error', () => undefined)
  onTestFinished(() => void stream.destroy())
  await opened.promise
  return { text: () => text }
}
