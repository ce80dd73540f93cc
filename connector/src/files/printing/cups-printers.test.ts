/** Printing where there is no CUPS; what a real one takes is tested through the binary. */
import { expect, test } from 'vitest'
import { proves } from '../../../../test/bed/proves.ts'
import { createPrograms } from '../../system/desktop/programs.ts'
import { createCupsPrinters } from './cups-printers.ts'
import { toJobTitle } from './printers.ts'

const job = { printer: 'labels', title: 'a job', data: Buffer.from('^XA^XZ') }

test('printers of a machine without CUPS are a problem that says so, and so is a job', async () => {
  proves('printing-unavailable')
  const printers = createCupsPrinters(createPrograms({ PATH: '/nonexistent' }))
  const refusal = (name: string) => ({
    name: 'printing-unavailable',
    message: `Cannot print: the program ${name} of CUPS is not there`,
  })
  await expect(printers.list()).rejects.toMatchObject(refusal('lpstat'))
  await expect(printers.print(job)).rejects.toMatchObject(refusal('lp'))
})

test('printers where CUPS does not run are a problem, and no empty list', async () => {
  const environment = { PATH: process.env['PATH'], CUPS_SERVER: '/nonexistent/socket' }
  const printers = createCupsPrinters(createPrograms(environment))
  await expect(printers.list()).rejects.toMatchObject({
    name: 'printing-unavailable',
    message: 'Cannot print: CUPS, which prints here, does not run',
  })
  await expect(printers.print(job)).rejects.toMatchObject({ name: 'printing-refused' })
})

test.each([
  ['', ''],
  ['Invoice 7', 'Invoice 7'],
  ['two\nlines\u0000', 'two\\u000alines\\u0000'],
  ['x'.repeat(300), 'x'.repeat(255)],
  ['🂡'.repeat(100), '🂡'.repeat(63)],
])('the title of %j is one line of at most 255 bytes', (text, title) => {
  proves('print-arguments')
  expect(toJobTitle(text)).toBe(title)
})
