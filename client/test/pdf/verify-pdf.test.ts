/** The check of signed PDFs: those that are signed here, and those that were changed to deceive. */
import { deflateSync, inflateSync } from 'node:zlib'
import { beforeAll, expect, test } from 'vitest'
import { proves } from '../../../test/bed/proves.ts'
import {
  completePdfSignature,
  type PdfSignature,
  preparePdfSignature,
  verifyPdfSignatures,
} from '../../server/src/index.ts'
import { authorityExtensions, type Holder, keys, makeHolder } from '../harness/authority.ts'
import { onePage, packPdf, runPdfsig, signByHand, writePdf } from '../harness/pdf.ts'
import {
  makePdfSigner,
  type PdfSigner,
  signAsCard,
  signingTime,
  signPdf,
  toOptions,
} from '../harness/pdf-signer.ts'
import { serveTimestamps, timestampExtensions } from '../harness/timestamp-service.ts'

let root: Holder
let rsa: PdfSigner
let ec: PdfSigner
const now = Date.UTC(2026, 6, 1)

beforeAll(async () => {
  root = await makeHolder({ subject: '/CN=Root' })
  rsa = await makePdfSigner(root, 'RS256')
  ec = await makePdfSigner(root, 'ES384', { subject: '/CN=Jan' })
})

const classic = writePdf(onePage())
const verify = (pdf: Uint8Array, given = {}) =>
  verifyPdfSignatures(pdf, { roots: [root.certificate], now, ...given })

/** What the table of a test has of each result. */
const summarize = (results: readonly PdfSignature[]) =>
  results.map((result) =>
    result.valid
      ? [result.field, result.subject['CN']?.[0], result.coversWholeFile, result.laterChanges]
      : [result.field, result.reason],
  )

test('a signature is valid, with who signed, when, and how much of the file', async () => {
  proves('pdf-signatures')
  const signed = await signPdf(classic, rsa, { reason: 'I agree', location: 'Łódź' })
  expect(await verify(signed)).toEqual([
    {
      valid: true,
      field: 'Signature1',
      certificate: new Uint8Array(rsa.holder.der),
      path: [new Uint8Array(rsa.holder.der), new Uint8Array(root.der)],
      subject: { CN: ['An Vermeer'] },
      hash: 'SHA-256',
      signingTime,
      timestamp: undefined,
      claimedReason: 'I agree',
      claimedLocation: 'Łódź',
      coversWholeFile: true,
      signedLength: signed.length,
      laterChanges: 'none',
    },
  ])
})

const visible = { appearance: { page: 1, rectangle: { x: 72, y: 72, width: 150, height: 40 } } }

test.each([
  ['a table', async () => classic],
  ['streams', () => packPdf(classic)],
])('each signature of a file with %s is valid for its revision', async (_, make) => {
  proves('pdf-signatures')
  const one = await signPdf(await make(), rsa)
  const two = await signPdf(one, ec)
  expect(summarize(await verify(two))).toEqual([
    ['Signature1', 'An Vermeer', false, 'signatures'],
    ['Signature2', 'Jan', true, 'none'],
  ])
  const three = await signPdf(two, rsa, visible)
  const results = await verify(three)
  expect(summarize(results)).toEqual([
    ['Signature1', 'An Vermeer', false, 'visible-signatures'],
    ['Signature2', 'Jan', false, 'visible-signatures'],
    ['Signature3', 'An Vermeer', true, 'none'],
  ])
  const lengths = results.map((result) => result.valid && result.signedLength)
  expect(lengths).toEqual([one.length, two.length, three.length])
})

test('a PDF without signatures has no results', async () => {
  expect(await verify(classic)).toEqual([])
})

