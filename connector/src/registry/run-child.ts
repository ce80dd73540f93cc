/** The registry as a child process of an API: configured by environment variables, and it ends with its parent. */
import { homedir } from 'node:os'
import { watchKeystoreFile } from '../distribution/keystore/keystore-file.ts'
import { describeError } from '../system/file-error.ts'
import { getFolders } from '../system/folders.ts'
import { openLog } from '../system/log.ts'
import { portTakenExitCode } from './port-conflict.ts'
import { openReadOnlyCertificates } from './read-only-certificates.ts'
import { runRegistry } from './run-registry.ts'

/** Written to standard output once it listens. */
const listeningLine = 'listening'

const logLevels = ['debug', 'info', 'warning', 'error'] as const

/** What the API passes on from its settings, validated there: reading the settings again takes a third more memory. */
export interface RegistryChildEnvironment {
  readonly CARDWIRE_REGISTRY_PORT: string
  readonly CARDWIRE_CORS: string
  readonly CARDWIRE_LOG_LEVEL: string
  /** on, off: whether there is a certificate of localhost from the local authority. */
  readonly CARDWIRE_LOCAL_CA: string
  readonly CARDWIRE_CONSENT_REQUESTS: string
  readonly CARDWIRE_SHARED_CONSENT_REQUESTS: string
  readonly CARDWIRE_MAX_AGENTS: string
}

/** The process exits when its standard input ends, because then the API is gone. */
export async function runRegistryChild(
  environment: Readonly<Record<string, string | undefined>> & Partial<RegistryChildEnvironment>,
): Promise<void> {
  process.stdin.resume().once('close', () => process.exit(0))
  const folders = getFolders(process.platform, environment, environment['HOME'] ?? homedir())
  const { CARDWIRE_REGISTRY_PORT: port, CARDWIRE_CORS: cors = '' } = environment
  const level = logLevels.find((name) => name === environment.CARDWIRE_LOG_LEVEL) ?? 'info'
  const log = openLog(folders.logs, 'registry', { level, console: false })
  try {
    const conflict = await runRegistry({
      settings: {
        registryPort: Number(port),
        cors: cors.split(',').filter(Boolean),
        consentRequests: {
          perUser: Number(environment.CARDWIRE_CONSENT_REQUESTS),
          shared: Number(environment.CARDWIRE_SHARED_CONSENT_REQUESTS),
        },
        maxAgents: Number(environment.CARDWIRE_MAX_AGENTS),
      },
      service: false,
      log,
      certificates:
        environment.CARDWIRE_LOCAL_CA === 'off'
          ? undefined
          : openReadOnlyCertificates(folders.certificates, log),
      keystore: await watchKeystoreFile(folders.runtime, log),
      publish: async () => undefined,
      waitForPort: false,
      onLost: () => process.exit(portTakenExitCode),
    })
    if (conflict !== undefined) {
      log.warn('cannot listen', { reason: conflict })
      process.exit(portTakenExitCode)
    }
    process.stdout.write(`${listeningLine}\n`)
  } catch (error) {
    log.error('cannot start', { reason: describeError(error) })
    process.exit(1)
  }
}
