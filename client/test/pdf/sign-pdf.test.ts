/** PDFs that are signed here, and what poppler and qpdf say of them. */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { beforeAll, expect, test } from 'vitest'
import { proves } from '../../../test/bed/proves.ts'
import { completePdfSignature, preparePdfSignature } from '../../server/src/index.ts'
import { type Holder, makeHolder, userExtensions } from '../harness/authority.ts'
import { checkPdf, onePage, packPdf, runPdfsig, save, writePdf } from '../harness/pdf.ts'
import {
  makePdfSigner,
  type PdfSigner,
  type SignerKeyName,
  signAsCard,
  signPdf,
  toOptions,
} from '../harness/pdf-signer.ts'

const run = promisify(execFile)

let root: Holder
let signers: Readonly<Record<SignerKeyName, PdfSigner>>

beforeAll(async () => {
  root = await makeHolder({ subject: '/CN=Root' })
  const make = (key: SignerKeyName) => makePdfSigner(root, key)
  signers = { RS256: await make('RS256'), ES256: await make('ES256'), ES384: await make('ES384') }
})

const classic = writePdf(onePage())
const makers = { 'a cross-reference table': async () => classic, streams: () => packPdf(classic) }

const expected = (field: string, hash: string, covers: string) => ({
  'Signature Field Name': field,
  'Signer Certificate Common Name': 'An Vermeer',
  'Signer full Distinguished Name': 'CN=An Vermeer',
  'Signing Time': 'Jun 01 2026 10:30:00',
  'Signing Hash Algorithm': hash,
  'Signature Type': 'ETSI.CAdES.detached',
  'Signed Ranges': expect.stringMatching(/^\[0 - \d+\], \[\d+ - \d+\]$/),
  'Signature Validation': 'Signature is Valid.',
  'Certificate Validation': 'Certificate is Trusted.',
  Covers: covers,
})

test.each([
  ['RS256', 'SHA-256', 'a cross-reference table'],
  ['ES256', 'SHA-256', 'streams'],
  ['ES384', 'SHA-384', 'a cross-reference table'],
  ['RS256', 'SHA-512', 'streams'],
] as const)(
  'pdfsig accepts a signature by %s with %s in a PDF with %s',
  async (key, hash, kind) => {
    proves('pdf-signatures')
    const pdf = await makers[kind]()
    const signed = await signPdf(pdf, signers[key], { hash })
    expect(await runPdfsig(signed, [root])).toEqual([expected('Signature1', hash, 'whole')])
    expect(Buffer.compare(Buffer.from(signed.subarray(0, pdf.length)), pdf)).toBe(0)
    expect(await checkPdf(signed)).toMatch(/No syntax or stream encoding errors found/)
  },
)

test.each(Object.keys(makers) as (keyof typeof makers)[])(
  'three signatures stay valid in a PDF with %s, the visible one too',
  async (kind) => {
    proves('pdf-signatures')
    let pdf: Uint8Array = await makers[kind]()
    pdf = await signPdf(pdf, signers.RS256)
    const rectangle = { x: 72, y: 72, width: 150, height: 40 }
    pdf = await signPdf(pdf, signers.ES256, { appearance: { page: 1, rectangle } })
    pdf = await signPdf(pdf, signers.ES384)
    expect(await runPdfsig(pdf, [root])).toEqual([
      expected('Signature1', 'SHA-256', 'part'),
      expected('Signature2', 'SHA-256', 'part'),
      expected('Signature3', 'SHA-384', 'whole'),
    ])
    expect(await checkPdf(pdf)).toMatch(/No syntax or stream encoding errors found/)
  },
)

test('a changed byte is no longer signed, nor is a signature by another certificate trusted', async () => {
  const signed = await signPdf(classic, signers.ES256)
  const changed = Uint8Array.from(signed)
  const at = Buffer.from(signed).indexOf('Contract')
  changed[at] = 0x4b
  const [first] = await runPdfsig(changed, [root])
  expect(first?.['Signature Validation']).toBe('Digest Mismatch.')
  const other = await makeHolder({ subject: '/CN=Other' })
  const [second] = await runPdfsig(signed, [other])
  expect(second).toMatchObject({
    'Signature Validation': 'Signature is Valid.',
    'Certificate Validation': "Certificate issuer isn't Trusted.",
  })
})

const field = '<< /FT /Sig /T (Signature1) /Rect [0 0 0 0] /Subtype /Widget /P 3 0 R >>'
const page = (annotations: string) =>
  `<< /Type /Page /Parent 2 0 R /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> /Annots ${annotations} >>`

test.each([
  ['in the catalog', { 1: '<< /Type /Catalog /Pages 2 0 R /AcroForm << /Fields [] >> >>' }, 1],
  [
    'with its own objects',
    {
      1: '<< /Type /Catalog /Pages 2 0 R /AcroForm 6 0 R >>',
      3: page('8 0 R'),
      6: '<< /Fields 7 0 R /DA (/F1 0 Tf) >>',
      7: '[9 0 R]',
      8: '[9 0 R]',
      9: field,
    },
    2,
  ],
  [
    'with a field of the same name below another',
    {
      1: '<< /Type /Catalog /Pages 2 0 R /AcroForm << /Fields [6 0 R] >> >>',
      3: page('[7 0 R]'),
      6: '<< /T (Signature1) /Kids [7 0 R] >>',
      7: '<< /Parent 6 0 R /FT /Tx /T (Name) /Subtype /Widget /Rect [0 0 9 9] >>',
    },
    2,
  ],
])('a form %s gets the signature', async (_, objects, number) => {
  const signed = await signPdf(writePdf(onePage(objects)), signers.ES256)
  const found = await runPdfsig(signed, [root])
  expect(found.at(-1)).toEqual(expected(`Signature${number}`, 'SHA-256', 'whole'))
  expect(await checkPdf(signed)).toMatch(/No syntax or stream encoding errors found/)
})