test('a signature with a timestamp outlives its certificate, for those who trust the service', async () => {
  proves('pdf-signatures')
  const service = await makeHolder({
    ...{ subject: '/CN=Timestamps', issuer: root, extensions: timestampExtensions },
    key: keys.RS256,
  })
  // The service has the clock of this computer.
  const day = 24 * 60 * 60_000
  const tomorrow = new Date(Date.now() + day).toISOString().replaceAll(/[-:T]|\.\d+/g, '')
  const brief = await makePdfSigner(root, 'ES256', { notAfter: tomorrow })
  const timestamps = await serveTimestamps(service, [root])
  const prepared = await preparePdfSignature(toOptions(classic, brief))
  const signature = await signAsCard(brief, prepared)
  const timestamp = { url: timestamps.url, roots: [root.certificate] }
  const signed = await completePdfSignature(prepared, signature, { timestamp })
  const late = { now: Date.now() + 2 * day }
  const timestampRoots = [root.certificate]
  const [result] = await verify(signed, { ...late, timestampRoots })
  expect(result?.valid && result.timestamp?.certificate).toEqual(new Uint8Array(service.der))
  const [poppler] = await runPdfsig(signed, [root])
  expect(poppler?.['Signature Validation']).toBe('Signature is Valid.')
  expect(summarize(await verify(signed, late))).toEqual([['Signature1', 'certificate-expired']])
  const plain = await signPdf(classic, brief)
  expect(summarize(await verify(plain, { ...late, timestampRoots }))).toEqual([
    ['Signature1', 'certificate-expired'],
  ])
})

test('a timestamp that is too long for the space in the PDF is refused, and the signature is not lost', async () => {
  const comment = (at: number) => `nsComment=${String(at).repeat(7000)}`
  const authority = (at: number) =>
    makeHolder({ subject: `/CN=${at}`, extensions: [...authorityExtensions, comment(at)] })
  const many = await Promise.all([1, 2, 3].map(authority))
  const service = await makeHolder({
    ...{ subject: '/CN=Timestamps', issuer: root, extensions: timestampExtensions },
    key: keys.RS256,
  })
  const { url } = await serveTimestamps(service, [root, ...many])
  const prepared = await preparePdfSignature(toOptions(classic, ec))
  const signature = await signAsCard(ec, prepared)
  const timestamp = { url, roots: [root.certificate] }
  const error = await completePdfSignature(prepared, signature, { timestamp }).catch(
    (thrown) => thrown,
  )
  expect([error.name, error.reason, error.message]).toEqual([
    'PdfSignatureError',
    'signature-too-large',
    expect.stringMatching(
      /^Cannot put the signature into the PDF: it has \d{5} bytes, and there is space for \d{5}$/,
    ),
  ])
  expect(summarize(await verify(await completePdfSignature(prepared, signature)))).toEqual([
    ['Signature1', 'Jan', true, 'none'],
  ])
})

test.each([
  ['another root', { roots: ['other'] }, 'certificate-untrusted'],
  ['a time before', { now: Date.UTC(2019, 0) }, 'certificate-not-yet-valid'],
  ['a time after', { now: Date.UTC(2041, 0) }, 'certificate-expired'],
])('a certificate that is not accepted: %s', async (_, given, reason) => {
  const other = await makeHolder({ subject: '/CN=Other' })
  const roots = 'roots' in given ? { roots: [other.certificate] } : {}
  expect(summarize(await verify(await signPdf(classic, rsa), { ...given, ...roots }))).toEqual([
    ['Signature1', reason],
  ])
})

test('an option that cannot be used is an error, not a result', async () => {
  const signed = await signPdf(classic, rsa)
  const error = await verify(signed, { roots: [] }).catch((thrown) => thrown)
  expect([error.name, error.reason, error.message]).toEqual([
    'SignatureError',
    'settings-invalid',
    'Cannot use roots: expected at least one certificate',
  ])
})

/** The same file with one text replaced by another of its length. */
function replace(pdf: Uint8Array, from: string, to: string): Buffer {
  const text = Buffer.from(pdf).toString('latin1')
  expect([text.split(from).length, to.length]).toEqual([2, from.length])
  return Buffer.from(text.replace(from, to), 'latin1')
}

