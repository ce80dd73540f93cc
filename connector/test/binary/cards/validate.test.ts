/** Signatures checked against the certificates of a card through the compiled connector: openssl makes them. */
import { createHash, sign } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { proves } from '../../../../test/bed/proves.ts'
import type { PivSlot } from '../../../src/sandbox/virtual-card/piv-card.ts'
import { type CardReader, startCardReader } from './card-reader.ts'

const message = Buffer.from('a message that is signed')

let bed: CardReader
beforeAll(async () => {
  bed = await startCardReader()
})
afterAll(() => bed?.stop())

const digestOf = (hash: string, text: Uint8Array = message) =>
  createHash(hash).update(text).digest('base64')

const validate = (body: object, module = 'piv') =>
  bed.token('validate', module, {
    method: 'POST',
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json' },
  })

function signWith(slot: PivSlot, dsaEncoding: 'der' | 'ieee-p1363'): string {
  const key = bed.files.keys[slot]?.privateKey
  if (!key) throw new Error('Expected a key')
  return sign('sha256', message, { key, dsaEncoding }).toString('base64')
}

test.each([
  [undefined, '9C', 'der'],
  ['9A', '9A', 'ieee-p1363'],
  ['9a', '9A', 'der'],
  ['9D', '9D', 'der'],
] as const)(
  'the signature by the key that %s names is valid, and one of another digest or key is not',
  async (id, slot, form) => {
    proves('signature-verification')
    const card = await bed.insert()
    const body = { algorithm: 'SHA-256', hash: digestOf('sha256'), ...(id && { id }) }
    const signedHash = signWith(slot, form)
    const right = await validate({ ...body, signedHash, txId: 'tx-1', language: 'nl' })
    expect(right).toMatchObject({ status: 200, json: { data: { valid: true } } })
    const other = { ...body, signedHash, hash: digestOf('sha256', Buffer.from('another')) }
    expect((await validate(other)).json.data).toEqual({ valid: false })
    const foreign = { ...body, signedHash: signWith('9E', 'der') }
    expect((await validate(foreign)).json.data).toEqual({ valid: false })
    // Neither VERIFY nor GENERAL AUTHENTICATE.
    expect(card.trace.filter((entry) => /^..(20|87)/.test(entry))).toEqual([])
  },
)

test('a certificate that the card does not have, and a card of another module, are problems', async () => {
  const { '9A': key } = bed.files.keys
  await bed.insert({ keys: key ? { '9A': key } : {} })
  const body = { algorithm: 'sha256', hash: digestOf('sha256'), signedHash: signWith('9A', 'der') }
  expect(await validate(body)).toMatchObject({ status: 422, json: { code: '202001' } })
  const elsewhere = await validate(body, 'safenet')
  expect(elsewhere).toMatchObject({ status: 422, json: { code: '702003' } })
})
