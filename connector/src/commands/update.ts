/** `cardwire update`: downloads, checks and starts the installer that the distribution service offers. */
import { spawn } from 'node:child_process'
import { mkdtemp, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline/promises'
import type { Offer, Verdict } from '@cardwire/client/protocol'
import { scrubEnvironment } from '../desktop/programs.ts'
import { createWindowsOpener } from '../desktop/windows.ts'
import { createHelper } from '../desktop/windows-helper.ts'
import { checkRelease, ReleaseRefused } from '../distribution/update/check-release.ts'
import { type DownloadedFile, DownloadFailed, download } from '../distribution/update/download.ts'
import { detectInstallerKind, planInstallation } from '../distribution/update/install-plan.ts'
import { version } from '../version.ts'
import { askService } from './ask-service.ts'
import { type CommandContext, getSelfCommand } from './command-context.ts'
import { printDocument, printFailure, wantsJson } from './json-output.ts'
import { formatProgress, print, toMegabytes } from './terminal.ts'

/** Exit status of --check when there is an update, as of `dnf check-update`. */
const updateAvailableStatus = 100

/** How long Windows may take to open the installer, in milliseconds: it asks the person first. */
const openMs = 120_000

export interface UpdateOptions {
  /** Only reports. */
  readonly check: boolean
  /** Installs without a question. */
  readonly yes: boolean
}

/** Exit status 0: nothing to do, or installed; 1: not installed; 100 with `check`: there is one. */
export async function runUpdate(
  machine: CommandContext,
  { check, yes }: UpdateOptions,
): Promise<void> {
  if (wantsJson() && !check) {
    return printFailure('Cannot install with --json: it needs --check', 2)
  }
  process.exitCode = 1
  const { dsUrl } = machine.settings
  if (dsUrl === undefined) return printReason(reasons.unmanaged)
  const answer = await askService(machine, dsUrl, 'update')
  if (answer === undefined) return printReason(reasons.unregistered)
  if (answer.standing !== 'good') {
    return printReason(`${reasons.unanswered}: ${answer.reason ?? answer.standing}`)
  }
  const verdict = checkVerdictVersion(answer.verdict)
  if (verdict === undefined) return printReason(reasons.unknown)
  if (verdict.action === 'none') {
    process.exitCode = 0
    return printReason(reasons.current, verdict)
  }
  if (!wantsJson()) print(`${sentences[verdict.action]}.`)
  const { offer } = verdict
  if (offer === undefined) return printReason(reasons.missing, verdict)
  if (wantsJson()) {
    process.exitCode = updateAvailableStatus
    return printDocument('update', { version, action: verdict.action, offer })
  }
  const size = offer.size === undefined ? '' : ` (${toMegabytes(offer.size)} MB)`
  print(`Version ${offer.version}${size}: ${offer.url}`)
  if (check) {
    process.exitCode = updateAvailableStatus
    return
  }
  if (!yes && !isTerminal()) {
    return print('There is no terminal for a question: cardwire update --yes installs it.')
  }
  const reason = findReasonToAsk(offer)
  if (reason !== undefined && !isTerminal()) {
    return print(`${reason}, so a person has to decide: cardwire update in a terminal.`)
  }
  await downloadAndInstall(offer, machine, yes)
}

const reasons = {
  unmanaged: 'This connector has no distribution service: get updates from where you got it.',
  unregistered:
    'This connector is not registered with its service: start it, cardwire run; cardwire doctor says more.',
  unanswered: 'The service does not say which version it wants; cardwire doctor says what to do',
  unknown: 'The service has no policy for this version yet: cardwire sync says why.',
  current: `Version ${version} is the one that the service wants: there is nothing to update.`,
  missing: 'There is no installer for this system: ask your administrator.',
}

function printReason(reason: string, verdict?: Verdict): void {
  if (wantsJson())
    printDocument('update', { version, ...(verdict && { action: verdict.action }), reason })
  else print(reason)
}

const sentences = {
  recommend: `Another version is recommended over ${version}`,
  require: `Version ${version} is too old to be used`,
  stop: `Version ${version} may not be used any more`,
} as const

const isTerminal = () => process.stdin.isTTY && process.stdout.isTTY

/** A verdict counts for its version alone. */
const checkVerdictVersion = (verdict: Verdict | undefined) =>
  verdict?.version === version ? verdict : undefined

/** Why a person has to decide also with --yes; undefined: nobody has to. */
function findReasonToAsk({ version: offered, sha256 }: Offer): string | undefined {
  if (sha256 === undefined) return 'The service names no digest for it'
  // Every version that was ever released is signed, also one with a flaw that is known by now.
  if (Bun.semver.order(offered, version) < 0) return `It is older than ${version}`
  return undefined
}

/** Downloads, asks for permission, installs; a refused installer is deleted. */
async function downloadAndInstall(
  offer: Offer,
  { settings }: CommandContext,
  yes: boolean,
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'cardwire-update-'))
  const remove = () => rm(folder, { recursive: true, force: true })
  process.once('SIGINT', () => void remove().finally(() => process.exit(130)))
  let keep = false
  try {
    const path = join(folder, 'installer')
    const bar = createProgressBar()
    const downloaded = await download({
      url: offer.url,
      path,
      sha256: offer.sha256,
      size: offer.size,
      caFile: settings.caFile,
      progress: bar.show,
    }).finally(bar.end)
    print(
      `SHA-256 ${downloaded.sha256}, ${offer.sha256 ? 'as the service says' : 'which the service does not confirm'}`,
    )
    const { sha256 } = downloaded
    const { dsUrl = '', caFile } = settings
    const isSigned = await checkRelease({ dsUrl, version: offer.version, sha256, caFile })
    if (isSigned)
      print('The manifest of the release has it, signed by a key that this program knows.')
    const reason = findReasonToAsk(offer)
    if (reason !== undefined) print(`${reason}.`)
    if (!(yes && reason === undefined) && !(await askPermission(offer)))
      return print('Nothing was installed.')
    keep = await installUpdate(path, folder, offer, downloaded)
  } catch (error) {
    if (!(error instanceof DownloadFailed || error instanceof ReleaseRefused)) throw error
    print(error.message)
  } finally {
    if (!keep) await remove()
  }
}

