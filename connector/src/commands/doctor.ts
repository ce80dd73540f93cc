/** `cardwire doctor`: everything the connector needs, line by line, and what to do where it is wrong. */
import { getConnectorVersion, systemStatus } from '@cardwire/client/protocol'
import { knownRegistry } from '../agent/open-link.ts'
import { openCertificates } from '../certs/open-certificates.ts'
import { openDesktop } from '../desktop/open-desktop.ts'
import { readKept } from '../keystore/kept.ts'
import { superviseReaders } from '../readers/readers.ts'
import { sandboxEnvironment } from '../sandbox/role.ts'
import { openLink } from '../sync/link.ts'
import { openServiceState } from '../sync/state.ts'
import { firstFree } from '../system/free-port.ts'
import { openLog } from '../system/log.ts'
import { within } from '../system/within.ts'
import {
  accessFindings,
  apiFinding,
  certificateFindings,
  clipboardFinding,
  type Finding,
  keystoreFindings,
  pcscFinding,
  readersFinding,
  registryFinding,
  serviceFindings,
  trustFindings,
} from './findings.ts'
import { type Machine, selfCommand } from './machine.ts'
import { ApiSilent, askOwnApi, ownApiPort } from './own-api.ts'
import { coloured, dim, green, print, red, yellow } from './style.ts'

/** How long each of those who are asked may take, in milliseconds. */
const patienceMs = 5000
/** How long each check may take, in milliseconds: it asks a few of them, one after the other. */
const checkMs = 20_000

const checks: Readonly<Record<string, (machine: Machine) => Promise<readonly Finding[]>>> = {
  cards,
  certificates,
  ports,
  clipboard,
  access,
  'distribution service': distribution,
}

/** Exit status 1 when anything is wrong; what is merely missing does not count. */
export async function doctor(machine: Machine): Promise<void> {
  const colours = coloured(process.stdout)
  const signs = { good: green('✓', colours), note: yellow('!', colours), bad: red('✗', colours) }
  let wrong = 0
  for (const [name, check] of Object.entries(checks)) {
    const findings = await within(check(machine).catch(failed), checkMs)
    for (const { level, what, todo } of findings ?? unanswered(name)) {
      print(`${signs[level]} ${what}`)
      if (todo !== undefined) print(`    ${dim('→', colours)} ${todo}`)
      if (level === 'bad') wrong += 1
    }
  }
  // What did not answer in time may hold the process for good.
  process.stdout.write('', () => process.exit(wrong === 0 ? 0 : 1))
}

/** What cannot even be looked at is wrong, and the rest is looked at all the same. */
const failed = (error: unknown): readonly Finding[] => [
  { level: 'bad', what: error instanceof Error ? error.message : String(error) },
]

const unanswered = (name: string): readonly Finding[] => [
  {
    level: 'bad',
    what: `${name}: no answer in ${checkMs / 1000} s`,
    todo: 'run it once more; if it stays, end the process "cardwire run" and start it again',
  },
]

async function cards({ settings }: Machine): Promise<readonly Finding[]> {
  const readers = superviseReaders({
    command: selfCommand('sandbox'),
    log: () => undefined,
    env: sandboxEnvironment(settings),
  })
  await readers.ready(patienceMs)
  const snapshot = readers.snapshot()
  await readers.stop()
  const service = pcscFinding(snapshot.pcsc, process.platform)
  if (snapshot.pcsc.kind === 'down') return [service]
  return [service, readersFinding(snapshot.readers, process.platform)]
}

async function certificates(machine: Machine): Promise<readonly Finding[]> {
  const { settings, folders } = machine
  const ofService = keystoreFindings(await readKept(folders.runtime), settings.localCa)
  if (!settings.localCa) return ofService
  const status = await openCertificates(settings, folders, logOf(machine)).status()
  return [...certificateFindings(status), ...trustFindings(status), ...ofService]
}

async function ports({ settings, folders }: Machine): Promise<readonly Finding[]> {
  const { line, isService, explain } = knownRegistry(settings, folders)
  const sight = await line.look()
  const isFree = sight.kind === 'absent' && !isService()
  const explained = sight.kind === 'known' || isFree ? undefined : await explain(sight.kind)
  const registry = registryFinding(sight, settings.registryPort, explained)
  return [await api({ settings, folders }), registry]
}

async function api({
  settings: { apiPorts },
  folders,
}: Pick<Machine, 'settings' | 'folders'>): Promise<Finding> {
  try {
    await askOwnApi(folders, getConnectorVersion, patienceMs)
    return apiFinding(apiPorts, { port: await ownApiPort(folders) })
  } catch (error) {
    if (!(error instanceof ApiSilent)) throw error
    const { message: silence, isRunning } = error
    return apiFinding(apiPorts, { silence, isRunning, free: await firstFree(apiPorts) })
  }
}

async function clipboard(): Promise<readonly Finding[]> {
  const { platform, env: environment } = process
  const desktop = openDesktop({ platform, environment, helper: selfCommand('desktop') })
  const inSession =
    platform !== 'linux' || Boolean(environment['WAYLAND_DISPLAY'] || environment['DISPLAY'])
  return [clipboardFinding(await desktop.clipboard.available(), inSession)]
}

async function access({ settings }: Machine): Promise<readonly Finding[]> {
  return accessFindings(settings)
}

async function distribution(machine: Machine): Promise<readonly Finding[]> {
  const { settings, folders } = machine
  const { dsUrl, caFile } = settings
  if (dsUrl === undefined) {
    const what = 'no distribution service is set; the allowlist is the one of the settings'
    return [{ level: 'good', what }]
  }
  const deadlines = { connectMs: patienceMs, overallMs: patienceMs }
  const answers = await openLink({ caFile, deadlines })({
    method: 'GET',
    url: `${dsUrl}${systemStatus.path}`,
  }).then(
    ({ status }) => (status === 200 ? undefined : `it answers with status ${status}`),
    (error) => (error instanceof Error ? error.message : String(error)),
  )
  const { runtime } = folders
  const state = openServiceState({ runtime, dsUrl, identity: undefined, log: logOf(machine) })
  return serviceFindings(dsUrl, answers, await state.read())
}

const logOf = ({ settings, folders }: Machine) =>
  openLog(folders.logs, 'doctor', { level: settings.logLevel, console: false })