test.each([
  ['what the page shows', '(Contract)', '(Contrary)', 'content-mismatch'],
  ['the claimed reason', '(I agree)', '(I doubt)', 'content-mismatch'],
  ['its field', '/T (Signature1)', '/T (Signature9)', 'content-mismatch'],
  ['its type', '/ETSI.CAdES.detached', '/adbe.pkcs7.detached', 'type-unsupported'],
  ['its first range', '/ByteRange [0 ', '/ByteRange [1 ', 'ranges-invalid'],
  ['its ranges, which are gone', '/ByteRange [', '/ByteRanks [', 'ranges-invalid'],
  ['its contents, which are gone', '/Contents <', '/Contenta <', 'signature-malformed'],
] as const)('a changed byte of %s', async (_, from, to, reason) => {
  proves('pdf-signature-forged')
  const signed = await signPdf(classic, rsa, { reason: 'I agree' })
  const [result] = await verify(replace(signed, from, to))
  expect(result?.valid === false && result.reason).toBe(reason)
})

/** Changes the numbers in the range of the file's one signature, which keeps its length. */
function setRange(pdf: Uint8Array, change: (range: readonly number[]) => string): Buffer {
  const text = Buffer.from(pdf).toString('latin1')
  const [found = '', numbers = ''] = /\/ByteRange \[([^\]]*)\]/.exec(text) ?? []
  const range = numbers.trim().split(/\s+/).map(Number)
  const changed = `/ByteRange [${change(range).padEnd(numbers.length)}]`
  return replace(pdf, found, changed)
}

test.each([
  ['with an end after the file', ([a, b, c, d = 0]) => `${a} ${b} ${c} ${d + 1}`],
  ['that leave out the end', ([a, b, c, d = 0]) => `${a} ${b} ${c} ${d - 3}`],
  ['that leave out more than the signature', ([a, b = 0, c, d]) => `${a} ${b - 1} ${c} ${d}`],
  ['that overlap', ([a, b, c = 0, d = 0]) => `${a} ${b} ${c - 1} ${d + 1}`],
  ['of which there is one', ([a, b]) => `${a} ${b}`],
  ['of which there are three', ([a, b, c, d]) => `${a} ${b} ${c} ${d} 0 0`],
  ['that are negative', ([a, b, c, d]) => `${a} ${b} ${c} -${d}`],
  ['that are no numbers', () => '/A /B /C /D'],
  ['that are elsewhere', () => '5 0 R'],
] as const satisfies readonly (readonly [string, (range: readonly number[]) => string])[])(
  'ranges %s',
  async (_, change) => {
    proves('pdf-signature-forged')
    const signed = await signPdf(classic, rsa)
    expect(summarize(await verify(setRange(signed, change)))).toEqual([
      ['Signature1', 'ranges-invalid'],
    ])
  },
)

test('contents with something after the signature', async () => {
  proves('pdf-signature-forged')
  const signed = Buffer.from(await signPdf(classic, rsa))
  signed.write('1', signed.indexOf('0>'), 'latin1')
  expect(summarize(await verify(signed))).toEqual([['Signature1', 'signature-malformed']])
})

/** Appends objects and a table of them, as an attacker would. */
function append(pdf: Uint8Array, objects: Readonly<Record<number, string>>, root = 1): Buffer {
  const text = Buffer.from(pdf).toString('latin1')
  const previous = /startxref\n(\d+)\n%%EOF\n$/.exec(text)?.[1]
  let added = ''
  let table = ''
  for (const [number, body] of Object.entries(objects)) {
    table += `${number} 1\n${String(text.length + added.length).padStart(10, '0')} 00000 n \n`
    added += `${number} 0 obj\n${body}\nendobj\n`
  }
  const start = text.length + added.length
  const trailer = `trailer\n<< /Size 50 /Root ${root} 0 R /Prev ${previous} >>\n`
  return Buffer.from(
    `${text}${added}xref\n${table}${trailer}startxref\n${start}\n%%EOF\n`,
    'latin1',
  )
}

const content = (words: string) => `<< /Length ${words.length} >>\nstream\n${words}\nendstream`
const page = (more: string) =>
  `<< /Type /Page /Parent 2 0 R /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> /Annots [${more}] >>`
