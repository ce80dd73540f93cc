/** A program for Windows: prints as the connector does, itself its own helper; prints what came of it as JSON. */
import { openPrinters } from '../../src/files/printing/open-printers.ts'
import { runSpoolerHelper } from '../../src/files/printing/spooler-main.ts'
import { printedBytes } from './printed-bytes.ts'

async function main(act: string | undefined): Promise<void> {
  if (act === 'spooler') return runSpoolerHelper()
  const printers = openPrinters({
    platform: process.platform,
    environment: process.env,
    helper: [process.execPath, 'spooler'],
  })
  const tryTo = (work: Promise<unknown>) =>
    work.then(
      (value) => value ?? 'done',
      (error: unknown) => (error instanceof Error ? error.name : String(error)),
    )
  const listed = await tryTo(printers.list())
  const printed = await tryTo(
    printers.print({ printer: 'labels', title: 'Zoë 7', data: printedBytes }),
  )
  const unknown = await tryTo(printers.print({ printer: 'nothing', title: '', data: printedBytes }))
  process.stdout.write(JSON.stringify({ listed, printed, unknown }))
}

main(process.argv[2]).catch((error: unknown) =>
  process.stdout.write(JSON.stringify({ failed: String(error) })),
)
