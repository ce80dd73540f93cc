/** PDFs and options that are not signed, each with what is said about it. */
import { deflateSync } from 'node:zlib'
import { beforeAll, expect, test } from 'vitest'
import { proves } from '../../../test/bed/proves.ts'
import { type PdfSignatureOptions, preparePdfSignature } from '../../server/src/index.ts'
import { makeHolder } from '../harness/authority.ts'
import { onePage, qpdf, writePdf } from '../harness/pdf.ts'
import { makePdfSigner, type PdfSigner, toOptions } from '../harness/pdf-signer.ts'

let signer: PdfSigner

beforeAll(async () => {
  signer = await makePdfSigner(await makeHolder({ subject: '/CN=Root' }), 'ES256')
})

const refusal = (pdf: Uint8Array, given: Partial<PdfSignatureOptions> = {}) =>
  preparePdfSignature(toOptions(pdf, signer, given)).then(
    () => 'signed',
    (error) => {
      expect(error.name, String(error)).toBe('PdfSignatureError')
      return [error.reason, error.message]
    },
  )

const whole = writePdf(onePage())
const text = whole.toString('latin1')
const edit = (from: string | RegExp, to: string) => Buffer.from(text.replace(from, to), 'latin1')
const catalog = (entries: string) => ({ 1: `<< /Type /Catalog /Pages 2 0 R ${entries} >>` })
const signed = (entries: string, field = '') => ({
  ...catalog('/AcroForm << /Fields [6 0 R] >>'),
  6: `<< /FT /Sig /T (A) /V 7 0 R /Rect [0 0 0 0] ${field} >>`,
  7: `<< /Type /Sig /ByteRange [0 1 2 3] /Contents <00> ${entries} >>`,
})
const docMdp = (permission: number) =>
  `/Reference [<< /Type /SigRef /TransformMethod /DocMDP /TransformParams << /P ${permission} >> >>]`

const malformed = (what: string) => ['pdf-malformed', `Cannot read the PDF: ${what}`]
const locked = [
  'pdf-locked',
  'Cannot sign the PDF: an earlier signature forbids every later change, also more signatures',
]
const xfa = [
  'form-unsupported',
  'Cannot sign the PDF: it has an XFA form. Print it to a new PDF, and sign that one',
]

test.each([
  ['has an XFA form', catalog('/AcroForm << /Fields [] /XFA 6 0 R >>'), xfa],
  ['is drawn by an XFA form', catalog('/NeedsRendering true'), xfa],
  ['is certified, without changes', signed(docMdp(1)), locked],
  ['is certified, for forms', signed(docMdp(2)), 'signed'],
  ['is locked by a signed field', signed('', '/Lock << /P 1 >>'), locked],
  [
    'has a lock for some fields',
    signed('', '/Lock << /Action /Include /Fields [(B)] >>'),
    'signed',
  ],
  [
    'is certified in its catalog',
    { ...catalog('/Perms << /DocMDP 6 0 R >>'), 6: `<< /Type /Sig ${docMdp(1)} >>` },
    locked,
  ],
  ['has no page', { 2: '<< /Type /Pages /Kids [] /Count 0 >>' }, malformed('it has no page')],
  [
    'has pages in a circle',
    { 2: '<< /Type /Pages /Kids [2 0 R] /Count 1 >>' },
    malformed('a page of it is in it twice'),
  ],
  [
    'has fields in a circle',
    {
      ...catalog('/AcroForm << /Fields [6 0 R] >>'),
      6: '<< /T (A) /Kids [6 0 R] >>',
    },
    malformed('a field of its form is in it twice'),
  ],
  [
    'has references in a circle',
    { 3: '6 0 R', 6: '3 0 R' },
    malformed('references lead to each other'),
  ],
  [
    'has arrays in each other',
    { 3: `<< /Type /Page /A ${'['.repeat(200)}${']'.repeat(200)} >>` },
    malformed('its objects are nested more than 100 times'),
  ],
  [
    'has strings of megabytes',
    { 3: `<< /Type /Page /A (${'x'.repeat(9 * 1024 * 1024)}) >>` },
    malformed('a string at byte 171 is too long'),
  ],
  [
    'has dictionaries without an end',
    { 3: `<< /Type /Page /A [${'<<>>'.repeat(1_000_000)}] >>` },
    ['pdf-too-large', 'Cannot read the PDF: it has more than 4000000 objects'],
  ],
  [
    'has a key twice',
    { 3: '<< /Type /Page /A 1 /#41 2 >>' },
    malformed('a dictionary at byte 173 has a key twice'),
  ],
] as const)('a PDF that %s', async (_, objects, expected) => {
  proves('costly-pdf')
  expect(await refusal(writePdf(onePage(objects)))).toEqual(expected)
})