test('what the signature says is in the PDF', async () => {
  const signed = await signPdf(classic, signers.ES256, {
    reason: 'I agree (really) \\',
    location: 'Łódź',
    name: 'Ann',
  })
  const text = Buffer.from(signed).toString('latin1')
  expect(text).toContain(
    '/M (D:20260601103000Z) /Name (Ann) /Reason (I agree \\(really\\) \\\\) /Location <feff014100f30064017a>>>',
  )
  expect(text).toContain('/SigFlags 3')
})

/** Where poppler finds words on the page as it is shown: left and top, in points. */
async function findWords(pdf: Uint8Array): Promise<Readonly<Record<string, readonly number[]>>> {
  const { stdout } = await run('pdftotext', ['-bbox', await save(pdf), '-'])
  const words = stdout.matchAll(/<word xMin="([\d.]+)" yMin="([\d.]+)".*?>(.*)<\/word>/g)
  return Object.fromEntries(
    [...words].map(([, left, top, word]) => [word, [left, top].map(Number).map(Math.round)]),
  )
}

test.each([
  [0, [74, 755]],
  [90, [74, 508]],
  [180, [74, 755]],
  [270, [74, 508]],
])(
  'a visible signature is upright where it was put on a page that is turned by %i degrees',
  async (turned, [left, top]) => {
    proves('pdf-signatures')
    const pdf = writePdf(
      onePage({
        2: `<< /Type /Pages /Kids [3 0 R] /Count 1 /Rotate ${turned} /MediaBox [10 20 605 862] >>`,
      }),
    )
    const rectangle = { x: 72, y: 50, width: 200, height: 40 }
    const text = 'Łukasz Müller\nĐorđe Šćepanović, İğdır'
    const signed = await signPdf(pdf, signers.ES256, { appearance: { page: 1, rectangle, text } })
    const words = await findWords(signed)
    expect(words).toMatchObject({
      Łukasz: [left, top],
      Đorđe: [left, (top ?? 0) + 14],
    })
    expect(Object.keys(words)).toEqual(expect.arrayContaining(['Müller', 'Šćepanović,', 'İğdır']))
  },
)

test('a visible signature shows name, time and reason, and breaks lines that are too long', async () => {
  const rectangle = { x: 20, y: 20, width: 90, height: 60 }
  const signed = await signPdf(classic, signers.ES256, {
    reason: 'Accepted as the buyer of a bicycle',
    appearance: { page: 1, rectangle },
  })
  const { stdout } = await run('pdftotext', ['-layout', await save(signed), '-'])
  expect(stdout.trim().split(/\s*\n\s*/)).toEqual([
    'Contract',
    'An Vermeer',
    '2026-06-01 10:30',
    'UTC',
    'Accepted as the',
    'buyer of a bicycle',
  ])
})

test('the card may sign elsewhere and later: only the state is needed to complete the PDF', async () => {
  const prepared = await preparePdfSignature(toOptions(classic, signers.ES256))
  expect([prepared.hash, prepared.digest.length]).toEqual(['SHA-256', 32])
  const signature = await signAsCard(signers.ES256, prepared)
  const stored = Buffer.from(Buffer.from(prepared.state).toString('base64'), 'base64')
  const [one, other] = await Promise.all([
    completePdfSignature(stored, signature),
    completePdfSignature(prepared.state, signature),
  ])
  expect(Buffer.compare(one, other)).toBe(0)
})

test('a signature of another key or digest is refused', async () => {
  proves('pdf-signatures')
  const prepared = await preparePdfSignature(toOptions(classic, signers.RS256))
  const failure = async (signature: Promise<Uint8Array>) =>
    completePdfSignature(prepared.state, await signature).catch((error) => error.reason)
  const digest = new Uint8Array(32)
  const { hash } = prepared
  expect(await failure(signAsCard(signers.ES256, prepared))).toBe('signature-invalid')
  expect(await failure(signAsCard(signers.RS256, { hash, digest }))).toBe('signature-invalid')
})

test.each([
  ['nothing', new Uint8Array()],
  ['a PDF', new Uint8Array(classic)],
])('%s is no state', async (_, state) => {
  const error = await completePdfSignature(state, new Uint8Array(64)).catch((thrown) => thrown)
  expect([error.name, error.reason, error.message]).toEqual([
    'PdfSignatureError',
    'state-malformed',
    'Cannot read the state: expected what preparePdfSignature returned',
  ])
})

test.each([
  ['for sign-ins', { extensions: userExtensions }, 'certificate-unsuitable'],
  ['that has expired', { notAfter: '20260101000000Z' }, 'certificate-expired'],
])('a certificate %s signs no PDF', async (_, given, reason) => {
  const signer = await makePdfSigner(root, 'ES256', given)
  const error = await preparePdfSignature(toOptions(classic, signer)).catch((thrown) => thrown)
  expect([error.name, error.reason]).toEqual(['SignatureError', reason])
})
