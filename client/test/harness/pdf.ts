/** PDFs of tests, written by hand and by qpdf, and what poppler's pdfsig says of their signatures. */
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Holder } from './authority.ts'

const run = promisify(execFile)

/** The objects of a PDF with one page, by number: 1 is the catalog, 3 the page. */
export const onePage = (given: Readonly<Record<number, string>> = {}): Record<number, string> => {
  const content = 'BT /F1 24 Tf 72 700 Td (Contract) Tj ET'
  return {
    1: '<< /Type /Catalog /Pages 2 0 R >>',
    2: '<< /Type /Pages /Kids [3 0 R] /Count 1 /MediaBox [0 0 595 842] >>',
    3: '<< /Type /Page /Parent 2 0 R /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>',
    4: `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
    5: '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
    ...given,
  }
}

/** A file with a cross-reference table. */
export function writePdf(objects: Readonly<Record<number, string>>, trailer = ''): Buffer {
  let text = '%PDF-1.7\n%\xe2\xe3\xcf\xd3\n'
  // The keys of an object that are numbers are in order.
  const size = Number(Object.keys(objects).at(-1)) + 1
  const rows = ['0000000000 65535 f \n']
  for (let number = 1; number < size; number += 1) {
    const body = objects[number]
    rows.push(
      body === undefined
        ? '0000000000 00000 f \n'
        : `${String(text.length).padStart(10, '0')} 00000 n \n`,
    )
    if (body !== undefined) text += `${number} 0 obj\n${body}\nendobj\n`
  }
  const start = text.length
  text += `xref\n0 ${size}\n${rows.join('')}trailer\n<< /Size ${size} /Root 1 0 R ${trailer} >>\nstartxref\n${start}\n%%EOF\n`
  return Buffer.from(text, 'latin1')
}

/** The same document with a cross-reference stream and streams of objects, by qpdf. */
export const packPdf = (pdf: Uint8Array): Promise<Buffer> =>
  qpdf(pdf, '--object-streams=generate', '--deterministic-id')

export async function qpdf(pdf: Uint8Array, ...options: readonly string[]): Promise<Buffer> {
  const at = await save(pdf)
  await run('qpdf', [...options, at, `${at}.out`])
  return readFile(`${at}.out`)
}

/** What qpdf finds wrong, or that it finds nothing. */
export async function checkPdf(pdf: Uint8Array): Promise<string> {
  const { stdout, stderr } = await run('qpdf', ['--check', await save(pdf)]).catch((error) => error)
  return stderr + stdout
}

/** A file with these bytes. */
export async function save(pdf: Uint8Array): Promise<string> {
  const at = join(await mkdtemp(join(tmpdir(), 'cardwire-pdf-')), 'document.pdf')
  await writeFile(at, pdf)
  return at
}

/** What pdfsig says of each signature, by the lines that it writes. */
export async function runPdfsig(
  pdf: Uint8Array,
  roots: readonly Holder[],
): Promise<readonly Readonly<Record<string, string>>[]> {
  const at = await save(pdf)
  const database = await mkdtemp(join(tmpdir(), 'cardwire-nss-'))
  await run('certutil', ['-N', '--empty-password', '-d', `sql:${database}`])
  for (const [index, { certificateFile }] of roots.entries()) {
    const trust = ['-t', 'CT,CT,CT', '-n', `root ${index}`, '-i', certificateFile]
    await run('certutil', ['-A', '-d', `sql:${database}`, ...trust])
  }
  const { stdout } = await run('pdfsig', ['-nssdir', `sql:${database}`, at], {
    env: { ...process.env, TZ: 'UTC' },
  }).catch((error) => error)
  return stdout
    .split(/^Signature #\d+:\n/m)
    .slice(1)
    .map((part: string) =>
      Object.fromEntries([
        ...[...part.matchAll(/^ {2}- ([^:\n]+): (.*)$/gm)].map(([, key, value]) => [key, value]),
        ...(/Total document signed/.test(part) ? [['Covers', 'whole']] : []),
        ...(/Not total document signed/.test(part) ? [['Covers', 'part']] : []),
      ]),
    )
}

/** A PDF with a signature that openssl made, whose dictionary has these entries too. */
export async function signByHand(
  { certificateFile, keyFile }: Holder,
  entries: string,
): Promise<Buffer> {
  const digits = 8000
  const type = entries.includes('/Type /') ? '' : '/Type /Sig'
  const pdf = writePdf(
    onePage({
      1: '<< /Type /Catalog /Pages 2 0 R /AcroForm << /Fields [6 0 R] /SigFlags 3 >> >>',
      6: '<< /FT /Sig /T (Hand) /V 7 0 R /Subtype /Widget /Rect [0 0 0 0] /P 3 0 R >>',
      7: `<< ${type} /Filter /Adobe.PPKLite /SubFilter /ETSI.CAdES.detached ${entries} /ByteRange [0 ${' '.repeat(30)}] /Contents <${'0'.repeat(digits)}> >>`,
    }),
  )
  const start = pdf.indexOf('<0000')
  const end = start + digits + 2
  pdf.write(`${start} ${end} ${pdf.length - end}`, pdf.indexOf('/ByteRange [0 ') + 14, 'latin1')
  const at = await save(Buffer.concat([pdf.subarray(0, start), pdf.subarray(end)]))
  await run('openssl', [
    ...['cms', '-sign', '-cades', '-binary', '-in', at, '-md', 'sha256'],
    ...['-signer', certificateFile, '-inkey', keyFile, '-outform', 'DER', '-out', `${at}.cms`],
  ])
  pdf.write((await readFile(`${at}.cms`)).toString('hex'), start + 1, 'latin1')
  return pdf
}
