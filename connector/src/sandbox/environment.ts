/** The environment of a sandbox process: written from the settings, and read when the process starts. */
import { runSandbox } from './sandbox.ts'
import { runVirtualReader } from './virtual-reader.ts'

/** Runs the sandbox over the card service, or over the reader in a file. `worker`: see SandboxOptions. Ends with the process. */
export function runSandboxFromEnvironment(
  environment: Readonly<Record<string, string | undefined>>,
  worker: URL,
): Promise<void> {
  const { CARDWIRE_PCSC_LIBRARY: library, CARDWIRE_VIRTUAL_READER: file } = environment
  if (file) return runVirtualReader(file)
  return runSandbox({ library: library || undefined, worker })
}

/** The environment of a sandbox for these settings. */
export const createSandboxEnvironment = (settings: {
  readonly pcscLibrary: string | undefined
  readonly virtualReader: string | undefined
}): Readonly<Record<string, string | undefined>> => ({
  ...process.env,
  CARDWIRE_PCSC_LIBRARY: settings.pcscLibrary ?? '',
  CARDWIRE_VIRTUAL_READER: settings.virtualReader ?? '',
})
