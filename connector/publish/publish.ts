/** Publishes a version: uploads what the service does not have, then registers the version with it. */
import type { Installer, VersionInput } from '@cardwire/protocol'
import { PublishError, type PublishOptions } from './options.ts'
import type { PublishedFile } from './package-files.ts'
import type { RegisteredVersion, Service } from './service.ts'

export interface Terminal {
  /** A line of output. */
  print(line: string): void
  /** How far an upload is; undefined when it has ended. */
  showProgress(progress: { readonly name: string; readonly share: number } | undefined): void
}

/** How often an upload is tried whose connection ends. */
const maxAttempts = 3

export async function publish(
  options: PublishOptions,
  files: readonly PublishedFile[],
  service: Service,
  terminal: Terminal,
): Promise<void> {
  const { version, isDryRun, maxReach } = options
  const before = await service.findVersion(version)
  const wanted = createVersion(version, files, before)
  const plan = await planUploads(files, service)
  const copyFrom = before ? undefined : await findSource(options, service)
  const changed = listChangedSystems(before, wanted, plan)
  const { reach, withoutAllowlist } = await service.countAffected(wanted, changed, copyFrom)
  // Refused before anything is uploaded.
  if (withoutAllowlist > 0) {
    const devices = withoutAllowlist === 1 ? '1 device' : `${withoutAllowlist} devices`
    throw new PublishError(
      `Cannot publish version ${version}: ${devices} would update to it from a version with an allowlist, and ${adviseAllowlist(before !== undefined, copyFrom)}`,
    )
  }
  if (reach > maxReach && !isDryRun) {
    throw new PublishError(
      `Cannot publish version ${version}: it affects ${reach} devices; to confirm this number, add --max-reach ${reach}`,
    )
  }
  await upload(options, plan, service, terminal)
  if (before && isSame(before.uris, wanted.uris)) {
    terminal.print(`Version ${version} has these installers already`)
    if (reach > 0) terminal.print(`Devices affected: ${reach}`)
    return
  }
  const systems = wanted.uris.map(({ os }) => os).join(', ')
  const inherited = copyFrom === undefined ? '' : `, with the configurations of ${copyFrom}`
  if (isDryRun) {
    const act = before ? 'changed' : 'registered'
    terminal.print(`Version ${version} would be ${act}: ${systems}${inherited}`)
    terminal.print(`Devices affected: ${reach}`)
    return
  }
  const { installationApiKey } = await service.register(wanted, copyFrom, maxReach)
  const act = before ? 'changed' : 'registered'
  terminal.print(`Version ${version} is ${act}: ${systems}${inherited}`)
  terminal.print(`Devices affected: ${reach}`)
  if (!(await service.hasAllowlist(version)))
    terminal.print(
      `Version ${version} has no allowlist yet, so no site can use card readers. Add one in the admin console`,
    )
  if (installationApiKey !== undefined)
    terminal.print(`Installation key (shown once): ${installationApiKey}`)
}

/** The version whose configurations a new one gets. */
async function findSource(
  { version, configurations }: PublishOptions,
  service: Service,
): Promise<string | undefined> {
  if (configurations === 'none') return undefined
  if (configurations === 'latest') return service.findLatest()
  if (await service.findVersion(configurations.of)) return configurations.of
  throw new PublishError(
    `Cannot publish version ${version}: there is no version ${configurations.of} with configurations for it`,
  )
}

/** Why a version has no allowlist, and what to do. */
function adviseAllowlist(isRegistered: boolean, copyFrom: string | undefined): string {
  const add = 'add one in the admin console first'
  const choose = 'name a version that has one, such as --configurations-of 4.0.0'
  if (isRegistered) return `it has none; ${add}`
  if (copyFrom === undefined)
    return `it gets none; leave out --without-configurations, or ${choose}`
  return `it gets the configurations of ${copyFrom}, which has none; ${add}, or ${choose}`
}

interface PlannedFile extends PublishedFile {
  readonly isThere: boolean
}

/** Throws a PublishError for other bytes under a name that a version uses: the service would keep the file that it has. */
async function planUploads(
  files: readonly PublishedFile[],
  service: Service,
): Promise<readonly PlannedFile[]> {
  const plan: PlannedFile[] = []
  for (const file of files) {
    const known = await service.findFile(file.name)
    const isThere = known?.sha256 === file.sha256
    if (!isThere && known?.usedBy !== undefined) {
      throw new PublishError(
        `Cannot replace "${file.name}": version ${known.usedBy} uses it; publish other packages as another version`,
      )
    }
    plan.push({ ...file, isThere })
  }
  return plan
}

/** Uploads the files that the service does not have. */
async function upload(
  { isDryRun, maxReach }: PublishOptions,
  plan: readonly PlannedFile[],
  service: Service,
  terminal: Terminal,
): Promise<void> {
  for (const file of plan) {
    const megabytes = (file.size / 1_000_000).toFixed(1)
    if (file.isThere) {
      terminal.print(`${file.name}  is there already`)
    } else if (isDryRun) {
      terminal.print(`${file.name}  would be uploaded, ${megabytes} MB`)
    } else {
      await uploadFile(file, maxReach, service, terminal)
      terminal.print(`${file.name}  uploaded, ${megabytes} MB`)
    }
  }
}

async function uploadFile(
  file: PublishedFile,
  maxReach: number,
  service: Service,
  terminal: Terminal,
): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await service.upload(file, maxReach, (sent) => {
        terminal.showProgress({ name: file.name, share: sent / file.size })
      })
      return
    } catch (error) {
      if (error instanceof PublishError || attempt >= maxAttempts) throw error
    } finally {
      terminal.showProgress(undefined)
    }
  }
}

/** Flags and installers for other systems stay as they are; a new version is allowed, and nothing more. */
function createVersion(
  id: string,
  files: readonly PublishedFile[],
  before: RegisteredVersion | undefined,
): VersionInput {
  const uris = new Map<string, Installer>()
  for (const { system, name, sha256, size } of files) {
    if (system === undefined || uris.has(system)) continue
    uris.set(system, { os: system, uri: `file:///${encodeURIComponent(name)}`, sha256, size })
  }
  const others = (before?.uris ?? []).filter(({ os }) => !uris.has(os)) as Installer[]
  const { recommended = false, mandatory = false, allowed = true } = before ?? {}
  return { id, recommended, mandatory, allowed, uris: [...uris.values(), ...others] }
}

/** The systems whose installer was another; all of them with another manifest, which may list other packages. */
const listChangedSystems = (
  before: RegisteredVersion | undefined,
  { uris }: VersionInput,
  plan: readonly PlannedFile[],
): readonly string[] => {
  const hasNewManifest = plan.some(({ system, isThere }) => system === undefined && !isThere)
  return uris.flatMap((installer) => {
    const old = before?.uris.filter(({ os }) => os === installer.os) ?? []
    // A manifest has no effect on installers of other servers.
    const isRelisted = hasNewManifest && installer.uri.startsWith('file:')
    const isKept = isSame(old, [installer]) && !isRelisted
    return old.length === 0 || isKept ? [] : [installer.os]
  })
}

function isSame(some: RegisteredVersion['uris'], others: readonly Installer[]): boolean {
  const describe = (uris: RegisteredVersion['uris']) =>
    uris.map(({ os, uri, sha256, size }) => [os, uri, sha256, size].join(' ')).toSorted()
  return describe(some).join() === describe([...others]).join()
}
