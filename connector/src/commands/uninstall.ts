/** `cardwire uninstall`: removes what a bare program has left on this machine for this user, and says what is left for others. */
import { lstat, rm, rmdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import { mayTrust } from '../pki/trust-stores/install-root.ts'
import { errorText } from '../system/error-text.ts'
import { ignoreMissing, isMissing } from '../system/missing-file.ts'
import { openFromContext } from './certs.ts'
import { type CommandContext, getInstallationFolder, isPackageFolder } from './command-context.ts'
import type { CommandDocument } from './documents.ts'
import { printDocument, printFailure, wantsJson } from './json-output.ts'
import { isLocked } from './own-api.ts'
import { getServiceFolders } from './registry.ts'
import { endOwnConnector } from './stop.ts'
import { dim, green, hasColours, print, red } from './terminal.ts'

type Document = CommandDocument<'uninstall'>
type Step = Document['steps'][number]
type Left = Document['left'][number]

/** Exit status 1 when a step failed. `dryRun`: nothing is changed. */
export async function uninstallConnector(machine: CommandContext, dryRun: boolean): Promise<void> {
  const folder = getInstallationFolder()
  if (isPackageFolder(folder)) {
    return printFailure(
      `Cannot uninstall: the program in ${folder} belongs to a package`,
      1,
      getPackageRemedy(process.platform),
    )
  }
  const steps = await runSteps(machine, dryRun)
  const document = { dryRun, steps, left: await findLeft(machine) }
  process.exitCode = steps.some(({ state }) => state === 'failed') ? 1 : 0
  if (wantsJson()) printDocument('uninstall', document)
  else for (const line of format(document)) print(line)
}

/** How the package of this system is removed. */
function getPackageRemedy(platform: string): string {
  if (platform === 'darwin') return 'remove the package: sudo /Library/Cardwire/uninstall'
  if (platform === 'win32') return 'remove the package in the Windows settings, under Apps'
  return 'remove the package: sudo apt purge cardwire, or: sudo dnf remove cardwire'
}

const connectorStep = 'running connector'

/** In this order: what runs would write its files again, and the certificates name the stores that trust them. */
async function runSteps(machine: CommandContext, dryRun: boolean): Promise<readonly Step[]> {
  const { folders } = machine
  const ended = await endConnector(machine, dryRun)
  if (ended.state === 'failed') return [ended]
  const trust = await removeTrust(machine, dryRun)
  const removed: Step[] = []
  for (const path of [folders.runtime, folders.logs]) removed.push(await remove(path, dryRun))
  // Where nothing else is in it.
  if (!dryRun) await rmdir(dirname(folders.runtime)).catch(() => undefined)
  return [ended, ...trust, ...removed]
}

async function endConnector({ folders }: CommandContext, dryRun: boolean): Promise<Step> {
  const what = connectorStep
  if (dryRun) return { what, state: isLocked(folders.runtime) ? 'planned' : 'absent' }
  const end = await endOwnConnector(folders)
  if (end.kind !== 'running') return { what, state: end.kind === 'ended' ? 'done' : 'absent' }
  return { what, state: 'failed', reason: end.reason, remedy: end.remedy }
}

async function removeTrust(machine: CommandContext, dryRun: boolean): Promise<readonly Step[]> {
  const absent: Step = { what: 'root certificate in trust stores', state: 'absent' }
  if (!(await exists(machine.folders.certificates))) return [absent]
  const certificates = openFromContext(machine)
  const before = (await certificates.status()).trust.filter(mayTrust)
  if (before.length === 0) return [absent]
  const after = dryRun ? [] : await certificates.untrust()
  return before.map(({ store }): Step => {
    const what = `root certificate in ${store}`
    if (dryRun) return { what, state: 'planned' }
    const now = after.find((one) => one.store === store)
    const { reason } = now ?? {}
    return now && mayTrust(now) ? { what, state: 'failed', reason } : { what, state: 'done' }
  })
}

/** What a link leads to belongs to somebody else, perhaps: it stays. */
async function remove(path: string, dryRun: boolean): Promise<Step> {
  try {
    const found = await lstat(path).catch(ignoreMissing)
    if (!found) return { what: path, state: 'absent' }
    if (found.isSymbolicLink()) return { what: path, state: 'failed', reason: 'it is a link' }
    if (dryRun) return { what: path, state: 'planned' }
    await rm(path, { recursive: true })
    return { what: path, state: 'done' }
  } catch (error) {
    return { what: path, state: 'failed', reason: errorText(error) }
  }
}

async function findLeft(machine: CommandContext): Promise<readonly Left[]> {
  const { folders, settingsFile } = machine
  const places: readonly Left[] = [
    {
      path: folders.certificates,
      remedy:
        'certificates, which other packages may use; to remove them: cardwire certs uninstall',
    },
    { path: settingsFile, remedy: 'your settings; remove the file yourself' },
    {
      path: getServiceFolders(machine.settings).base,
      remedy:
        'the registry of this computer; an administrator can remove it: cardwire registry uninstall',
    },
    { path: process.execPath, remedy: 'the program; remove the file yourself' },
  ]
  const found = await Promise.all(places.map(({ path }) => exists(path)))
  return places.filter((_, at) => found[at])
}

const exists = (path: string): Promise<boolean> =>
  lstat(path).then(
    () => true,
    // What cannot be read is there, and is tried.
    (error) => !isMissing(error),
  )

function format({ dryRun, steps, left }: Document): readonly string[] {
  const colours = hasColours(process.stdout)
  const marks = {
    done: green('✓', colours),
    planned: '·',
    absent: '·',
    failed: red('✗', colours),
  }
  const lines = steps.flatMap(({ what, state, reason, remedy }) => [
    `${marks[state]} ${what}: ${(what === connectorStep ? stopWords : words)[state]}${reason === undefined ? '' : `: ${reason}`}`,
    ...(remedy === undefined ? [] : [`    → ${remedy}`]),
  ])
  const rest = left.map(({ path, remedy }) => `  ${path}  ${dim(remedy, colours)}`)
  return [...lines, '', dryRun ? 'Nothing was changed. This would be kept:' : 'Kept:', ...rest]
}

const words = {
  done: 'removed',
  planned: 'would be removed',
  absent: 'not found',
  failed: 'not removed',
} as const

const stopWords = {
  done: 'stopped',
  planned: 'would be stopped',
  absent: 'not found',
  failed: 'still running',
} as const
