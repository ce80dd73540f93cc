/** Prints on Windows, by a helper process that calls the spooler. */
import { Problem } from '@cardwire/protocol/problem'
import type { RunHelper } from '../../system/helper-process.ts'
import { limits, type Printers } from './printers.ts'
import { type SpoolerRequest, SpoolerResponse } from './spooler-messages.ts'

/** Of a response; a list of thousands of printers is smaller. */
const maxBytes = 1_048_576

export function createWindowsPrinters(runHelper: RunHelper): Printers {
  const send = async (request: SpoolerRequest, ms: number): Promise<SpoolerResponse> => {
    const reply = await runHelper(request, { signal: AbortSignal.timeout(ms), maxBytes })
    return reply === undefined ? { kind: 'failed' } : SpoolerResponse.parse(JSON.parse(reply))
  }
  return {
    async list() {
      const response = await send({ act: 'list' }, limits.listMs)
      if (response.kind === 'printers') return response.names
      throw new Problem(
        'printing-unavailable',
        'Cannot print: the Windows print spooler is not responding',
      )
    },
    async print({ printer, title, data }) {
      const base64 = Buffer.from(data).toString('base64')
      const response = await send({ act: 'print', printer, title, data: base64 }, limits.printMs)
      if (response.kind === 'done') return
      throw new Problem(
        'printing-refused',
        `Cannot print on "${printer}": the spooler does not take the job, look at the state of the printer`,
      )
    },
  }
}
