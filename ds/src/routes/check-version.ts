/** What is checked of a version before it is registered or changed: its installers, and its allowlist. */
import { type Installer, type Platform, Problem } from '@cardwire/protocol'
import { describeError } from '../db/describe-error.ts'
import { readReleases } from '../db/read-releases.ts'
import { readOpenRollouts, toPlan } from '../db/rollouts.ts'
import { findPackage, isFileUri } from '../packages/packages.ts'
import { countDevicesWithoutInstaller } from '../rules/devices-without-installer.ts'
import { createViews } from '../rules/views.ts'
import type { Services } from '../services.ts'
import { type PlannedVersion, readAffectedDevices, readDeviceGroups } from './count-affected.ts'

/**
 * Throws `input-invalid` when a `file:///` address names no file of the packages folder. Addresses that were registered
 * before are left alone: a version can still be withdrawn when its file is gone. Where the files cannot be asked for,
 * as with a bucket that does not answer, that is logged and the address is accepted.
 */
export async function requireInstallerFiles(
  services: FileServices,
  uris: readonly Installer[],
  before: readonly Installer[] = [],
): Promise<void> {
  const missing = await listMissingFiles(services, uris, before)
  if (missing.length === 0) return
  const names = missing.map(({ uri }) => `"${uri}"`).join(', ')
  throw new Problem(
    'input-invalid',
    `Cannot find ${names}: put the file into the packages folder first`,
    { errors: missing.map(({ path, message }) => ({ path, message })) },
  )
}

type FileServices = Pick<Services, 'packages' | 'log'>

/** The installers whose file is gone, and their places in the list. */
export async function listMissingFiles(
  { packages, log }: FileServices,
  uris: readonly Installer[],
  before: readonly Installer[] = [],
) {
  const checked = uris.map(async ({ uri }, at) => {
    if (!isFileUri(uri) || before.some((known) => known.uri === uri)) return []
    try {
      if (await findPackage(packages, uri)) return []
    } catch (error) {
      log.warn('installer not looked up', { uri, error: describeError(error) })
      return []
    }
    return [{ path: `uris[${at}].uri`, message: 'No such file in the packages folder', uri }]
  })
  return (await Promise.all(checked)).flat()
}

/** Throws `installers-missing`, with the number of devices, when this version would stop devices that have nothing to update to. */
export async function requireInstallers(
  { db, reader, settings }: Pick<Services, 'db' | 'reader' | 'settings'>,
  version: PlannedVersion,
): Promise<void> {
  const groups = await readDeviceGroups({ reader, settings })
  const releases = await readReleases(reader)
  const open = (await readOpenRollouts(db)).map(toPlan)
  const views = createViews<PlannedVersion>(
    { releases, rollouts: open },
    {
      releases: [...releases.filter(({ id }) => id !== version.id), version],
      // Here, it is for all devices.
      rollouts: open.filter(({ versionId }) => versionId !== version.id),
    },
  )
  const counts = [...countDevicesWithoutInstaller(groups, views)]
  if (counts.length === 0) return
  const total = counts.reduce((sum, [, devicesOf]) => sum + devicesOf, 0)
  throw new Problem(
    'installers-missing',
    `Cannot make version "${version.id}" mandatory: ${countDevices(total)} would stop with nothing to update to, register installers for ${counts.map(([os]) => os).join(', ')} or repeat the request with ?force=true`,
    { errors: counts.map(([os, number]) => createFieldError(os, number)) },
  )
}

const createFieldError = (os: Platform, number: number) => ({
  path: 'uris',
  message: `No installer for ${os}, which ${countDevices(number)} ${number === 1 ? 'has' : 'have'}`,
})

const countDevices = (number: number) => `${number} ${number === 1 ? 'device' : 'devices'}`

/** Throws `allowlist-missing`, with the number of devices, when devices would update from a version with an allowlist to one without. */
export async function requireAllowlist(
  services: Parameters<typeof readAffectedDevices>[0],
  version: PlannedVersion,
  end?: Parameters<typeof readAffectedDevices>[3],
): Promise<void> {
  const { withoutAllowlist } = await readAffectedDevices(services, version.id, version, end)
  if (withoutAllowlist === 0) return
  throw new Problem(
    'allowlist-missing',
    `Cannot change version "${version.id}": ${countDevices(withoutAllowlist)} would update from a version with an allowlist to one without, where no site can use card readers; add the allowlist first, copy the configurations of another version with ?copyFrom=, or repeat the request with ?force=true`,
    { reach: withoutAllowlist },
  )
}
