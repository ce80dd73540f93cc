/** What the back end accepts of a card, and of nobody else: tokens and signatures that openssl makes. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { proves } from '../../../test/bed/proves.ts'
import {
  type Holder,
  makeHolder,
  sign,
  toBeSigned,
  userExtensions,
} from '../../test/harness/authority.ts'
import { signDigest } from '../../test/harness/card-signature.ts'
import { type Entry, makeList } from '../../test/harness/revocation-authority.ts'
import { createApp } from '../back-end/app.ts'
import { readSettings } from '../back-end/settings.ts'

const folder = mkdtempSync(join(tmpdir(), 'cardwire-card-routes-'))
afterAll(() => rmSync(folder, { recursive: true }))
afterEach(() => void vi.useRealTimers())

const origin = 'http://localhost:8081'
const rootsFile = join(folder, 'roots.pem')
const revocationsFile = join(folder, 'revocations.pem')
const trustFiles = { EXAMPLE_ROOTS: rootsFile, EXAMPLE_REVOCATIONS: revocationsFile }
const signatureExtensions = [
  'basicConstraints=critical,CA:FALSE',
  'keyUsage=critical,nonRepudiation',
]
const name = (number: string) => `/CN=An Vermeer/serialNumber=${number}`

let authority: Holder
let an: { readonly login: Holder; readonly signature: Holder }
/** Has the same name, and another number. */
let other: Holder
/** Says that it is An, below an authority of its own. */
let stranger: typeof an
let expired: Holder
/** For signatures of An, with a key of a kind that the application does not know. */
let unknownKey: Holder
let oldAuthority: Holder
/** Of An, valid for longer than its authority. */
let belowOld: Holder
/** Says nothing of what it is for. */
let unmarked: Holder
/** Was revoked. */
let lost: Holder

beforeAll(async () => {
  // By name and key identifier nobody can tell one from the other.
  const sameNames = {
    subject: '/CN=Citizens',
    extensions: [
      'basicConstraints=critical,CA:TRUE',
      'keyUsage=critical,keyCertSign,cRLSign',
      'subjectKeyIdentifier=0102030405',
    ],
  }
  authority = await makeHolder(sameNames)
  const issue = (subject: string, extensions: readonly string[], notAfter?: string) =>
    makeHolder({ issuer: authority, subject, extensions, ...(notAfter && { notAfter }) })
  const strangers = await makeHolder(sameNames)
  an = {
    login: await issue(name('71'), userExtensions),
    signature: await issue(name('71'), signatureExtensions),
  }
  other = await issue(name('72'), signatureExtensions)
  expired = await issue(name('71'), signatureExtensions, '20210101000000Z')
  const purpose = { issuer: authority, subject: name('71'), extensions: signatureExtensions }
  unknownKey = await makeHolder({ ...purpose, key: ['-algorithm', 'ED25519'] })
  unmarked = await makeHolder({ ...purpose, extensions: signatureExtensions.slice(0, 1) })
  const past = { notBefore: '20100101000000Z', notAfter: '20210101000000Z' }
  oldAuthority = await makeHolder({ ...sameNames, ...past })
  belowOld = await makeHolder({ ...purpose, issuer: oldAuthority })
  const options = { issuer: strangers, subject: name('71') }
  stranger = {
    login: await makeHolder({ ...options, extensions: userExtensions }),
    signature: await makeHolder({ ...options, extensions: signatureExtensions }),
  }
  lost = await issue(name('73'), userExtensions)
  writeFileSync(rootsFile, authority.certificate)
  await revoke([{ holder: lost, revoked: '260101000000Z,keyCompromise' }])
})

/** The authority's list. */
async function revoke(entries: readonly Entry[]): Promise<void> {
  const list = await makeList({ issuer: authority, entries })
  const body = list.toString('base64')
  writeFileSync(revocationsFile, `-----BEGIN X509 CRL-----\n${body}\n-----END X509 CRL-----\n`)
}

