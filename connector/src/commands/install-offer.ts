/** Downloads the offered installer, checks it, asks for permission, and has it installed with the rights of an administrator. */
import { spawnSync } from 'node:child_process'
import { rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { SignedManifest } from '@cardwire/protocol/package-manifest'
import type { Offer } from '@cardwire/protocol/sync'
import { checkRelease, ReleaseRefused } from '../distribution/update/check-release.ts'
import { type DownloadedFile, DownloadFailed, download } from '../distribution/update/download.ts'
import {
  type Command,
  detectInstallerKind,
  elevate,
  findInstallCommand,
} from '../distribution/update/install-plan.ts'
import type { Settings } from '../settings.ts'
import { makeTemporaryFolder } from '../system/temporary-folder.ts'
import { hasDesktop } from '../system/user.ts'
import { version } from '../version.ts'
import { getInstallationFolder, getSelfCommand, isPackageFolder } from './command-context.ts'
import { hasProgram, refusedStatus, runToEnd } from './install-update.ts'
import { hasTerminal } from './terminal.ts'
import type { Audience, UpdateTexts } from './update-audience.ts'

interface Options {
  readonly settings: Settings
  readonly dsUrl: string
  readonly yes: boolean
  readonly dryRun: boolean
  readonly audience: Audience
}

/** Why the user has to decide even with --yes; undefined: that is not needed. */
export function findReasonToAsk(
  { version: offered, sha256 }: Offer,
  texts: UpdateTexts,
): string | undefined {
  if (sha256 === undefined) return texts.withoutDigest
  // Every version that was ever released is signed, also one with a flaw that is known by now.
  if (Bun.semver.order(offered, version) < 0) return texts.older(version)
  return undefined
}

/** Sets the exit status: 0 when it is installed. A refused installer is deleted. */
export async function installOffer(offer: Offer, options: Options): Promise<void> {
  const { audience } = options
  // 0700: nobody else can change what is checked here; what is installed is checked again, where this user cannot either.
  const folder = await makeTemporaryFolder('cardwire-update-')
  const remove = () => rm(folder, { recursive: true, force: true })
  const interrupt = () => void remove().finally(() => process.exit(130))
  process.once('SIGINT', interrupt)
  let keep = false
  try {
    const { file, manifest } = await downloadAndCheck(offer, folder, options)
    if (!(await isPermitted(offer, options))) return audience.printLine(audience.texts.nothing)
    // The installer decides what an interruption means.
    process.off('SIGINT', interrupt).on('SIGINT', () => undefined)
    keep = await install({ offer, folder, file, manifest }, options)
  } catch (error) {
    if (!(error instanceof DownloadFailed || error instanceof ReleaseRefused)) throw error
    audience.printLine(audience.texts.failed(error.message))
  } finally {
    if (!keep) await remove()
  }
}

interface Checked {
  readonly file: DownloadedFile
  /** undefined: this build knows no key of releases. */
  readonly manifest: SignedManifest | undefined
}

async function downloadAndCheck(
  { url, version: offered, sha256, size }: Offer,
  folder: string,
  { settings: { caFile }, dsUrl, audience: { announce, printLine, progress: bar } }: Options,
): Promise<Checked> {
  const path = join(folder, 'installer')
  announce(offered)
  const file = await download({
    url,
    dsUrl,
    path,
    sha256,
    size,
    caFile,
    progress: bar.show,
  }).finally(bar.end)
  printLine(
    `The SHA-256 is ${file.sha256}. ${sha256 ? 'It matches the one from the service.' : 'The service has none to compare it with.'}`,
  )
  const manifest = await checkRelease({ dsUrl, version: offered, sha256: file.sha256, caFile })
  if (manifest) printLine('The release manifest lists this hash, and its signature is valid.')
  return { file, manifest }
}

/** Whether the user agrees, or has agreed: neither `--yes` nor the button that offered it is that where there is a reason to ask. */
export async function isPermitted(
  offer: Offer,
  { yes, dryRun, audience }: Pick<Options, 'yes' | 'dryRun' | 'audience'>,
): Promise<boolean> {
  const reason = findReasonToAsk(offer, audience.texts)
  if (reason !== undefined) audience.printLine(`${reason}.`)
  if (dryRun || ((yes || audience.hasChosen) && reason === undefined)) return true
  return audience.ask(audience.texts.question(offer.version), reason)
}

/** Resolves with whether the file has to be kept. */
async function install(
  {
    offer: { version: offered },
    folder,
    file: { firstBytes, sha256 },
    manifest,
  }: Checked & { readonly offer: Offer; readonly folder: string },
  { dryRun, audience: { printLine, texts, hasChosen } }: Options,
): Promise<boolean> {
  const kind = detectInstallerKind(firstBytes)
  // Installers go by the ending of the name.
  const path = join(folder, `cardwire-installer${kind === undefined ? '' : `.${kind}`}`)
  await rename(join(folder, 'installer'), path)
  const command = findInstallCommand(kind, path, { platform: process.platform, hasProgram })
  if (command === undefined) {
    printLine(texts.withoutInstaller(path))
    return true
  }
  if (dryRun) {
    process.exitCode = 0
    printLine(`An administrator would install it with this command: ${command.join(' ')}`)
    return false
  }
  const checked = await createCheckedCommand({ offered, path, sha256, manifest, folder })
  const elevated = elevate(checked, {
    platform: process.platform,
    isAdministrator: process.getuid?.() === 0,
    hasTerminal: !hasChosen && hasTerminal(),
    hasDesktop: hasDesktop(process.platform, process.env),
    hasProgram,
  })
  if (elevated === undefined) {
    printLine(texts.needsAdministrator(`sudo ${checked.join(' ')}`))
    return true
  }
  printLine(reportEnd(offered, await runToEnd(elevated), texts))
  return false
}

/** Sets the exit status. */
function reportEnd(offered: string, status: number, texts: UpdateTexts): string {
  const installed = status === 0 ? (readInstalledVersion() ?? offered) : undefined
  if (installed === offered) process.exitCode = 0
  return describeEnd(offered, installed, status, texts)
}

function describeEnd(
  offered: string,
  installed: string | undefined,
  status: number,
  texts: UpdateTexts,
): string {
  if (installed === offered) return texts.installed(offered)
  if (installed !== undefined) return texts.otherInstalled(installed)
  return status === refusedStatus ? texts.nothing : texts.ended(status)
}

/** Of the file that this program was started from, which the package has replaced; undefined: it belongs to no package. */
function readInstalledVersion(): string | undefined {
  if (!isPackageFolder(getInstallationFolder())) return undefined
  const { status, stdout } = spawnSync(process.execPath, ['--version'], { encoding: 'utf8' })
  return status === 0 ? stdout.trim() : undefined
}

/** What root runs is this program, which checks a copy of its own, and not the installer of the system alone. */
async function createCheckedCommand({
  offered,
  path,
  sha256,
  manifest,
  folder,
}: {
  readonly offered: string
  readonly path: string
  readonly sha256: string
  readonly manifest: SignedManifest | undefined
  readonly folder: string
}): Promise<Command> {
  const [program = '', ...role] = getSelfCommand('install-update')
  const command: Command = [program, ...role, offered, path, sha256]
  if (!manifest) return command
  const manifestPath = join(folder, 'manifest.json')
  await writeFile(manifestPath, JSON.stringify(manifest), { mode: 0o600, flag: 'wx' })
  return [...command, manifestPath]
}
