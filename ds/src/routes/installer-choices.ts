/** The installers to choose from, and the system that a request is from. */
import type { Platform } from '@cardwire/protocol'
import type { Context } from 'hono'
import type { versions } from '../db/schema.ts'
import type { InstallerChoice } from '../http/installer-choices-page.ts'
import { findInstallers } from '../packages/manifests.ts'
import { findEnding } from '../rules/choose-package.ts'
import { detectSystem } from '../rules/detect-system.ts'
import { createInstallerUrl } from '../rules/installer-url.ts'
import { findLatest } from '../rules/latest-version.ts'
import type { Services } from '../services.ts'

type Release = typeof versions.$inferSelect

type ChoiceServices = Pick<Services, 'packages' | 'url'>

/** The installers of the latest versions, one or more of each system. */
export async function listInstallerChoices(
  services: ChoiceServices,
  releases: readonly Release[],
): Promise<readonly InstallerChoice[]> {
  const systems: Platform[] = ['WIN64', 'WIN32', 'MACOS', 'MACOSARM', 'UNIX']
  const choices: InstallerChoice[] = []
  for (const os of systems) {
    const release = findLatest(releases, os)
    if (release) choices.push(...(await findChoices(services, release, os)))
  }
  return choices
}

/** On Linux every package that the manifest has. */
async function findChoices(
  { packages, url }: ChoiceServices,
  { id: version, uris }: Release,
  os: Platform,
) {
  const registered = uris.find((uri) => uri.os === os)
  const found =
    os === 'UNIX' && registered && (await findInstallers(packages, version, registered, {}))
  if (!found) return [{ os, version, url: createInstallerUrl(url, os, version) }]
  return found.map(({ uri, architecture }) => {
    const choice = { architecture, format: findEnding(uri) }
    return { os, version, url: createInstallerUrl(url, os, version, choice), ...choice }
  })
}
export const readSystem = ({ req }: Context) =>
  detectSystem({
    userAgent: req.header('user-agent'),
    platform: req.header('sec-ch-ua-platform'),
    mobile: req.header('sec-ch-ua-mobile'),
    architecture: req.header('sec-ch-ua-arch'),
    bitness: req.header('sec-ch-ua-bitness'),
  })
