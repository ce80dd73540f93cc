/** The connector of the demonstration: in folders of its own, so that an installed connector is not touched. */
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import process from 'node:process'
import { noBackEndVariables } from './env-file.ts'
import { connectorBinary } from './paths.ts'
import { startOnPort } from './ports.ts'
import type { Command, ProcessGroup, RunningProcess } from './processes.ts'
import type { Settings } from './settings.ts'
import { StartError } from './terminal.ts'

type Variables = Readonly<Record<string, string | undefined>>

/** The environment variables that lead the connector to its own folders, for each system. */
export function getFolderVariables(data: string): Variables {
  const home = join(data, 'connector')
  const machine = {
    ...noBackEndVariables,
    // Only of a running connector: here 0 means any free port, which the connector does not accept.
    CARDWIRE_REGISTRY_PORT: undefined,
    CARDWIRE_MACHINE_DIR: join(home, 'machine'),
  }
  if (process.platform === 'win32') return { ...machine, LOCALAPPDATA: home, APPDATA: home }
  if (process.platform === 'darwin') return { ...machine, HOME: home }
  return {
    ...machine,
    XDG_CONFIG_HOME: join(home, 'config'),
    XDG_STATE_HOME: join(home, 'state'),
    XDG_DATA_HOME: join(home, 'share'),
  }
}

/** The root certificate of the connector's https, which it creates when it starts. */
export function getRootFile(data: string): string {
  const home = join(data, 'connector')
  const folders = {
    win32: join(home, 'Cardwire', 'Certificates'),
    darwin: join(home, 'Library', 'Application Support', 'Cardwire', 'Certificates'),
    linux: join(home, 'share', 'cardwire', 'certificates'),
  } as const
  const platform = process.platform
  return join(
    folders[platform === 'win32' || platform === 'darwin' ? platform : 'linux'],
    'rootCA.pem',
  )
}

/** The same for commands about trust: they work on the browsers of the user, in the user's folders. */
export function getTrustFolderVariables(data: string): Variables {
  const { XDG_CONFIG_HOME: _, ...folders } = getFolderVariables(data)
  return folders
}

/** Whether a browser of the user trusts its certificate already. */
export async function isRootTrusted(processes: ProcessGroup, { data }: Settings): Promise<boolean> {
  const { status } = await processes.run({
    name: 'the connector',
    program: connectorBinary,
    args: ['certs', 'status', 'localhost'],
    environment: getTrustFolderVariables(data),
  })
  return status === 0
}

/** Whether the machine has readers of its own. */
export async function hasReaders(processes: ProcessGroup, { data }: Settings): Promise<boolean> {
  const { status, output } = await processes.run({
    name: 'the connector',
    program: connectorBinary,
    args: ['readers'],
    environment: getFolderVariables(data),
  })
  return status === 0 && !output.startsWith('No reader')
}

/** The path of the file that stands for the virtual card; the reader is empty at first. */
export async function prepareCardFile(data: string): Promise<string> {
  const folder = join(data, 'card')
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const file = join(folder, 'atr')
  await rm(file, { force: true })
  return file
}

export interface RunningConnector {
  readonly process: RunningProcess
  readonly registryPort: number
  /** Of its API. */
  readonly port: number
  /** Makes it synchronize with the service. */
  sync(): Promise<void>
}

/** How long it may take until pages find it, in milliseconds. */
const readyWithinMs = 20_000

/** Resolves when pages find it. */
export async function startConnector(
  processes: ProcessGroup,
  { data, ports }: Settings,
  options: {
    readonly dsUrl: string
    readonly installationKey: string
    readonly cardFile: string | undefined
  },
): Promise<RunningConnector> {
  const connector = { name: 'the connector', program: connectorBinary }
  return startOnPort(ports.registry, async (registryPort) => {
    const environment = {
      ...getFolderVariables(data),
      CARDWIRE_DS_URL: options.dsUrl,
      CARDWIRE_INSTALLATION_KEY: options.installationKey,
      CARDWIRE_REGISTRY_PORT: String(registryPort),
      CARDWIRE_VIRTUAL_READER: options.cardFile,
    }
    const started = processes.start({ ...connector, args: ['run'], environment })
    try {
      const [, port] = await started.waitForOutput({
        pattern: /listening on port (\d+).*registry found/s,
        failure: /no registry .*\n/,
        withinMs: readyWithinMs,
      })
      const sync = () => syncNow(processes, { ...connector, args: ['sync'], environment }, data)
      return { process: started, registryPort, port: Number(port), sync }
    } catch (error) {
      await started.stop()
      throw error
    }
  })
}

/** By itself it synchronizes within a minute, so that not every machine of a company does it at once. */
async function syncNow(processes: ProcessGroup, command: Command, data: string): Promise<void> {
  const { status, output } = await processes.run(command)
  if (status === 0) return
  throw new StartError(
    `Cannot connect the connector to the service:\n${output}If this is not the service that you used last time, remove ${data} and start again.`,
  )
}
