/** The helper process for the spooler of Windows: handles one request. */
import { text } from 'node:stream/consumers'
import { SpoolerRequest, type SpoolerResponse } from './spooler-messages.ts'
import { printJob, readPrinters } from './windows-spooler.ts'

/** Runs the hidden command `spooler`: a request on standard input, a response on standard output. */
export async function runSpoolerHelper(): Promise<void> {
  const request = SpoolerRequest.parse(JSON.parse(await text(process.stdin)))
  process.stdout.write(JSON.stringify(handle(request)))
}

function handle(request: SpoolerRequest): SpoolerResponse {
  if (request.act === 'list') {
    const names = readPrinters()
    return names ? { kind: 'printers', names: [...names] } : { kind: 'failed' }
  }
  const data = new Uint8Array(Buffer.from(request.data, 'base64'))
  return { kind: printJob({ ...request, data }) ? 'done' : 'failed' }
}
