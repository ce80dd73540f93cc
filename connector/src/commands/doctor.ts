/** `cardwire doctor`: everything the connector needs, line by line, and what to do where it is wrong. */
import { readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { knownRegistry } from '../agent/open-link.ts'
import { runtimeFiles } from '../api/run.ts'
import { openCertificates } from '../certs/open-certificates.ts'
import { superviseReaders } from '../readers/readers.ts'
import { sandboxEnvironment } from '../sandbox/role.ts'
import { openLog } from '../system/log.ts'
import {
  certificateFindings,
  clipboardFinding,
  type Finding,
  pcscFinding,
  readersFinding,
  registryFinding,
  trustFindings,
} from './findings.ts'
import { type Machine, selfCommand } from './machine.ts'
import { coloured, dim, green, print, red, yellow } from './style.ts'

/** How long the card service and the distribution service may take, in milliseconds. */
const patienceMs = 5000

/** Exit status 1 when anything is wrong; what is merely missing does not count. */
export async function doctor(machine: Machine): Promise<void> {
  const colours = coloured(process.stdout)
  const signs = { good: green('✓', colours), note: yellow('!', colours), bad: red('✗', colours) }
  let wrong = 0
  for (const check of [cards, certificates, ports, clipboard, distribution]) {
    for (const { level, what, todo } of await check(machine)) {
      print(`${signs[level]} ${what}`)
      if (todo !== undefined) print(`    ${dim('→', colours)} ${todo}`)
      if (level === 'bad') wrong += 1
    }
  }
  process.exitCode = wrong === 0 ? 0 : 1
}

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
  return snapshot.pcsc.kind === 'up' ? [service, readersFinding(snapshot.readers)] : [service]
}

async function certificates({ settings, folders }: Machine): Promise<readonly Finding[]> {
  const log = openLog(folders.logs, 'doctor', { level: settings.logLevel, console: false })
  const status = await openCertificates(settings, folders, log).status()
  return [...certificateFindings(status), ...trustFindings(status)]
}

async function ports({ settings, folders }: Machine): Promise<readonly Finding[]> {
  const { line, isService, explain } = knownRegistry(settings, folders)
  const sight = await line.look()
  const isFree = sight.kind === 'absent' && !isService()
  const explained = sight.kind === 'known' || isFree ? undefined : await explain(sight.kind)
  const registry = registryFinding(sight, settings.registryPort, explained)
  return [await api(join(folders.runtime, runtimeFiles.port)), registry]
}

async function api(file: string): Promise<Finding> {
  const port = readPort(file)
  if (port !== undefined && (await listens(port))) {
    return { level: 'good', what: `the API listens on port ${port}` }
  }
  return { level: 'note', what: 'the connector is not running', todo: 'start it: cardwire run' }
}

function readPort(file: string): number | undefined {
  try {
    return Number(readFileSync(file, 'utf8'))
  } catch {
    // No file: it has never run, or was removed.
    return undefined
  }
}

const listens = (port: number) =>
  new Promise<boolean>((resolve) => {
    const socket = connect({ port, host: '127.0.0.1' })
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', () => resolve(false))
  })

async function clipboard(): Promise<readonly Finding[]> {
  return [clipboardFinding(process.platform, process.env, (program) => Bun.which(program) !== null)]
}

async function distribution({ settings: { dsUrl } }: Machine): Promise<readonly Finding[]> {
  if (dsUrl === undefined) {
    return [
      {
        level: 'good',
        what: 'no distribution service is set; the allowlist is the one of the settings',
      },
    ]
  }
  try {
    const response = await fetch(`${dsUrl}/v3/system/status`, {
      signal: AbortSignal.timeout(patienceMs),
    })
    if (response.ok) return [{ level: 'good', what: `the distribution service ${dsUrl} answers` }]
    return [
      {
        level: 'bad',
        what: `the distribution service ${dsUrl} answers ${response.status}`,
        todo: 'check CARDWIRE_DS_URL',
      },
    ]
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    return [
      {
        level: 'bad',
        what: `the distribution service ${dsUrl} cannot be reached: ${reason}`,
        todo: 'check the network and CARDWIRE_DS_URL',
      },
    ]
  }
}
