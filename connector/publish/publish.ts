/** Publishes a version: uploads what the service does not have, then registers the version with it. */
import type { Installer, VersionInput } from '@cardwire/client/protocol'
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
  const { version, isDryRun, copiesConfigurations, maxReach } = options
  const before = await service.findVersion(version)
  const wanted = createVersion(version, files, before)
  if (before && isSame(before.uris, wanted.uris)) {
    await uploadMissing(options, files, service, terminal)
    terminal.print(`Version ${version} has these installers already`)
    return
  }
  const copyFrom = before || !copiesConfigurations ? undefined : await service.findLatest()
  const systems = wanted.uris.map(({ os }) => os).join(', ')
  const inherited = copyFrom === undefined ? '' : `, with the configurations of ${copyFrom}`
  const reach = await service.countAffected(wanted, listChangedSystems(before, wanted), copyFrom)
  if (reach > maxReach && !isDryRun) {
    throw new PublishError(
      `Cannot publish version ${version}: it affects ${reach} devices; to confirm this number, add --max-reach ${reach}`,
    )
  }
  await uploadMissing(options, files, service, terminal)
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
      `Version ${version} has no allowlist yet, so no site can use card readers. Add one in the administration`,
    )
  if (installationApiKey !== undefined)
    terminal.print(`Installation key (shown once): ${installationApiKey}`)
}

/** Uploads the files that the service does not have. */
async function uploadMissing(
  { isDryRun, maxReach }: PublishOptions,
  files: readonly PublishedFile[],
  service: Service,
  terminal: Terminal,
): Promise<void> {
  for (const file of files) {
    const megabytes = (file.size / 1_000_000).toFixed(1)
    if ((await service.findDigest(file.name)) === file.sha256) {
      terminal.print(`${file.name}  is there already`)
    } else if (isDryRun) {
      terminal.print(`${file.name}  would be uploaded, ${megabytes} MB`)
    } else {
      await upload(file, maxReach, service, terminal)
      terminal.print(`${file.name}  uploaded, ${megabytes} MB`)
    }
  }
}

async function upload(
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

/** The systems whose installer was another. */
const listChangedSystems = (
  before: RegisteredVersion | undefined,
  { uris }: VersionInput,
): readonly string[] =>
  uris.flatMap((installer) => {
    const old = before?.uris.filter(({ os }) => os === installer.os) ?? []
    return old.length === 0 || isSame(old, [installer]) ? [] : [installer.os]
  })

function isSame(some: RegisteredVersion['uris'], others: readonly Installer[]): boolean {
  const describe = (uris: RegisteredVersion['uris']) =>
    uris.map(({ os, uri, sha256, size }) => [os, uri, sha256, size].join(' ')).toSorted()
  return describe(some).join() === describe([...others]).join()
}
