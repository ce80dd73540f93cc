/** Registers the demonstration with the service at every start; existing entries keep what an administrator changed. */
import {
  Configuration,
  type Installer,
  Label,
  Organization,
  pageOf,
  Version,
} from '@cardwire/protocol'
import type { Administration } from './administrator.ts'
import type { Keys } from './keys.ts'

export interface Registration {
  readonly version: string
  readonly installer: Installer
  readonly keys: Keys
}

const organization = { id: 'cardwireexample', name: 'Cardwire Example' }
const label = { id: 'examplepage', name: 'Example Page' }

/** What the connector registers with, and what the back end gets tokens with. */
export async function register(
  service: Administration,
  { version, installer, keys }: Registration,
): Promise<void> {
  await registerVersion(service, version, installer, keys.installationKey)
  await registerLabel(service, keys.apiKey)
}

/** Keeps installers for other systems, and the flags that an administrator set. */
async function registerVersion(
  service: Administration,
  id: string,
  installer: Installer,
  installationApiKey: string,
): Promise<void> {
  const known = await service.get(`/v3/versions/${id}`, Version)
  const { recommended = false, mandatory = false, allowed = true, uris = [] } = known ?? {}
  const others = uris.filter(({ os }) => os !== installer.os)
  await service.put('/v3/versions', {
    id,
    recommended,
    mandatory,
    allowed,
    uris: [...others, installer],
    installationApiKey,
  })
}

/** Adds the origins to the allowlist of the version; resolves with all of it. */
export async function allowOrigins(
  service: Administration,
  versionId: string,
  origins: readonly string[],
): Promise<readonly string[]> {
  const path = `/v3/configurations?versionId=${versionId}&type=CONTEXT_CONFIG`
  const known = (await service.get(path, pageOf(Configuration)))?.items.find(
    (one) => one.type === 'CONTEXT_CONFIG',
  )
  const before = known?.config.cors ?? []
  const cors = [...new Set([...before, ...origins])]
  if (cors.length === before.length) return before
  await service.put('/v3/configurations', {
    ...(known && { id: known.id }),
    type: 'CONTEXT_CONFIG',
    versionId,
    config: { ...known?.config, cors },
  })
  return cors
}

async function registerLabel(service: Administration, apiKey: string): Promise<void> {
  if (!(await service.get(`/v3/organizations/${organization.id}`, Organization))) {
    await service.put('/v3/organizations', { name: organization.name })
  }
  const known = await service.get(`/v3/labels/${label.id}`, Label)
  await service.put('/v3/labels', {
    ...(known && { id: label.id }),
    name: label.name,
    orgId: organization.id,
    apiKey,
  })
}