/** The numbers of what a signature adds to the page above: the signature, its field and the form. */
const [field, form] = [7, 8]
const formWith = (fields: string, more = '') =>
  `<< /Fields [${field} 0 R ${fields}] /SigFlags 3 ${more} >>`
const newField = (entries: string) =>
  `<< /Type /Annot /Subtype /Widget /FT /Sig /T (More) /P 3 0 R ${entries} >>`
const hidden = '/Rect [0 0 0 0] /F 132'
const shown = '/Rect [0 0 500 800] /F 4 /AP << /N 21 0 R >>'
const paint = `<< /Type /XObject /Subtype /Form /BBox [0 0 500 800] /Length 0 >>\nstream\n\nendstream`

test.each([
  ['nothing', {}, 'signatures'],
  [
    'an empty field that is not shown',
    { 3: page('7 0 R 20 0 R'), [form]: formWith('20 0 R'), 20: newField(hidden) },
    'signatures',
  ],
  [
    'a field that is shown',
    { 3: page('7 0 R 20 0 R'), [form]: formWith('20 0 R'), 20: newField(shown), 21: paint },
    'visible-signatures',
  ],
  [
    'data for verification',
    { 1: `<< /Type /Catalog /Pages 2 0 R /AcroForm ${form} 0 R /DSS << /Certs [] >> >>` },
    'signatures',
  ],
  ['another text on the page', { 4: content('BT /F1 24 Tf 72 700 Td (Contrary) Tj ET') }, 'other'],
  ['another font', { 5: '<< /Type /Font /Subtype /Type1 /BaseFont /Symbol >>' }, 'other'],
  [
    'another size of pages',
    { 2: '<< /Type /Pages /Kids [3 0 R] /Count 1 /MediaBox [0 0 9 9] >>' },
    'other',
  ],
  [
    'a second page',
    { 2: '<< /Type /Pages /Kids [3 0 R 20 0 R] /Count 2 /MediaBox [0 0 595 842] >>', 20: page('') },
    'other',
  ],
  [
    'a note on the page',
    { 3: page('7 0 R 20 0 R'), 20: '<< /Type /Annot /Subtype /FreeText /Rect [0 0 500 800] >>' },
    'other',
  ],
  [
    'a field of text',
    { [form]: formWith('20 0 R'), 20: newField(hidden).replace('/Sig', '/Tx') },
    'other',
  ],
  [
    'a field with an action',
    { [form]: formWith('20 0 R'), 20: newField(`${hidden} /AA << >>`) },
    'other',
  ],
  [
    'a field with the name of the first',
    { [form]: formWith('20 0 R'), 20: newField(hidden).replace('More', 'Signature1') },
    'other',
  ],
  ['a field from an old object', { [form]: formWith('4 0 R'), 4: newField(hidden) }, 'other'],
  ['what the form draws', { [form]: formWith('', '/NeedAppearances true') }, 'other'],
  ['an XFA form', { [form]: formWith('', '/XFA (x)') }, 'other'],
  [
    'another catalog',
    {
      20: `<< /Type /Catalog /Pages 21 0 R /AcroForm ${form} 0 R >>`,
      21: '<< /Type /Pages /Kids [] /Count 0 >>',
    },
    'other',
    20,
  ],
  [
    'an action on opening',
    { 1: `<< /Type /Catalog /Pages 2 0 R /AcroForm ${form} 0 R /OpenAction << >> >>` },
    'other',
  ],
] as const)('later revisions with %s', async (_, objects, expected, catalog: number = 1) => {
  proves('pdf-changed-later')
  const signed = await signPdf(classic, rsa)
  const changed = append(signed, objects, catalog)
  expect(summarize(await verify(changed))).toEqual([['Signature1', 'An Vermeer', false, expected]])
  const [result] = await verify(changed)
  const original = changed.subarray(0, (result?.valid && result.signedLength) || 0)
  expect(summarize(await verify(original))).toEqual([['Signature1', 'An Vermeer', true, 'none']])
})

