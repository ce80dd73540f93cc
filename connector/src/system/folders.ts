/** The folders of this user and of the machine, by the rules of each operating system. */
import { join } from 'node:path'
import { getWindowsDataFolder } from './libraries/system-libraries.ts'

export interface Folders {
  /** The settings file. */
  readonly config: string
  /** Keys of this connector and its state; kept on upgrade, removed with the last trace of the connector. */
  readonly runtime: string
  readonly logs: string
  /** The certificates, shared by every connector package on the device. */
  readonly certificates: string
}

type Environment = Readonly<Record<string, string | undefined>>

/**
 * XDG Base Directory Specification 0.8; Apple's File System Programming Guide; Known Folders of Windows. `home` stands
 * in where the environment names nothing.
 */
export function getFolders(platform: string, environment: Environment, home: string): Folders {
  if (platform === 'win32') {
    const local = join(environment['LOCALAPPDATA'] ?? join(home, 'AppData', 'Local'), 'Cardwire')
    return {
      config: join(environment['APPDATA'] ?? join(home, 'AppData', 'Roaming'), 'Cardwire'),
      runtime: join(local, 'Runtime'),
      logs: join(local, 'Logs'),
      certificates: join(local, 'Certificates'),
    }
  }
  if (platform === 'darwin') {
    const support = join(home, 'Library', 'Application Support', 'Cardwire')
    return {
      config: support,
      runtime: join(support, 'Runtime'),
      logs: join(home, 'Library', 'Logs', 'Cardwire'),
      certificates: join(support, 'Certificates'),
    }
  }
  const base = (name: string, fallback: string) => {
    const value = environment[name]
    // "All paths set in these environment variables must be absolute", others are ignored.
    return join(value?.startsWith('/') ? value : join(home, fallback), 'cardwire')
  }
  const state = base('XDG_STATE_HOME', '.local/state')
  return {
    config: base('XDG_CONFIG_HOME', '.config'),
    runtime: join(state, 'runtime'),
    logs: join(state, 'logs'),
    certificates: join(base('XDG_DATA_HOME', '.local/share'), 'certificates'),
  }
}

/** The folders of the registry when it is a service of the machine. */
export interface MachineFolders {
  readonly base: string
  /** The account of the service alone reads these. */
  readonly certificates: string
  /** Its key at the distribution service, what that has said, and the keystore; removed with the last package. */
  readonly runtime: string
  readonly logs: string
  /** Copies for every account: the leaf, which connectors compare, and the root, which browsers have to trust. */
  readonly published: string
  readonly leaf: string
  readonly root: string
  /** How the registry stands with the distribution service. */
  readonly state: string
}

/** File System Hierarchy Standard 3.0; Apple's File System Programming Guide; ProgramData of Windows. */
export function getMachineFolders(
  platform: string,
  environment: Environment,
  override?: string,
): MachineFolders {
  const base = override ?? getMachineBase(platform, environment)
  const published = join(base, 'public')
  return {
    base,
    certificates: join(base, 'certificates'),
    runtime: join(base, 'runtime'),
    logs: join(base, 'logs'),
    published,
    leaf: join(published, 'localhost.pem'),
    root: join(published, 'rootCA.pem'),
    state: join(published, 'service.json'),
  }
}

function getMachineBase(platform: string, environment: Environment): string {
  if (platform === 'win32') return join(getWindowsDataFolder(environment), 'Cardwire')
  return platform === 'darwin' ? '/Library/Application Support/Cardwire' : '/var/lib/cardwire'
}
