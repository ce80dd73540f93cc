/** Files that show something else after a revision that looks harmless: readers take objects that are hidden in it. */
import { beforeAll, expect, test } from 'vitest'
import { proves } from '../../../test/bed/proves.ts'
import { verifyPdfSignatures } from '../../server/src/index.ts'
import { type Holder, makeHolder } from '../harness/authority.ts'
import { onePage, writePdf } from '../harness/pdf.ts'
import { makePdfSigner, type PdfSigner, signPdf } from '../harness/pdf-signer.ts'

let root: Holder
let signer: PdfSigner

beforeAll(async () => {
  root = await makeHolder({ subject: '/CN=Root' })
  signer = await makePdfSigner(root, 'ES256')
})

const words = 'BT /F1 48 Tf 72 500 Td (Pay a million) Tj ET'
const hidden = `<< /Length ${words.length} >>\nstream\n${words}\nendstream`
const page = (more: string) =>
  `<< /Type /Page /Parent 2 0 R /Contents [4 0 R 90 0 R] /Resources << /Font << /F1 5 0 R >> >> ${more} >>`

/** What a later revision says to have changed, or why the file is refused. */
const findChanges = (pdf: Buffer) =>
  verifyPdfSignatures(pdf, { roots: [root.certificate], now: Date.UTC(2026, 6, 1) }).then(
    (results) =>
      results.map((result) => (result.valid ? result.laterChanges : result.reason)).join(),
    (error) => error.message,
  )

/** A row of a cross-reference stream with the widths 1, 4 and 2. */
function makeRow(kind: number, second: number, third = 0): string {
  const row = Buffer.alloc(7)
  row.writeUInt8(kind)
  row.writeUInt32BE(second, 1)
  row.writeUInt16BE(third, 5)
  return row.toString('latin1')
}

const makeStream = (entries: string, data: string) =>
  `<< ${entries} /Length ${data.length} >>\nstream\n${data}\nendstream`

/** Appends to a file; `write` gets the position and the previous section, and returns the text with its own position. */
function append(
  pdf: Uint8Array,
  write: (at: number, previous: number) => { readonly text: string; readonly start: number },
): Buffer {
  const before = Buffer.from(pdf).toString('latin1')
  const previous = Number(/startxref\s+(\d+)\s+%%EOF\s*$/.exec(before)?.[1])
  const { text, start } = write(before.length, previous)
  return Buffer.from(`${before}${text}startxref\n${start}\n%%EOF\n`, 'latin1')
}

const offset = (value: number) => String(value).padStart(10, '0')

/** A table that has `rows`, and a stream that has other entries. */
const appendHybrid = (pdf: Uint8Array, rows: string, number: number, place?: number) =>
  append(pdf, (at, previous) => {
    const object = `${number} 0 obj\n${hidden}\nendobj\n`
    const streamAt = at + object.length
    const data = makeRow(1, place ?? at) + makeRow(1, streamAt)
    const head = `/Type /XRef /W [1 4 2] /Index [${number} 1 95 1] /Size 96 /Root 1 0 R`
    const stream = `95 0 obj\n${makeStream(head, data)}\nendobj\n`
    const start = streamAt + stream.length
    const trailer = `trailer\n<< /Size 96 /Root 1 0 R /Prev ${previous} /XRefStm ${streamAt} >>\n`
    return { text: `${object}${stream}xref\n${rows}${trailer}`, start }
  })

test('an object that a table calls free, and its stream has', async () => {
  proves('pdf-changed-later')
  const signed = await signPdf(writePdf(onePage({ 3: page('') })), signer)
  const rows = '0 1\n0000000090 65535 f \n90 1\n0000000000 00000 f \n'
  expect(await findChanges(appendHybrid(signed, rows, 90))).toBe('other')
})

test('an object that a table and its stream have in two places', async () => {
  proves('pdf-changed-later')
  const signed = await signPdf(writePdf(onePage()), signer)
  const own = signed.length
  const rows = `70 1\n${offset(own)} 00000 n \n`
  const place = Buffer.from(signed).indexOf('4 0 obj')
  expect(await findChanges(appendHybrid(signed, rows, 70, place))).toBe(
    'Cannot read the PDF: object 70 has two places',
  )
})