/** A bar where there is a terminal, nothing elsewhere. */
function createProgressBar() {
  let shown = ''
  return {
    show(bytes: number, all: number | undefined): void {
      const line = formatProgress(bytes, all)
      if (!process.stdout.isTTY || line === shown) return
      process.stdout.write(`\r${line}`)
      shown = line
    },
    end(): void {
      if (shown !== '') process.stdout.write('\n')
    },
  }
}

async function askPermission({ version: offered }: Offer): Promise<boolean> {
  const person = createInterface({ input: process.stdin, output: process.stdout })
  // Ctrl-C and the end of the input count as no.
  const answer = await Promise.race([
    person.question(`Install version ${offered} now? [y/N] `),
    new Promise<string>((resolve) => person.once('close', () => resolve(''))),
  ])
  person.close()
  return /^y(es)?$/i.test(answer.trim())
}

/** Resolves with whether the file has to be kept. */
async function installUpdate(
  path: string,
  folder: string,
  { version: offered }: Offer,
  { firstBytes }: DownloadedFile,
): Promise<boolean> {
  const kind = detectInstallerKind(firstBytes)
  // Installers go by the ending of the name.
  const named = join(folder, `cardwire-installer${kind === undefined ? '' : `.${kind}`}`)
  await rename(path, named)
  const plan = planInstallation(kind, named, {
    platform: process.platform,
    administrator: process.getuid?.() === 0,
    terminal: isTerminal(),
    desktop: Boolean(process.env['DISPLAY'] ?? process.env['WAYLAND_DISPLAY']),
    hasProgram: (program) => Bun.which(program) !== null,
  })
  if (plan.kind === 'instruct') {
    print(
      plan.command === undefined
        ? `There is no installer program on this system; the file is ${named}`
        : `An administrator has to install it: ${plan.command}`,
    )
    return true
  }
  if (plan.kind === 'open') {
    const helper = createHelper(getSelfCommand('desktop'), process.env)
    const opened = await createWindowsOpener(helper)(named, AbortSignal.timeout(openMs))
    print(
      opened
        ? `The installer is open and continues by itself: ${named}`
        : `Windows did not open ${named}`,
    )
    if (opened) process.exitCode = 0
    return true
  }
  print(`Running ${plan.command.join(' ')}`)
  const status = await runInstaller(plan.command)
  if (status === 0) process.exitCode = 0
  print(
    status === 0
      ? `Version ${offered} is installed.`
      : `The installer ended with status ${status}.`,
  )
  return false
}

function runInstaller([program, ...args]: readonly [string, ...string[]]): Promise<number> {
  return new Promise((resolve) => {
    const child = spawn(program, args, { stdio: 'inherit', env: scrubEnvironment(process.env) })
    child.once('error', () => resolve(-1))
    child.once('exit', (status) => resolve(status ?? -1))
  })
}
