/** Printing by the spooler of Windows, as far as Wine has it: its spooler prints on a real CUPS, which prints into files. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { findFreePort } from '../../../test/bed/free-port.ts'
import { type PrintService, startPrintService } from '../../../test/bed/print-service.ts'
import { proves } from '../../../test/bed/proves.ts'
import { type Session, startX11 } from '../desktop/session.ts'
import { consentSettings, giveConsent } from './give-consent.ts'
import { printedBytes } from './printed-bytes.ts'
import { runProgram } from './run-program.ts'
import { buildWindowsConnector } from './windows-connector.ts'
import { openWine, type Wine, windowsPath } from './wine.ts'

const granted = 'https://granted.pages.example'
const stranger = 'https://stranger.pages.example'

let service: PrintService
let folder = ''
let session: Session
let wine: Wine
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cardwire-windows-print-'))
  service = await startPrintService(['invoices', 'labels'])
  session = await startX11()
  wine = await openWine(join(folder, 'prefix'))
})
afterAll(async () => {
  await wine?.stop()
  await session?.stop()
  await service?.stop()
  await rm(folder, { recursive: true, force: true })
})

const runWith = async (settings: Readonly<Record<string, string>>) =>
  JSON.parse(await runProgram(wine, './print-program.ts', [], settings))

test('on Windows the printers are those of the spooler, and a job has every byte as it is', async () => {
  proves('printing-windows')
  const { listed, ...ends } = await runWith(service.settings)
  expect(listed.toSorted()).toEqual(['invoices', 'labels'])
  expect(ends).toEqual({ printed: 'done', unknown: 'printing-refused' })
  const [job, ...others] = await service.printed(1)
  expect(job).toMatchObject({ printer: 'labels', title: 'Zoë 7' })
  expect(Buffer.compare(printedBytes, job?.data ?? Buffer.of())).toBe(0)
  expect(others).toEqual([])
})

test('on Windows without a printer the list is empty', async () => {
  proves('printing-windows')
  expect((await runWith({ CUPS_SERVER: '/nonexistent/socket' })).listed).toEqual([])
})

test('on Windows a page with the grant prints through the connector, and one without does not', async () => {
  proves('printing-windows')
  const cards = join(folder, 'cards.json')
  const grants = [{ origin: granted, allow: ['print'] }]
  await writeFile(cards, JSON.stringify({ grants }), { mode: 0o600 })
  const connector = await buildWindowsConnector(wine, join(folder, 'program'), {
    ...service.settings,
    DISPLAY: session.environment['DISPLAY'] ?? '',
    ...consentSettings,
    CARDWIRE_API_PORTS: '26200-26999',
    CARDWIRE_REGISTRY_PORT: String(await findFreePort()),
    CARDWIRE_CARDS: windowsPath(cards),
    CARDWIRE_CORS: 'https://*.pages.example',
    CARDWIRE_JWT: 'off',
  })
  // The desktop of the programs before has no display: the connector starts another one.
  await wine.stop()
  const running = await connector.run()
  onTestFinished(async () => void (await running.stop()))
  for (const origin of [granted, stranger]) await giveConsent(session, running, origin)
  const before = (await service.printed(0)).length
  const place = '/v3/modules/rawprint/apps/print'
  expect(await running.asPage(granted, `${place}/printer-list`)).toMatchObject({
    data: { printers: expect.arrayContaining(['invoices', 'labels']) },
  })
  const job = { name: 'invoices', job: 'by a page', data: printedBytes.toString('base64') }
  expect(await running.asPage(granted, `${place}/print`, job)).toMatchObject({
    data: { printed: true },
  })
  const printed = (await service.printed(before + 1)).at(-1)
  expect(printed).toMatchObject({ printer: 'invoices', title: 'by a page' })
  expect(Buffer.compare(printedBytes, printed?.data ?? Buffer.of())).toBe(0)
  expect(await running.asPage(stranger, `${place}/print`, job)).toMatchObject({ code: '104007' })
})
