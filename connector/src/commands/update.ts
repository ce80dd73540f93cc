/** `cardwire update`: what the service offers for this machine, downloaded, checked, and started as its installer. */
import { spawn } from 'node:child_process'
import { mkdtemp, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline/promises'
import { type Offer, synchronise, type Verdict } from '@cardwire/client/protocol'
import { withoutOurs } from '../desktop/programs.ts'
import { windowsOpen } from '../desktop/windows.ts'
import { startHelper } from '../desktop/windows-helper.ts'
import { openServiceState } from '../sync/state.ts'
import { openLog } from '../system/log.ts'
import { type Downloaded, DownloadFailed, download } from '../update/download.ts'
import { kindOf, planFor } from '../update/installer.ts'
import { barOf, megabytes } from '../update/progress.ts'
import { version } from '../version.ts'
import { type Machine, selfCommand } from './machine.ts'
import { ApiSilent, askOwnApi } from './own-api.ts'
import { print } from './style.ts'

/** With --check: there is an update. As `dnf check-update` has it. */
const updateThere = 100

/** Until Windows has the installer, in milliseconds: the person is asked first. */
const openMs = 120_000

export interface UpdateOptions {
  /** Only tells. */
  readonly check: boolean
  /** Asks nothing. */
  readonly yes: boolean
}

/** Exit status 0: nothing to do, or installed; 1: not installed; 100 with `check`: there is one. */
export async function update(machine: Machine, { check, yes }: UpdateOptions): Promise<void> {
  process.exitCode = 1
  const { dsUrl } = machine.settings
  if (dsUrl === undefined) {
    return print(
      'This connector has no distribution service: updates come from where it came from.',
    )
  }
  const verdict = await verdictOf(machine, dsUrl)
  if (verdict === undefined) {
    return print(
      'The service has not said yet what this version has to do: cardwire sync says why.',
    )
  }
  if (verdict.action === 'none') {
    process.exitCode = 0
    return print(`Version ${version} is what the service wants: there is nothing to update.`)
  }
  print(`${sentences[verdict.action]}.`)
  const { offer } = verdict
  if (offer === undefined) {
    return print('There is no installer for this system: ask your administrator.')
  }
  const size = offer.size === undefined ? '' : ` (${megabytes(offer.size)} MB)`
  print(`Version ${offer.version}${size}: ${offer.url}`)
  if (check) {
    process.exitCode = updateThere
    return
  }
  if (!yes && !isTerminal()) {
    return print('Nobody can be asked here: cardwire update --yes installs it.')
  }
  if (offer.sha256 === undefined && !isTerminal()) {
    return print(
      'The service names no digest for it, so a person has to decide: cardwire update in a terminal.',
    )
  }
  await obtain(offer, machine, yes)
}

const sentences = {
  recommend: `Another version is recommended over ${version}`,
  require: `Version ${version} is too old to be used`,
  stop: `Version ${version} may not be used any more`,
} as const

const isTerminal = () => process.stdin.isTTY && process.stdout.isTTY

/** Of the running connector, which asks the service; else the last word of the service that is on disk. */
async function verdictOf(
  { settings, folders }: Machine,
  dsUrl: string,
): Promise<Verdict | undefined> {
  const said = await askOwnApi(folders, synchronise).catch((error) => {
    if (error instanceof ApiSilent) return undefined
    throw error
  })
  if (said) return judged(said.verdict)
  const log = openLog(folders.logs, 'update', { level: settings.logLevel, console: false })
  const { runtime } = folders
  const found = await openServiceState({ runtime, dsUrl, identity: undefined, log }).read()
  return judged(found?.policy?.verdict)
}

/** A verdict counts for the version that was judged. */
const judged = (verdict: Verdict | undefined) =>
  verdict?.version === version ? verdict : undefined

/** Downloads, asks, installs; what is refused leaves no file. */
async function obtain(offer: Offer, { settings }: Machine, yes: boolean): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'cardwire-update-'))
  const remove = () => rm(folder, { recursive: true, force: true })
  process.once('SIGINT', () => void remove().finally(() => process.exit(130)))
  let keep = false
  try {
    const path = join(folder, 'installer')
    const bar = openBar()
    const downloaded = await download({
      ...{ url: offer.url, path, sha256: offer.sha256, size: offer.size },
      ...{ caFile: settings.caFile, progress: bar.show },
    }).finally(bar.end)
    print(
      `SHA-256 ${downloaded.sha256}, ${offer.sha256 ? 'as the service says' : 'which nobody vouches for'}`,
    )
    if (!(yes && offer.sha256) && !(await agreed(offer))) return print('Nothing was installed.')
    keep = await install(path, folder, offer, downloaded)
  } catch (error) {
    if (!(error instanceof DownloadFailed)) throw error
    print(error.message)
  } finally {
    if (!keep) await remove()
  }
}

/** A bar where there is a terminal, nothing elsewhere. */
function openBar() {
  let shown = ''
  return {
    show(bytes: number, all: number | undefined): void {
      const line = barOf(bytes, all)
      if (!process.stdout.isTTY || line === shown) return
      process.stdout.write(`\r${line}`)
      shown = line
    },
    end(): void {
      if (shown !== '') process.stdout.write('\n')
    },
  }
}

async function agreed({ version: offered }: Offer): Promise<boolean> {
  const person = createInterface({ input: process.stdin, output: process.stdout })
  // Ctrl-C, and the end of what is typed, are no answer.
  const answer = await Promise.race([
    person.question(`Install version ${offered} now? [y/N] `),
    new Promise<string>((resolve) => person.once('close', () => resolve(''))),
  ])
  person.close()
  return /^y(es)?$/i.test(answer.trim())
}

/** Whether the file has to stay. */
async function install(
  path: string,
  folder: string,
  { version: offered }: Offer,
  { first }: Downloaded,
): Promise<boolean> {
  const kind = kindOf(first)
  const named = join(folder, `cardwire-${offered}${kind === undefined ? '' : `.${kind}`}`)
  await rename(path, named)
  const plan = planFor(kind, named, {
    platform: process.platform,
    administrator: process.getuid?.() === 0,
    terminal: isTerminal(),
    desktop: Boolean(process.env['DISPLAY'] ?? process.env['WAYLAND_DISPLAY']),
    has: (program) => Bun.which(program) !== null,
  })
  if (plan.kind === 'tell') {
    print(
      plan.command === undefined
        ? `This system has no way here to install it; the file is ${named}`
        : `An administrator has to install it: ${plan.command}`,
    )
    return true
  }
  if (plan.kind === 'open') {
    const helper = startHelper(selfCommand('desktop'), process.env)
    const opened = await windowsOpen(helper)(named, AbortSignal.timeout(openMs))
    print(
      opened
        ? `The installer is open, and goes on by itself: ${named}`
        : `Windows did not open ${named}`,
    )
    if (opened) process.exitCode = 0
    return true
  }
  print(`Running ${plan.command.join(' ')}`)
  const status = await run(plan.command)
  if (status === 0) process.exitCode = 0
  print(
    status === 0
      ? `Version ${offered} is installed.`
      : `The installer ended with status ${status}.`,
  )
  return false
}

function run([program, ...args]: readonly [string, ...string[]]): Promise<number> {
  return new Promise((resolve) => {
    const child = spawn(program, args, { stdio: 'inherit', env: withoutOurs(process.env) })
    child.once('error', () => resolve(-1))
    child.once('exit', (status) => resolve(status ?? -1))
  })
}