test.each([
  ['is empty', new Uint8Array(), malformed('it does not begin with %PDF-')],
  [
    'has something before it',
    Buffer.from(` ${text}`, 'latin1'),
    malformed('it does not begin with %PDF-'),
  ],
  ['lacks its end', whole.subarray(0, -10), malformed('it does not end with startxref and %%EOF')],
  [
    'has something after it',
    Buffer.from(`${text}more`, 'latin1'),
    malformed('it does not end with startxref and %%EOF'),
  ],
  ['has no catalog', edit('/Root 1 0 R', ''), malformed('it has no catalog')],
  [
    'refers to itself',
    edit(/\/Root(.*)(startxref\n)(\d+)/s, '/Prev $3 /Root$1$2$3'),
    malformed('its cross-reference sections refer to each other'),
  ],
  [
    'has wrong positions',
    edit('/Pages 2 0 R', '/Pages 2 0 R    '),
    malformed('it has no object at byte 406'),
  ],
  [
    'has a wrong number',
    edit('2 0 obj', '9 0 obj'),
    malformed('it has another object than 2 at byte 64'),
  ],
  [
    'says it is encrypted',
    edit('/Root', '/Encrypt 5 0 R /Root'),
    [
      'pdf-encrypted',
      'Cannot use the PDF: it is encrypted. Remove its password and its restrictions first',
    ],
  ],
  [
    'is too large',
    new Uint8Array(50 * 1024 * 1024 + 1),
    ['pdf-too-large', 'Cannot use the PDF: it has 52428801 bytes, more than 52428800'],
  ],
] as const)('a file that %s', async (_, pdf, expected) => {
  proves('pdf-signature-forged')
  expect(await refusal(pdf)).toEqual(expected)
})

test('a PDF that needs a password', async () => {
  const options = ['--encrypt', 'user', 'owner', '256', '--']
  expect(await refusal(await qpdf(whole, ...options))).toEqual([
    'pdf-encrypted',
    'Cannot use the PDF: it is encrypted. Remove its password and its restrictions first',
  ])
})

/** A file whose objects are in a stream, which unpacks to this. */
function packed(content: Uint8Array, filter = '/FlateDecode'): Buffer {
  const data = deflateSync(content).toString('latin1')
  const head = `%PDF-1.7\n1 0 obj\n<< /Type /ObjStm /N 1 /First 4 /Filter ${filter} /Length ${data.length} >>\nstream\n${data}\nendstream\nendobj\n`
  const row = (kind: number, second: number) =>
    String.fromCharCode(
      kind,
      second >> 24,
      (second >> 16) & 255,
      (second >> 8) & 255,
      second & 255,
      0,
    )
  const rows = row(0, 0) + row(1, 9) + row(2, 1)
  return Buffer.from(
    `${head}3 0 obj\n<< /Type /XRef /Size 3 /W [1 4 1] /Root 2 0 R /Length ${rows.length} >>\nstream\n${rows}\nendstream\nendobj\nstartxref\n${head.length}\n%%EOF\n`,
    'latin1',
  )
}

test.each([
  [
    'unpacks to more than memory has',
    packed(new Uint8Array(130 * 1024 * 1024)),
    [
      'pdf-too-large',
      'Cannot read the PDF: it has more than 134217728 bytes in compressed streams',
    ],
  ],
  [
    'has another filter',
    packed(new Uint8Array(), '/LZWDecode'),
    malformed('a stream of its structure has a filter other than FlateDecode'),
  ],
  [
    'has filters on filters',
    packed(new Uint8Array(), '[/FlateDecode /FlateDecode]'),
    malformed('a stream of its structure has more than one filter'),
  ],
  ['has no objects', packed(new Uint8Array()), malformed('a stream of objects is invalid')],
  [
    'has other objects',
    packed(Buffer.from('9 0 <<>>')),
    malformed('a stream of objects does not have object 2'),
  ],
] as const)('a stream of objects that %s', async (_, pdf, expected) => {
  proves('costly-pdf')
  expect(await refusal(pdf)).toEqual(expected)
})

const at = (rectangle: object, page = 1, more = {}) => ({
  appearance: { page, rectangle: { x: 0, y: 0, width: 100, height: 50, ...rectangle }, ...more },
})
const invalid = (message: string) => ['settings-invalid', `Cannot use ${message}`]

test.each([
  ['pdf', { pdf: 'text' as never }, 'pdf: expected the bytes of a PDF'],
  ['reason', { reason: 'x'.repeat(501) }, 'reason: expected a text of up to 500 characters'],
  ['location', { location: '\ud800' }, 'location: expected a text of up to 500 characters'],
  ['time', { signingTime: new Date(Number.NaN) }, 'signingTime: expected a Date since 1970'],
  ['page', at({}, 2), 'appearance.page: expected 1 to 1, the pages of the PDF'],
  ['page 0', at({}, 0), 'appearance.page: expected the number of a page, from 1'],
  ['x', at({ x: -1 }), 'appearance.rectangle.x: expected a number of points, at least 0'],
  [
    'width',
    at({ width: 9 }),
    'appearance.rectangle.width: expected a number of points, at least 10',
  ],
  ['rectangle', at({ x: 500 }), 'appearance.rectangle: expected a rectangle on the page'],
  [
    'small rectangle',
    at({ width: 20 }),
    'appearance.rectangle: expected a rectangle in which the text has space',
  ],
  [
    'text',
    at({}, 1, { text: 'Ελλάδα' }),
    'appearance.text: expected only Latin letters, not "Ε". Give another text or name',
  ],
] as const)('an option that cannot be used: %s', async (_, given, message) => {
  expect(await refusal(whole, given)).toEqual(invalid(message))
})
