/** The link of this user's API, with the certificates, the port and the programs of this machine. */
import { X509Certificate } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { keystoreFiles } from '../keystore/kept.ts'
import { fileNames } from '../pki/folder.ts'
import { systemClock } from '../readers/clock.ts'
import type { Given } from '../registry/attached.ts'
import { type Explanation, explainPort } from '../registry/port.ts'
import type { Settings } from '../settings.ts'
import { type Folders, machineFoldersOf } from '../system/folders.ts'
import { holderOf } from '../system/holder.ts'
import type { Log } from '../system/log.ts'
import { userNames } from '../system/user-name.ts'
import { type Link, linkToRegistry } from './link.ts'
import { openLine, type Pin, type Sight } from './pinned.ts'
import type { Answer, Question, Registration } from './protocol.ts'
import { startRegistry } from './registry-child.ts'

export interface OpenLink {
  readonly settings: Settings
  readonly folders: Pick<Folders, 'certificates' | 'runtime'>
  readonly log: Log
  /** The program of the registry and its arguments; undefined: others start it. */
  readonly command: readonly string[] | undefined
  readonly registration: () => Registration
  readonly answer: (question: Question) => Promise<Answer>
}

/** The longest value that Linux hands to a program (MAX_ARG_STRLEN); a longer list comes with the registration. */
const longestValue = 100_000

export function openLink({ settings, folders, log, command, ...bond }: OpenLink): Link {
  const registry = knownRegistry(settings, folders)
  const environment = (): Given & NodeJS.ProcessEnv => {
    const cors = bond.registration().allowlist.join(',')
    return {
      ...process.env,
      CARDWIRE_REGISTRY_PORT: String(settings.registryPort),
      CARDWIRE_LOG_LEVEL: settings.logLevel,
      CARDWIRE_LOCAL_CA: settings.localCa ? 'on' : 'off',
      CARDWIRE_CORS: cors.length < longestValue ? cors : '',
    }
  }
  return linkToRegistry({
    ...bond,
    ...registry,
    start: command && (() => startRegistry(command, environment())),
    log,
    clock: systemClock,
    random: Math.random,
  })
}

/** The registry of this machine, as this user knows it. */
export function knownRegistry(
  { registryPort, machineDir }: Pick<Settings, 'registryPort' | 'machineDir'>,
  { certificates, runtime }: Pick<Folders, 'certificates' | 'runtime'>,
) {
  const { leaf } = machineFoldersOf(process.platform, process.env, machineDir)
  const nameOf = userNames()
  const pins = async () => {
    const found = [
      await pinOf('user', join(certificates, fileNames.leafCert)),
      // Shown for localhost where there is no local authority.
      await pinOf('user', join(runtime, keystoreFiles.pem)),
      await pinOf('service', leaf),
    ]
    return found.filter((pin) => pin !== undefined)
  }
  return {
    line: openLine(registryPort, pins),
    isService: () => existsSync(leaf),
    explain: async (sight: Exclude<Sight['kind'], 'known'>): Promise<Explanation> => {
      const holder = sight === 'absent' ? undefined : await holderOf(registryPort)
      const user = holder && (await nameOf(holder.user))
      return explainPort(process.platform, registryPort, sight, holder, user)
    },
  }
}

async function pinOf(whose: Pin['whose'], path: string): Promise<Pin | undefined> {
  try {
    const { fingerprint256 } = new X509Certificate(await readFile(path, 'utf8'))
    return { whose, fingerprint: fingerprint256.replaceAll(':', '').toLowerCase() }
  } catch {
    // Not there, or half of it: the next connection looks again.
    return undefined
  }
}