/** The requests of one page that has opened the address. */
async function openPage(settings: Readonly<Record<string, string>> = trustFiles) {
  let address = ''
  const environment = {
    EXAMPLE_DS_URL: 'http://127.0.0.1:1',
    EXAMPLE_API_KEY: '5f0c1f0e-2d1c-4b6e-9d53-0a7f4f0f6b11',
  }
  const app = createApp(readSettings({ ...environment, ...settings }), (next) => {
    address = next
  })
  const own = { host: 'localhost:8081', 'sec-fetch-site': 'same-origin' }
  const opened = await app.request(`/${new URL(address).search}`, { headers: own })
  const cookie = opened.headers.get('set-cookie') ?? ''
  const ask = async (method: string, path: string, body?: unknown, headers = {}) => {
    const text = typeof body === 'string' ? body : JSON.stringify(body)
    const answer = await app.request(`/card/${path}`, {
      method,
      headers: { ...own, cookie, ...headers },
      ...(text !== undefined && { body: text }),
    })
    return { status: answer.status, text: await answer.text() }
  }
  return {
    ask,
    nonce: async () => (await ask('POST', 'nonce')).text,
    signIn: (token: unknown) => ask('POST', 'sign-in', token),
    user: async () => JSON.parse((await ask('GET', 'user')).text),
    sign: (signed: unknown) => ask('POST', 'signatures', signed),
  }
}

async function makeToken(nonce: string, holder = an.login, signed = origin) {
  const signature = await sign('ES256', holder, toBeSigned('ES256', signed, nonce))
  return {
    unverifiedCertificate: holder.der.toString('base64'),
    algorithm: 'ES256',
    signature: signature.toString('base64'),
    format: 'web-eid:1.0',
    appVersion: 'https://example.com/cardwire/4.0.0',
  }
}

async function signText(text: string, holder = an.signature, claimed = holder) {
  const signature = await sign('ES256', holder, Buffer.from(text))
  return {
    text,
    certificate: claimed.der.toString('base64'),
    signature: signature.toString('base64'),
  }
}

test('a user signs in, is known to this session alone, and signs out', async () => {
  const page = await openPage()
  expect(await page.user()).toBeNull()
  const { status, text } = await page.signIn(await makeToken(await page.nonce()))
  expect(status).toBe(200)
  const facts = { name: 'An Vermeer', number: '71', issuer: 'Citizens' }
  expect(JSON.parse(text)).toEqual({
    ...facts,
    algorithm: 'ES256',
    validUntil: '2040-01-01T00:00:00.000Z',
  })
  expect(await page.user()).toMatchObject(facts)
  expect((await page.ask('POST', 'sign-out')).status).toBe(204)
  expect(await page.user()).toBeNull()
})

test('a nonce signs in once, for five minutes, and only in its own session', async () => {
  proves('example-virtual-card')
  const page = await openPage()
  const token = await makeToken(await page.nonce())
  const late = { status: 409, text: 'This took too long. Sign in again' }
  expect(await (await openPage()).signIn(token)).toEqual(late)
  expect((await page.signIn(token)).status).toBe(200)
  expect(await page.signIn(token)).toEqual(late)

  const old = await makeToken(await page.nonce())
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 5 * 60 * 1000 + 1 })
  expect(await page.signIn(old)).toEqual(late)
})

test('a token for another site, of another nonce, of an authority that is not named, or of a key for signatures signs nobody in', async () => {
  const page = await openPage()
  const refused = async (make: (nonce: string) => unknown) => {
    const { status, text } = await page.signIn(await make(await page.nonce()))
    expect([status, await page.user()]).toEqual([403, null])
    return text
  }
  const unsignedMessage = 'The card didn’t sign what this page asked for. Try again'
  expect(await refused((nonce) => makeToken(nonce, an.login, 'https://evil.example'))).toBe(
    unsignedMessage,
  )
  expect(await refused(() => makeToken('A'.repeat(44)))).toBe(unsignedMessage)
  expect(await refused((nonce) => makeToken(nonce, stranger.login))).toBe(
    'This application doesn’t accept cards from this issuer. Use another card',
  )
  expect(await refused((nonce) => makeToken(nonce, an.signature))).toBe(
    'The certificate on this card isn’t meant for this. Use another card',
  )
  expect(await refused(() => 'no token')).toBe('The card’s answer couldn’t be read. Try again')
})

