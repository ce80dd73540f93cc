/** Prints on Linux and macOS by the programs of CUPS: lpstat(1) and lp(1). */
import { Problem } from '@cardwire/protocol/problem'
import type { Programs } from '../../system/desktop/programs.ts'
import { limits, type Printers } from './printers.ts'

/** Bytes of the list; names have at most 127 (cups.org/doc/spec-ipp.html, printer-name). */
const maxListBytes = 262_144

/** Nothing is searched or started before its first use. */
export function createCupsPrinters(programs: Pick<Programs, 'find' | 'run'>): Printers {
  const runProgram = async (name: 'lpstat' | 'lp', args: readonly string[], input?: Uint8Array) => {
    const program = programs.find(name)
    if (program === undefined) throw createUnavailable(`the program ${name} of CUPS is not there`)
    const signal = AbortSignal.timeout(input ? limits.printMs : limits.listMs)
    const variables = { LC_ALL: 'C.UTF-8' }
    return programs.run(program, args, { signal, maxBytes: maxListBytes, input, variables })
  }
  const listLines = async (option: string): Promise<readonly string[]> => {
    const outcome = await runProgram('lpstat', [option])
    if (outcome.kind !== 'ended') throw createUnavailable('CUPS is not responding')
    return outcome.output.toString().split('\n').filter(Boolean)
  }
  return {
    async list() {
      const names = await listLines('-e')
      // Its list is empty, without an error, where nothing runs that has printers.
      if (names.length > 0 || (await listLines('-r')).includes('scheduler is running')) return names
      throw createUnavailable('CUPS, which prints here, does not run')
    },
    async print({ printer, title, data }) {
      // Each value behind an option of its own: one that begins with a hyphen is no option.
      const args = ['-d', printer, '-t', title, '-o', 'raw']
      const outcome = await runProgram('lp', args, data)
      if (outcome.kind === 'ended' && outcome.status === 0) return
      const reason = outcome.kind === 'ended' ? 'CUPS refuses the job' : 'CUPS does not take it'
      throw new Problem(
        'printing-refused',
        `Cannot print on "${printer}": ${reason}, look at the state of the printer`,
      )
    },
  }
}

const createUnavailable = (reason: string) =>
  new Problem('printing-unavailable', `Cannot print: ${reason}`)
