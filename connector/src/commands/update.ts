/** `cardwire update`: downloads, checks and installs the version that the distribution service offers. */
import type { Verdict } from '@cardwire/protocol/sync'
import { openDesktop } from '../system/desktop/open-desktop.ts'
import { errorText } from '../system/error-text.ts'
import { readUser } from '../system/user.ts'
import { version } from '../version.ts'
import { askService } from './ask-service.ts'
import { type CommandContext, getSelfCommand } from './command-context.ts'
import { findReasonToAsk, installOffer } from './install-offer.ts'
import { printDocument, printFailure, wantsJson } from './json-output.ts'
import { toMegabytes } from './terminal.ts'
import { type Audience, createTerminalAudience, createWindowAudience } from './update-audience.ts'

/** Exit status of --check when there is an update, as of `dnf check-update`. */
const updateAvailableStatus = 100

export interface UpdateOptions {
  /** Only reports. */
  readonly check: boolean
  /** Installs without a question. */
  readonly yes: boolean
  /** Downloads and checks, and installs nothing. */
  readonly dryRun: boolean
  /** Informs and asks in windows: the user has pressed the button of one. */
  readonly window: boolean
}

/** Exit status 0: nothing to do, or installed; 1: not installed; 100 with `check`: there is one. */
export async function runUpdate(machine: CommandContext, options: UpdateOptions): Promise<void> {
  const audience = options.window ? openWindowAudience() : createTerminalAudience()
  try {
    await update(machine, options, audience)
  } catch (error) {
    // A window shows the last line.
    if (options.window) audience.printLine(audience.texts.failed(errorText(error)))
    throw error
  } finally {
    await audience.end()
  }
}

function openWindowAudience(): Audience {
  const { platform, env: environment } = process
  const desktop = openDesktop({ platform, environment, helper: getSelfCommand('desktop') })
  return createWindowAudience(desktop, readUser(environment).language)
}

async function update(
  machine: CommandContext,
  { check, yes, dryRun }: UpdateOptions,
  audience: Audience,
): Promise<void> {
  const { printLine, texts } = audience
  const printReason = createPrintReason(printLine)
  if (wantsJson() && !check) {
    return printFailure('Cannot install an update with --json: add --check', 2)
  }
  process.exitCode = 1
  const { dsUrl } = machine.settings
  if (dsUrl === undefined) return printReason(texts.unmanaged)
  const answer = await askService(machine, dsUrl, 'update')
  if (answer === undefined) return printReason(texts.unregistered)
  if (answer.standing !== 'good') {
    return printReason(texts.unanswered(answer.reason ?? answer.standing))
  }
  const verdict = checkVerdictVersion(answer.verdict)
  if (verdict === undefined) return printReason(texts.unknown)
  if (verdict.action === 'none') {
    process.exitCode = 0
    return printReason(texts.current(version), verdict)
  }
  if (!wantsJson()) printLine(texts.verdict[verdict.action](version))
  const { offer } = verdict
  if (offer === undefined) return printReason(texts.missing, verdict)
  if (wantsJson()) {
    process.exitCode = updateAvailableStatus
    return printDocument('update', { version, action: verdict.action, offer })
  }
  const size = offer.size === undefined ? '' : ` (${toMegabytes(offer.size)} MB)`
  printLine(`Version ${offer.version}${size}: ${offer.url}`)
  if (check) {
    process.exitCode = updateAvailableStatus
    return
  }
  if (!yes && !dryRun && !audience.isPresent) {
    return printLine('To install it without a terminal, run cardwire update --yes.')
  }
  const reason = findReasonToAsk(offer, texts)
  if (reason !== undefined && !dryRun && !audience.isPresent) {
    return printLine(
      `${reason}. To decide whether to install it, run cardwire update in a terminal.`,
    )
  }
  await installOffer(offer, { settings: machine.settings, dsUrl, yes, dryRun, audience })
}

const createPrintReason =
  (printLine: Audience['printLine']) =>
  (reason: string, verdict?: Verdict): void => {
    if (wantsJson())
      printDocument('update', { version, ...(verdict && { action: verdict.action }), reason })
    else printLine(reason)
  }

/** A verdict counts for its version alone. */
const checkVerdictVersion = (verdict: Verdict | undefined) =>
  verdict?.version === version ? verdict : undefined