test('a card that was revoked signs no user in, and neither does one whose authority does not respond', async () => {
  proves('example-revocation')
  const page = await openPage()
  const signIn = async (holder: Holder) => page.signIn(await makeToken(await page.nonce(), holder))
  expect(await signIn(lost)).toEqual({
    status: 403,
    text: 'This card has been revoked. Contact the issuer of the card',
  })
  rmSync(revocationsFile)
  onTestFinished(() => revoke([{ holder: lost, revoked: '260101000000Z,keyCompromise' }]))
  expect(await signIn(an.login)).toEqual({
    status: 403,
    text: 'The issuer of this card can’t be asked right now whether the card is still valid. Try again later',
  })
})

test.each([{}, { EXAMPLE_ROOTS: '/nowhere/roots.pem' }])(
  'where no authority is named a user is told before the PIN: settings %j',
  async (settings) => {
    const page = await openPage(settings)
    expect(await page.ask('POST', 'nonce')).toEqual({
      status: 409,
      text: 'You can’t use a card here yet because this application doesn’t trust any certificate authority',
    })
  },
)

test('a text that the user who is signed in has signed is accepted, to the last character', async () => {
  proves('example-virtual-card')
  const page = await openPage()
  const text = 'Two tickets: 2 × 8 €\nfor Saturday'
  const signed = await signText(text)
  expect(await page.sign(signed)).toEqual({ status: 403, text: 'Sign in first' })
  await page.signIn(await makeToken(await page.nonce()))
  const accepted = await page.sign(signed)
  expect(accepted.status).toBe(200)
  expect(JSON.parse(accepted.text)).toMatchObject({
    name: 'An Vermeer',
    number: '71',
    text,
    digest: expect.stringMatching(/^[0-9a-f]{64}$/),
  })
  expect(await page.sign({ ...signed, text: `${text} ` })).toEqual({
    status: 403,
    text: 'The card didn’t sign what this page asked for. Try again',
  })
})

test('a signature of somebody else, of a stranger with the same name, of an expired certificate, or of another key is refused', async () => {
  const page = await openPage()
  await page.signIn(await makeToken(await page.nonce()))
  const refused = async (signed: unknown) => {
    const { status, text } = await page.sign(signed)
    expect(status).toBe(403)
    return text
  }
  expect(await refused(await signText('a', other))).toBe(
    'This card doesn’t belong to the signed-in user. Insert the card that you signed in with',
  )
  expect(await refused(await signText('a', stranger.signature))).toBe(
    'This application doesn’t accept cards from this issuer. Use another card',
  )
  expect(await refused(await signText('a', expired))).toBe(
    'The certificate on this card has expired. You need a new card',
  )
  expect(await refused(await signText('a', other, an.signature))).toBe(
    'The card didn’t sign what this page asked for. Try again',
  )
})

test('a certificate that is not for signatures is refused, though it is of the user', async () => {
  const page = await openPage()
  await page.signIn(await makeToken(await page.nonce()))
  for (const holder of [an.login, unmarked]) {
    expect(await page.sign(await signText('a', holder))).toEqual({
      status: 403,
      text: 'The certificate on this card isn’t meant for this. Use another card',
    })
  }
})

test('a signature with a key of a kind that the application does not know is refused', async () => {
  const page = await openPage()
  await page.signIn(await makeToken(await page.nonce()))
  expect(await page.sign(await signText('a', an.signature, unknownKey))).toEqual({
    status: 403,
    text: 'This application doesn’t support the key on this card. Use another card',
  })
})

