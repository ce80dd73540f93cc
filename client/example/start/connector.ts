/** The connector of the demonstration: in folders of its own, so that an installed connector is not touched. */
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import process from 'node:process'
import { connectorBinary } from './paths.ts'
import type { ProcessGroup, RunningProcess } from './processes.ts'
import type { Settings } from './settings.ts'
import { StartError } from './terminal.ts'

/** The environment variables that lead the connector to its own folders, for each system. */
export function getFolderVariables(data: string): Readonly<Record<string, string>> {
  const home = join(data, 'connector')
  const machine = { CARDWIRE_MACHINE_DIR: join(home, 'machine') }
  if (process.platform === 'win32') return { ...machine, LOCALAPPDATA: home, APPDATA: home }
  if (process.platform === 'darwin') return { ...machine, HOME: home }
  return {
    ...machine,
    XDG_CONFIG_HOME: join(home, 'config'),
    XDG_STATE_HOME: join(home, 'state'),
    XDG_DATA_HOME: join(home, 'share'),
  }
}

/** The same for commands about trust: they work on the browsers of the user, in the user's folders. */
export function getTrustFolderVariables(data: string): Readonly<Record<string, string>> {
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

/** Resolves when it serves, and has synchronized with the service. */
export async function startConnector(
  processes: ProcessGroup,
  { data, registryPort }: Settings,
  options: {
    readonly dsUrl: string
    readonly installationKey: string
    readonly cardFile: string | undefined
  },
): Promise<RunningProcess> {
  const connector = { name: 'the connector', program: connectorBinary }
  const environment = {
    ...getFolderVariables(data),
    CARDWIRE_DS_URL: options.dsUrl,
    CARDWIRE_INSTALLATION_KEY: options.installationKey,
    CARDWIRE_REGISTRY_PORT: String(registryPort),
    CARDWIRE_VIRTUAL_READER: options.cardFile,
  }
  const started = processes.start({ ...connector, args: ['run'], environment })
  await started.waitForOutput(/registry found/)
  // By itself it synchronizes within a minute, so that not every machine of a company does it at once.
  const { status, output } = await processes.run({ ...connector, args: ['sync'], environment })
  if (status === 0) return started
  throw new StartError(
    `Cannot connect the connector to the service:\n${output}If this is not the service that you used last time, remove ${data} and start again.`,
  )
}
