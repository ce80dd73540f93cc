/** Opens the connection of this user's API to the registry, with the certificates, port and programs of this machine. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { keystoreFiles } from '../../distribution/keystore/keystore-file.ts'
import { fileNames } from '../../pki/certificate-folder.ts'
import {
  type Explanation,
  explainPortConflict,
  type PortConflict,
} from '../../registry/port-conflict.ts'
import type { RegistryChildEnvironment } from '../../registry/run-child.ts'
import type { Settings } from '../../settings.ts'
import { systemClock } from '../../system/clock.ts'
import { type Folders, getMachineFolders } from '../../system/folders.ts'
import { readFingerprint } from '../../system/ipc/pinned-tls.ts'
import type {
  AgentRequest,
  AgentResponse,
  Registration,
} from '../../system/ipc/registry-messages.ts'
import type { Log } from '../../system/log.ts'
import { findPortOwner } from '../../system/port-owner.ts'
import { createUserNames } from '../../system/user-name.ts'
import { createRegistryClient, type RegistryCertificate } from './registry-client.ts'
import { connectToRegistry, type RegistryConnection } from './registry-connection.ts'
import { spawnRegistry } from './spawn-registry.ts'

export interface RegistryConnectionSetup {
  readonly settings: Settings
  readonly folders: Pick<Folders, 'certificates' | 'runtime'>
  readonly log: Log
  /** The program of the registry and its arguments; undefined: none is started here. */
  readonly command: readonly string[] | undefined
  readonly registration: () => Registration
  readonly handleRequest: (request: AgentRequest) => Promise<AgentResponse>
}

/** The longest environment variable of Linux (MAX_ARG_STRLEN); a longer list arrives with the registration. */
const maxVariableLength = 100_000

export function openRegistryConnection({
  settings,
  folders,
  log,
  command,
  ...agent
}: RegistryConnectionSetup): RegistryConnection {
  const environment = (): RegistryChildEnvironment & NodeJS.ProcessEnv => {
    const cors = agent.registration().allowlist.join(',')
    return {
      ...process.env,
      CARDWIRE_REGISTRY_PORT: String(settings.registryPort),
      CARDWIRE_LOG_LEVEL: settings.logLevel,
      CARDWIRE_LOCAL_CA: settings.localCa ? 'on' : 'off',
      CARDWIRE_CONSENT_REQUESTS: String(settings.consentRequests.perUser),
      CARDWIRE_SHARED_CONSENT_REQUESTS: String(settings.consentRequests.shared),
      CARDWIRE_MAX_AGENTS: String(settings.maxAgents),
      CARDWIRE_CORS: cors.length < maxVariableLength ? cors : '',
    }
  }
  return connectToRegistry({
    ...agent,
    ...openRegistryAccess(settings, folders),
    spawn: command && (() => spawnRegistry(command, environment())),
    log,
    clock: systemClock,
    random: Math.random,
  })
}

/** The registry of this machine as this user reaches it: a client, and how to explain that it does not answer. */
export function openRegistryAccess(
  { registryPort, machineDir }: Pick<Settings, 'registryPort' | 'machineDir'>,
  { certificates, runtime }: Pick<Folders, 'certificates' | 'runtime'>,
) {
  const { leaf } = getMachineFolders(process.platform, process.env, machineDir)
  const findUserName = createUserNames()
  const readPinned = async () => {
    const found = [
      await readCertificate('user', join(certificates, fileNames.leafCert)),
      // Served for localhost where there is no local authority.
      await readCertificate('user', join(runtime, keystoreFiles.pem)),
      await readCertificate('service', leaf),
    ]
    return found.filter((certificate) => certificate !== undefined)
  }
  return {
    client: createRegistryClient(registryPort, readPinned),
    isService: () => existsSync(leaf),
    explain: async (conflict: PortConflict): Promise<Explanation> => {
      const holder = conflict === 'absent' ? undefined : await findPortOwner(registryPort)
      const user = holder && (await findUserName(holder.user))
      return explainPortConflict(process.platform, registryPort, conflict, holder, user)
    },
  }
}

async function readCertificate(
  scope: RegistryCertificate['scope'],
  path: string,
): Promise<RegistryCertificate | undefined> {
  const fingerprint = await readFingerprint(path)
  return fingerprint === undefined ? undefined : { scope, fingerprint }
}