test('a signature below an authority that is not valid any more is refused', async () => {
  const page = await openPage()
  await page.signIn(await makeToken(await page.nonce()))
  writeFileSync(rootsFile, oldAuthority.certificate)
  onTestFinished(() => writeFileSync(rootsFile, authority.certificate))
  expect(await page.sign(await signText('a', belowOld))).toEqual({
    status: 403,
    text: 'This application doesn’t accept cards from this issuer. Use another card',
  })
})

async function signOrder(page: Awaited<ReturnType<typeof openPage>>, holder = an.signature) {
  const certificate = holder.der.toString('base64')
  const prepared = await page.ask('POST', 'documents/prepare', { certificate })
  if (prepared.status !== 200) return prepared
  const { hash, digest } = JSON.parse(prepared.text)
  expect(hash).toBe('SHA-256')
  const signature = await signDigest(
    an.signature,
    { hash, digest: Buffer.from(digest, 'base64') },
    'P-256',
  )
  return page.ask('POST', 'documents/complete', { signature: signature.toString('base64') })
}

test('an order is signed as a PDF, which the user downloads, and signs once for each preparation', async () => {
  proves('example-order')
  const page = await openPage()
  expect(await signOrder(page)).toEqual({ status: 403, text: 'Sign in first' })
  await page.signIn(await makeToken(await page.nonce()))
  const download = () => page.ask('GET', 'documents/signed-order.pdf')
  expect(await download()).toEqual({ status: 404, text: 'You haven’t signed the order' })
  const order = await page.ask('GET', 'documents/order.pdf')
  const signed = await signOrder(page)
  expect([signed.status, JSON.parse(signed.text)]).toMatchObject([
    200,
    { name: 'An Vermeer', number: '71', digest: expect.stringMatching(/^[0-9a-f]{64}$/) },
  ])
  const { status, text } = await download()
  expect([status, text.startsWith(order.text), text.length > order.text.length]).toEqual([
    ...[200, true, true],
  ])
  const again = await page.ask('POST', 'documents/complete', { signature: 'AAAA' })
  expect(again).toEqual({ status: 409, text: 'This took too long. Sign again' })
  await page.ask('POST', 'sign-out')
  expect((await download()).status).toBe(404)
})

test('an order is not signed for another user, or by another key than that of the certificate', async () => {
  proves('example-order')
  const page = await openPage()
  await page.signIn(await makeToken(await page.nonce()))
  expect(await signOrder(page, other)).toEqual({
    status: 403,
    text: 'This card doesn’t belong to the signed-in user. Insert the card that you signed in with',
  })
  const certificate = an.signature.der.toString('base64')
  await page.ask('POST', 'documents/prepare', { certificate })
  const signature = Buffer.alloc(64, 7).toString('base64')
  expect(await page.ask('POST', 'documents/complete', { signature })).toEqual({
    status: 403,
    text: 'The card didn’t sign what this page asked for. Try again',
  })
})

test.each([
  {},
  { text: '', certificate: 'AA==', signature: 'AA==' },
  { text: 'a', certificate: 'AA==', signature: 'AA==' },
  { text: 'a', certificate: '<>', signature: 'AA==' },
  'no JSON',
])('a signature that cannot be read is 400: %j', async (signed) => {
  const page = await openPage()
  await page.signIn(await makeToken(await page.nonce()))
  expect((await page.sign(signed)).status).toBe(400)
})

test('no other site has a card used, and no request is longer than 64 kB', async () => {
  const page = await openPage()
  const paths = ['nonce', 'sign-in', 'sign-out', 'signatures', 'documents/prepare']
  for (const path of [...paths, 'documents/complete']) {
    const elsewhere = { 'sec-fetch-site': 'cross-site' }
    expect((await page.ask('POST', path, '{}', elsewhere)).status).toBe(403)
  }
  const long = { 'content-length': '65537' }
  expect((await page.ask('POST', 'sign-in', 'a'.repeat(65_537), long)).status).toBe(413)
})