test.each([
  ['signed', '/Rect [0 0 0 0]', '/V 30 0 R', 'signatures'],
  [
    'signed where it is shown',
    '/Rect [9 9 99 99]',
    '/V 30 0 R /AP << /N 31 0 R >>',
    'visible-signatures',
  ],
  ['given an appearance', '/Rect [9 9 99 99]', '/AP << /N 31 0 R >>', 'other'],
  ['moved and signed', '/Rect [9 9 99 99]', '/Rect [0 0 0 0] /V 30 0 R', 'other'],
])('an empty field that is %s', async (_, place, change, expected) => {
  proves('pdf-changed-later')
  const entries = '/FT /Sig /T (Empty) /Subtype /Widget /P 3 0 R'
  const pdf = writePdf(
    onePage({
      1: '<< /Type /Catalog /Pages 2 0 R /AcroForm << /Fields [10 0 R] >> >>',
      3: page('10 0 R'),
      10: `<< ${entries} ${place} >>`,
    }),
  )
  const kept = change.includes('/Rect') ? '' : place
  const changed = append(await signPdf(pdf, rsa), {
    10: `<< ${entries} ${kept} ${change} >>`,
    30: '<< /Type /DocTimeStamp >>',
    31: paint,
  })
  expect(summarize(await verify(changed))).toEqual([['Signature1', 'An Vermeer', false, expected]])
})

test('an object that was missing, and that the page shows when it is there', async () => {
  proves('pdf-changed-later')
  const missing =
    '<< /Type /Page /Parent 2 0 R /Contents [4 0 R 30 0 R] /Resources << /Font << /F1 5 0 R >> >> >>'
  const signed = await signPdf(writePdf(onePage({ 3: missing })), rsa)
  expect(summarize(await verify(append(signed, { 40: 'null' })))).toEqual([
    ['Signature1', 'An Vermeer', false, 'signatures'],
  ])
  expect(summarize(await verify(append(signed, { 30: content('BT ET') })))).toEqual([
    ['Signature1', 'An Vermeer', false, 'other'],
  ])
})

test('a stream of objects that was written again, or with another page in it', async () => {
  proves('pdf-changed-later')
  const signed = Buffer.from(await signPdf(await packPdf(classic), rsa))
  const text = signed.toString('latin1')
  const container = /(\d+) 0 obj\n<< \/Type \/ObjStm \/Length (\d+) (.*?) >>\nstream\n/.exec(text)
  const [whole = '', number, length, entries = ''] = container ?? []
  const start = (container?.index ?? 0) + whole.length
  const objects = inflateSync(signed.subarray(start, start + Number(length))).toString('latin1')
  const write = (data: string) => {
    const packed = deflateSync(Buffer.from(data, 'latin1')).toString('latin1')
    return `<< /Type /ObjStm /Length ${packed.length} ${entries} >>\nstream\n${packed}\nendstream`
  }
  const catalog = Number(/\/Root (\d+) 0 R/.exec(text)?.[1])
  const changes = [objects, objects.replace(' 595 ', ' 599 ')].map((data) =>
    append(signed, { [number ?? '']: write(data) }, catalog),
  )
  const results = await Promise.all(changes.map(async (one) => summarize(await verify(one))))
  expect(results).toEqual([
    [['Signature1', 'An Vermeer', false, 'other']],
    [['Signature1', 'An Vermeer', false, 'other']],
  ])
})

test('a signature whose object is replaced by one that says the same', async () => {
  proves('pdf-signature-forged')
  const signed = Buffer.from(await signPdf(classic, rsa))
  const text = signed.toString('latin1')
  const [, body = ''] = /\n6 0 obj\n(.*?)\nendobj/s.exec(text) ?? []
  const copied = append(signed, { 6: body.replace('/M (D:2026', '/M (D:2020') })
  expect(summarize(await verify(copied))).toEqual([['Signature1', 'ranges-invalid']])
})

test('a second field with the signature of the first', async () => {
  proves('pdf-signature-forged')
  const signed = await signPdf(classic, rsa)
  const objects = { [form]: formWith('20 0 R'), 20: newField(`${hidden} /V 6 0 R`) }
  expect(summarize(await verify(append(signed, objects)))).toEqual([
    ['Signature1', 'An Vermeer', false, 'signatures'],
    ['More', 'ranges-invalid'],
  ])
})

