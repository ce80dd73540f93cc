/** The connector of the demonstration: a person's, but with folders of its own, so that a real one is left alone. */
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import process from 'node:process'
import type { Part, Parts } from './parts.ts'
import { connectorBinary, StartError } from './place.ts'
import type { Settings } from './settings.ts'

/** Where the connector keeps what is its own, by the variables that each system has for it. */
export function ownFolders(data: string): Readonly<Record<string, string>> {
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

/** The same, where browsers are asked to believe its root: their folders are the person's. */
export function foldersForTrust(data: string): Readonly<Record<string, string>> {
  const { XDG_CONFIG_HOME: _, ...folders } = ownFolders(data)
  return folders
}

/** Whether a browser of the person believes its certificate already. */
export async function isBelieved(parts: Parts, { data }: Settings): Promise<boolean> {
  const { status } = await parts.run({
    name: 'the connector',
    program: connectorBinary,
    args: ['certs', 'status', 'localhost'],
    environment: foldersForTrust(data),
  })
  return status === 0
}

/** Whether the machine has readers of its own. */
export async function hasReaders(parts: Parts, { data }: Settings): Promise<boolean> {
  const { status, output } = await parts.run({
    name: 'the connector',
    program: connectorBinary,
    args: ['readers'],
    environment: ownFolders(data),
  })
  return status === 0 && !output.startsWith('No reader')
}

/** The file that stands for the virtual card; there is none in the reader at first. */
export async function makeCardFile(data: string): Promise<string> {
  const folder = join(data, 'card')
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const file = join(folder, 'atr')
  await rm(file, { force: true })
  return file
}

/** Resolves when it serves, and knows what the service has for it. */
export async function startConnector(
  parts: Parts,
  { data, registryPort }: Settings,
  given: {
    readonly dsUrl: string
    readonly installationKey: string
    readonly cardFile: string | undefined
  },
): Promise<Part> {
  const connector = { name: 'the connector', program: connectorBinary }
  const environment = {
    ...ownFolders(data),
    CARDWIRE_DS_URL: given.dsUrl,
    CARDWIRE_INSTALLATION_KEY: given.installationKey,
    CARDWIRE_REGISTRY_PORT: String(registryPort),
    CARDWIRE_VIRTUAL_READER: given.cardFile,
  }
  const running = parts.start({ ...connector, args: ['run'], environment })
  await running.says(/registry found/)
  // By itself it would ask within a minute, so that not every machine of a company asks at once.
  const { status, output } = await parts.run({ ...connector, args: ['sync'], environment })
  if (status === 0) return running
  throw new StartError(
    `Cannot bring the connector and the service together:\n${output}If the service is another one than at the last start, remove ${data} and start again.`,
  )
}
