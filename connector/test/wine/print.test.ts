/** Printing by the spooler of Windows, as far as Wine has it: its spooler prints on a real CUPS, which prints into files. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type PrintService, startPrintService } from '../../../.ci/test-bed/print-service.ts'
import { printedBytes } from './printed-bytes.ts'
import { type Act, openAct } from './run-program.ts'

let service: PrintService
let act: Act
beforeAll(async () => {
  service = await startPrintService(['invoices', 'labels'])
  act = await openAct('./print-program.ts', service.settings)
}, 600_000)
afterAll(async () => {
  await act?.stop()
  await service?.stop()
})

test('on Windows the printers are those of the spooler, and a job has every byte as it is', async () => {
  const { listed, ...ends } = JSON.parse(await act.run())
  expect(listed.toSorted()).toEqual(['invoices', 'labels'])
  expect(ends).toEqual({ printed: 'done', unknown: 'printing-refused' })
  const [job, ...others] = await service.printed(1)
  expect(job).toMatchObject({ printer: 'labels', title: 'Zoë 7' })
  expect(Buffer.compare(printedBytes, job?.data ?? Buffer.of())).toBe(0)
  expect(others).toEqual([])
}, 120_000)

test('on Windows without a printer the list is empty', async () => {
  const { listed } = JSON.parse(await act.run({ CUPS_SERVER: '/nonexistent/socket' }))
  expect(listed).toEqual([])
}, 120_000)
