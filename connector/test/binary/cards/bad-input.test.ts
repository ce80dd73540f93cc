/** Input that no operation with a card accepts, through the compiled connector: problems that name the field, and nothing reaches the card. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { cardPorts } from '../../../../test/bed/pcscd.ts'
import { proves } from '../../../../test/bed/proves.ts'
import type { VirtualCard } from '../../../../test/bed/virtual-card.ts'
import { waitFor } from '../../../../test/bed/wait-for.ts'
import { insertPivCard, type TracedCard } from '../../cards/emulated-card.ts'
import { type CardReader, pin, startCardReader } from './card-reader.ts'
import { createPinentry, type ScriptedPinentry } from './scripted-pinentry.ts'

const digest = Buffer.alloc(32, 7).toString('base64')
const tooLong = Buffer.alloc(65_537).toString('base64')

let pinentry: ScriptedPinentry
let bed: CardReader
let card: TracedCard & VirtualCard
let reader: string

beforeAll(async () => {
  pinentry = await createPinentry()
  bed = await startCardReader({ PATH: pinentry.path, DISPLAY: ':none' })
  card = await insertPivCard(cardPorts[0], { keys: bed.files.keys, pin, protocol: 'T=1' })
  await waitFor(async () => (await bed.find())?.card !== undefined)
  reader = (await bed.find())?.id ?? ''
  await pinentry.type(pin)
})
afterAll(async () => {
  await card?.remove()
  await bed?.stop()
  await pinentry?.remove()
})

interface RefusedRequest {
  readonly path: string
  readonly body?: object | undefined
  readonly module?: string
  readonly at?: string
}

/** The answer, when neither the card nor the user was asked anything. */
async function refuse({ path, body, module = 'piv', at = reader }: RefusedRequest) {
  const before = card.trace.length
  const url = `/v3/modules/${module}/apps/token/readers/${at}/${path}`
  const headers = { 'content-type': 'application/json' }
  const post = body && { method: 'POST', body: JSON.stringify(body), headers }
  const { status, json } = await bed.connector.request(url, post)
  expect(card.trace.slice(before)).toEqual([])
  expect(await pinentry.read()).toBe('')
  return { status, code: json.code, description: json.description, fields: toFields(json.errors) }
}

const toFields = (errors: readonly { readonly path: string }[] = []) =>
  errors.map(({ path }) => path)

const signed = { algorithm: 'sha256', data: digest }
const checked = { algorithm: 'sha256', hash: digest, signedHash: digest }

const reads = [
  'cert-list',
  'authentication-cert',
  'nonrepudiation-cert',
  'encryption-cert',
  'root-cert',
  'intermediate-certs',
  'issuer-cert',
  'supported-algorithms',
  'all-data',
  'biometric',
  'address',
  'picture',
  'info',
  'version',
]
const posts = [
  ['verify-pin', {}],
  ['authenticate', signed],
  ['sign', signed],
  ['sign_raw', signed],
  ['signatures', { algorithm: 'sha256', digests: [digest] }],
  ['validate', checked],
] as const
const operations = [...reads.map((path) => [path, undefined] as const), ...posts]

test.each(operations)('%s in a reader that is not there names it', async (path, body) => {
  proves('card-input-validated')
  expect(await refuse({ path, body, at: '0000000000000000' })).toMatchObject({
    status: 400,
    code: '701001',
    description: expect.stringContaining('reader "0000000000000000"'),
  })
})

test.each(operations)('%s of a module that is not there names it', async (path, body) => {
  proves('card-input-validated')
  expect(await refuse({ path, body, module: 'nobody' })).toMatchObject({
    status: 422,
    code: '702003',
    description: expect.stringContaining('module "nobody"'),
  })
})

test.each(posts)('%s with a key that is not there names the field', async (path, body) => {
  proves('card-input-validated')
  expect(await refuse({ path, body: { ...body, id: '9F' } })).toMatchObject({
    status: 422,
    code: '202001',
    fields: ['id'],
  })
})

test.each(posts.filter(([path]) => path !== 'verify-pin'))(
  '%s with an algorithm that is not there names the field',
  async (path, body) => {
    proves('card-input-validated')
    for (const algorithm of ['md5', '', 'sha-2-56', 'constructor']) {
      const answer = await refuse({ path, body: { ...body, algorithm } })
      expect(answer).toMatchObject({ status: 422, code: '106004', fields: ['algorithm'] })
    }
  },
)

test.each([
  ['authenticate', 'data', 'data'],
  ['sign', 'data', 'data'],
  ['signatures', 'digests', 'digests[0]'],
  ['validate', 'hash', 'hash'],
])('%s with a hash of the wrong length names the field', async (path, member, field) => {
  proves('card-input-validated')
  const [, body] = posts.find(([one]) => one === path) ?? []
  for (const bytes of [0, 20, 31, 33, 64]) {
    const value = Buffer.alloc(bytes).toString('base64')
    const wrong = { ...body, [member]: member === 'digests' ? [value] : value }
    const answer = await refuse({ path, body: wrong })
    expect(answer).toMatchObject({ status: 422, code: '106004', fields: [field] })
  }
})

test.each([
  ['authenticate', 'data'],
  ['sign', 'data'],
  ['sign_raw', 'data'],
  ['signatures', 'digests'],
  ['validate', 'hash'],
  ['validate', 'signedHash'],
])('%s with more than 64 KiB in %s names the field', async (path, member) => {
  proves('card-input-validated')
  const [, body] = posts.find(([one]) => one === path) ?? []
  const value = member === 'digests' ? [tooLong] : tooLong
  const { status, code, fields } = await refuse({ path, body: { ...body, [member]: value } })
  expect([status, code]).toEqual([422, '106004'])
  expect(fields[0]).toMatch(new RegExp(`^${member}(\\[0\\])?$`))
})