test('an object that a section has twice', async () => {
  proves('pdf-changed-later')
  const signed = await signPdf(writePdf(onePage()), signer)
  const place = Buffer.from(signed).indexOf('4 0 obj')
  const changed = append(signed, (at, previous) => {
    const object = `4 0 obj\n${hidden}\nendobj\n`
    const rows = `4 1\n${offset(place)} 00000 n \n4 1\n${offset(at)} 00000 n \n`
    const trailer = `trailer\n<< /Size 50 /Root 1 0 R /Prev ${previous} >>\n`
    return { text: `${object}xref\n${rows}${trailer}`, start: at + object.length }
  })
  expect(await findChanges(changed)).toBe(
    'Cannot read the PDF: a cross-reference section has an entry twice',
  )
})

/** A revision with objects of which its table has others. */
const appendObjects = (
  pdf: Uint8Array,
  objects: string,
  { trailer = '/Size 100 /Root 1 0 R', named = '70 0 obj\n(x)\nendobj\n' } = {},
) =>
  append(pdf, (at, previous) => {
    const rows = `70 1\n${offset(at + objects.length)} 00000 n \n`
    const text = `${objects}${named}xref\n${rows}trailer\n<< ${trailer} /Prev ${previous} >>\n`
    return { text, start: at + objects.length + named.length }
  })

test.each([
  ['nothing', '', {}, 'signatures'],
  ['one that is named elsewhere', `4 0 obj\n${hidden}\nendobj\n`, {}, 'other'],
  ['one that is named nowhere', `90 0 obj\n${hidden}\nendobj\n`, {}, 'other'],
  ['one in a comment', `%\n% 4 0 obj\n${'%'}\n`, {}, 'other'],
  ['one in another', `71 0 obj\n(\n4 0 obj\n)\nendobj\n`, {}, 'other'],
  [
    'a stream of them',
    '',
    { named: `70 0 obj\n${makeStream('/Type /ObjStm /N 1 /First 5', '90 0 (x)')}\nendobj\n` },
    'other',
  ],
  ['a smaller size', '', { trailer: '/Size 5 /Root 1 0 R' }, 'other'],
] as const)('objects in a later revision: %s', async (_, objects, given, expected) => {
  proves('pdf-changed-later')
  const signed = await signPdf(writePdf(onePage()), signer)
  expect(await findChanges(appendObjects(signed, objects, given))).toBe(expected)
})

test('an end that leads back to the signed revision', async () => {
  proves('pdf-changed-later')
  const signed = await signPdf(writePdf(onePage()), signer)
  const changed = append(signed, (_, start) => ({ text: '% more\n', start }))
  expect(await findChanges(changed)).toBe('other')
})

test('a stream of objects whose length is another object', async () => {
  proves('pdf-changed-later')
  const stamp = '<< /Type /Annot /Subtype /Stamp /F 4 /Rect [0 0 500 500] /AS 12 0 R'
  const objects: Record<number, string> = onePage({
    3: page('/Annots [10 0 R]').replace(' 90 0 R', ''),
    10: `${stamp} /AP << /N << /Offendstream 13 0 R >> >> >>`,
    13: `<< /Type /XObject /Subtype /Form /BBox [0 0 500 500] ${hidden.slice(3)}`,
    14: '<< /Type /ObjStm /N 1 /First 5 /Length 15 0 R >>\nstream\n12 0 /Offendstream endstream',
    15: '9',
  })
  let text = '%PDF-1.7\n%\xe2\xe3\xcf\xd3\n'
  const rows = Array.from({ length: 17 }, () => makeRow(0, 0))
  for (const [number, body] of Object.entries(objects)) {
    rows[Number(number)] = makeRow(1, text.length)
    text += `${number} 0 obj\n${body}\nendobj\n`
  }
  rows[12] = makeRow(2, 14)
  rows[16] = makeRow(1, text.length)
  const head = '/Type /XRef /W [1 4 2] /Root 1 0 R'
  const file = `${text}16 0 obj\n${makeStream(`${head} /Size 17`, rows.join(''))}\nendobj\nstartxref\n${text.length}\n%%EOF\n`
  const signed = await signPdf(Buffer.from(file, 'latin1'), signer)
  expect(await findChanges(Buffer.from(signed))).toBe('none')
  const changed = append(signed, (at, previous) => {
    const length = '15 0 obj\n18\nendobj\n'
    const data = makeRow(1, at) + makeRow(1, at + length.length)
    const entries = `${head} /Index [15 1 40 1] /Size 41 /Prev ${previous}`
    const stream = `40 0 obj\n${makeStream(entries, data)}\nendobj\n`
    return { text: `${length}${stream}`, start: at + length.length }
  })
  expect(await findChanges(changed)).toBe('other')
})
