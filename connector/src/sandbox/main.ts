/** The sandbox as a program of its own, for tests and from the sources; the binary has it as `cardwire sandbox`. */
import { runSandbox } from './sandbox.ts'

void runSandbox({
  library: process.env['CARDWIRE_PCSC_LIBRARY'] || undefined,
  worker: new URL('./worker.ts', import.meta.url),
})