test('objects after the end that no table has', async () => {
  proves('pdf-changed-later')
  const signed = Buffer.from(await signPdf(classic, rsa))
  const text = signed.toString('latin1')
  const end = text.slice(text.lastIndexOf('startxref'))
  const hiddenPage = `4 0 obj\n${content('BT (Contrary) Tj ET')}\nendobj\n`
  expect(summarize(await verify(Buffer.from(`${text}${hiddenPage}${end}`, 'latin1')))).toEqual([
    ['Signature1', 'An Vermeer', false, 'other'],
  ])
  const error = await verify(Buffer.from(`${text}${hiddenPage}`, 'latin1')).catch((one) => one)
  expect(error.reason).toBe('pdf-malformed')
})

test('a signature in a stream of objects', async () => {
  proves('pdf-signature-forged')
  const signature =
    '<< /Type /Sig /SubFilter /ETSI.CAdES.detached /ByteRange [0 9 13 9] /Contents <00> >>'
  const head = '%PDF-1.7\n'
  const bodies = {
    1: '<< /Type /Catalog /AcroForm << /Fields [2 0 R] >> >>',
    2: '<< /FT /Sig /T (A) /V 4 0 R >>',
    3: `<< /Type /ObjStm /N 1 /First 4 /Length ${signature.length + 4} >>\nstream\n4 0 ${signature}\nendstream`,
  }
  let text = head
  let rows = '\0\0\0'
  for (const [number, body] of Object.entries(bodies)) {
    rows += String.fromCharCode(1, text.length >> 8, text.length & 255)
    text += `${number} 0 obj\n${body}\nendobj\n`
  }
  rows += String.fromCharCode(2, 0, 3)
  const start = text.length
  text += `5 0 obj\n<< /Type /XRef /Size 5 /W [1 2 0] /Root 1 0 R /Length 15 >>\nstream\n${rows}\nendstream\nendobj\nstartxref\n${start}\n%%EOF\n`
  expect(summarize(await verify(Buffer.from(text, 'latin1')))).toEqual([
    ['A', 'signature-malformed'],
  ])
})

const certification = (permission: number) =>
  `/Reference [<< /Type /SigRef /TransformMethod /DocMDP /TransformParams << /P ${permission} >> >>]`

test.each([
  ['for signatures', certification(2), 'signatures'],
  ['without changes', certification(1), 'other'],
])(
  'a signature by openssl that certifies a PDF %s, and is changed',
  async (_, entries, expected) => {
    proves('pdf-changed-later')
    const signed = await signByHand(rsa.holder, entries)
    expect(summarize(await verify(signed))).toEqual([['Hand', 'An Vermeer', true, 'none']])
    expect(summarize(await verify(append(signed, {})))).toEqual([
      ['Hand', 'An Vermeer', false, expected],
    ])
  },
)

test.each([
  ['a timestamp of the document', '/Type /DocTimeStamp', []],
  ['a field above the signature', '', [['Hand', 'An Vermeer', true, 'none']]],
])('in a PDF by hand, %s', async (_, entries, expected) => {
  expect(summarize(await verify(await signByHand(rsa.holder, entries)))).toEqual(expected)
})

test('of hundreds of signatures none is verified', async () => {
  proves('costly-pdf')
  const objects: Record<number, string> = onePage()
  for (let number = 10; number < 61; number += 1) {
    objects[number] = `<< /FT /Sig /T (Field${number}) /V 6 0 R >>`
  }
  const numbers = Object.keys(objects).filter((number) => Number(number) >= 10)
  objects[1] = `<< /Type /Catalog /Pages 2 0 R /AcroForm << /Fields [${numbers.map((one) => `${one} 0 R`).join(' ')}] >> >>`
  objects[6] = '<< /Type /Sig >>'
  const error = await verify(writePdf(objects)).catch((thrown) => thrown)
  expect([error.reason, error.message]).toEqual([
    'pdf-too-large',
    'Cannot read the PDF: it has more than 50 signatures',
  ])
})
