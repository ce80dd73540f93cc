/** The registry that an API runs for its user: it begins with what it is given, and ends with who gave it. */
import { homedir } from 'node:os'
import { listeningWord } from '../agent/registry-child.ts'
import { watchKept } from '../keystore/kept.ts'
import { foldersOf } from '../system/folders.ts'
import { openLog } from '../system/log.ts'
import { runRegistry } from './run.ts'
import { servedFiles } from './served-files.ts'

/** Exit status when the port is taken: whoever runs us looks who has it. */
const portTaken = 3

const logLevels = ['debug', 'info', 'warning', 'error'] as const

/** What the API tells by the environment, checked by it: whoever reads settings again needs a third more memory. */
export interface Given {
  readonly CARDWIRE_REGISTRY_PORT: string
  readonly CARDWIRE_CORS: string
  readonly CARDWIRE_LOG_LEVEL: string
  /** on, off: whether there is a leaf of localhost. */
  readonly CARDWIRE_LOCAL_CA: string
}

/** Ends with the process, which ends when its standard input does: then the API is gone. */
export async function runAttachedRegistry(
  environment: Readonly<Record<string, string | undefined>> & Partial<Given>,
): Promise<void> {
  process.stdin.resume().once('close', () => process.exit(0))
  const folders = foldersOf(process.platform, environment, environment['HOME'] ?? homedir())
  const { CARDWIRE_REGISTRY_PORT: port, CARDWIRE_CORS: cors = '' } = environment
  const level = logLevels.find((one) => one === environment.CARDWIRE_LOG_LEVEL) ?? 'info'
  const log = openLog(folders.logs, 'registry', { level, console: false })
  try {
    const listens = await runRegistry({
      settings: { registryPort: Number(port), cors: cors.split(',').filter(Boolean) },
      log,
      certificates:
        environment.CARDWIRE_LOCAL_CA === 'off'
          ? undefined
          : servedFiles(folders.certificates, log),
      keystore: await watchKept(folders.runtime, log),
      publish: async () => undefined,
      waits: false,
    })
    if (!listens) process.exit(portTaken)
    process.stdout.write(`${listeningWord}\n`)
  } catch (error) {
    log.error('cannot start', { reason: error instanceof Error ? error.message : String(error) })
    process.exit(1)
  }
}
