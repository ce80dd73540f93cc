/** Whom a change reaches, before it is made. */
import * as z from 'zod/mini'
import { ConfigurationType } from './configuration.ts'
import { data, operation } from './operation.ts'
import { Platform } from './platform.ts'
import { Verdict } from './sync.ts'
import { SigningKeyUse } from './token.ts'
import { VersionId } from './version.ts'

const count = z.int().check(z.minimum(0))

/** Devices of one version and system that a change tells something else. */
export const VerdictChange = z.object({
  version: z.string(),
  platform: Platform,
  count,
  before: Verdict.shape.action,
  after: Verdict.shape.action,
  target: z
    .optional(z.string())
    .check(z.describe('The version that they update to; absent if there is no installer')),
  otherInstaller: z
    .optional(z.literal(true))
    .check(z.describe('true: the same target as before, with a different installer')),
})
export type VerdictChange = z.output<typeof VerdictChange>

/** The most sites that a reach names. */
export const maxLostSites = 50

export const LostSites = z.object({
  total: count,
  items: z
    .array(
      z.object({ origin: z.string(), devices: count.check(z.describe('Devices that lose it')) }),
    )
    .check(z.maxLength(maxLostSites), z.describe('Those that most devices lose')),
})
export type LostSites = z.output<typeof LostSites>

export const VersionReach = z.object({
  reach: count.check(
    z.describe('Devices that get a different verdict or installer, or are no longer served'),
  ),
  stopped: count.check(z.describe('Those of them that have to stop or update, and did not before')),
  withoutInstaller: count.check(
    z.describe('Those of `stopped` that have no installer to update with'),
  ),
  stoppedWithoutInstaller: count.check(
    z.describe(
      'Those that had to stop or update before, too, and have no installer to update with after the change',
    ),
  ),
  withoutAllowlist: count.check(
    z.describe(
      'Those that would update from a version with an allowlist to one without, where no site can use card readers',
    ),
  ),
  lostSites: LostSites.check(
    z.describe(
      'Sites in the allowlists that the devices have now, and not in those of the versions that they update to',
    ),
  ),
  withOtherInstaller: count.check(
    z.describe('Those that update to the same version as before, with a different installer'),
  ),
  unserved: count.check(
    z.describe('If a version is removed: devices with this version, which can no longer sync'),
  ),
  changes: z.array(VerdictChange),
})
export type VersionReach = z.output<typeof VersionReach>

const params = z.object({ id: z.string() })

const platformList = new RegExp(
  `^(?:none|(?:${Platform.options.join('|')})(?:,(?:${Platform.options.join('|')}))*)$`,
)

const Platforms = z.pipe(
  z
    .string()
    .check(
      z.regex(platformList, 'expected systems with commas between, such as WIN64,UNIX, or none'),
    ),
  z.transform((text: string) => (text === 'none' ? [] : (text.split(',') as Platform[]))),
)

export const getVersionReach = operation({
  name: 'getVersionReach',
  method: 'GET',
  path: '/v3/versions/{id}/reach',
  tag: 'Versions',
  summary: 'Count the devices that a change to a version would affect',
  description:
    'For a version that is not registered, counts the devices that registering it would affect. Does not count devices that cannot sync: blocked ones, and those whose own version is not registered.',
  access: 'viewer',
  params: z.object({ id: VersionId }),
  query: z.strictObject({
    recommended: z.optional(z.stringbool()),
    mandatory: z.optional(z.stringbool()),
    allowed: z.optional(z.stringbool()),
    installers: z
      .optional(Platforms)
      .check(z.describe('The systems with an installer, separated by commas, or `none`')),
    otherInstallers: z
      .optional(Platforms)
      .check(
        z.describe(
          'The systems whose installer gets another URL, hash or size, separated by commas, or `none`',
        ),
      ),
    copyFrom: z
      .optional(VersionId)
      .check(z.describe('The version whose configurations the new version gets')),
    remove: z.optional(z.stringbool()).check(z.describe('true: as if the version were removed')),
  }),
  examples: [{ summary: 'Of one version', params: { id: '0.0.1-example' } }],
  reply: data(VersionReach),
  problems: ['version-unknown'],
})

/** Devices that receive the configurations of a version. */
const ConfigurationReach = z.object({
  reach: count.check(
    z.describe(
      'Devices that have its version or are offered an update to it, without those that cannot sync: blocked ones, and those whose own version is not registered',
    ),
  ),
  offered: count.check(
    z.describe('Those that are offered an update to it: they would receive it with the update'),
  ),
  isLarge: z
    .boolean()
    .check(
      z.describe(
        'Whether this is more than the share of all devices in `DS_REVIEW_SHARE`. Pages then ask you to type the version before they save',
      ),
    ),
  waiting: count.check(
    z.describe(
      'Of a keystore: devices pending approval, which would receive it once they are approved and are not in `reach`; otherwise 0',
    ),
  ),
  platforms: z
    .array(z.object({ platform: Platform, count }))
    .check(z.describe('Those of `reach` that have its version')),
})
export type ConfigurationReach = z.output<typeof ConfigurationReach>

export const getVersionConfigurationReach = operation({
  name: 'getVersionConfigurationReach',
  method: 'GET',
  path: '/v3/versions/{id}/configurations/reach',
  tag: 'Configurations',
  summary: 'Count the devices that would receive a new configuration of a version',
  access: 'viewer',
  params,
  query: z.strictObject({
    type: z
      .optional(ConfigurationType)
      .check(z.describe('The type of the configuration. Devices pending approval get no keystore')),
    groupId: z
      .optional(z.uuid())
      .check(z.describe('Of the configuration; absent: for all devices')),
  }),
  examples: [{ summary: 'Of one version', params: { id: '0.0.1-example' } }],
  reply: data(ConfigurationReach),
  problems: ['version-unknown'],
})

export const getConfigurationReach = operation({
  name: 'getConfigurationReach',
  method: 'GET',
  path: '/v3/configurations/{id}/reach',
  tag: 'Configurations',
  summary: 'Count the devices with a configuration',
  access: 'viewer',
  params,
  examples: [
    {
      summary: 'The configuration that was created last',
      params: { id: { operation: 'putConfiguration', pointer: '/data/id' } },
    },
  ],
  reply: data(ConfigurationReach),
  problems: ['configuration-unknown'],
})

export const getOrganizationReach = operation({
  name: 'getOrganizationReach',
  method: 'GET',
  path: '/v3/organizations/{id}/reach',
  tag: 'Organizations',
  summary: 'Count the labels of an organization, and their uses',
  access: 'viewer',
  params,
  examples: [{ summary: 'Of one organization', params: { id: 'exampleorganization' } }],
  reply: data(
    z.object({
      reach: count.check(z.describe('Labels')),
      uses: count.check(z.describe('Uses by their applications in the last 30 days')),
    }),
  ),
  problems: ['organization-unknown'],
})

export const getLabelReach = operation({
  name: 'getLabelReach',
  method: 'GET',
  path: '/v3/labels/{id}/reach',
  tag: 'Labels',
  summary: 'Count the uses of a label',
  description:
    'Devices report uses when they sync. If `keyUsedAt` is one of the last 30 days, a small `reach` does not mean that the key is unused.',
  access: 'viewer',
  params,
  examples: [{ summary: 'Of one label', params: { id: 'exampleapplication' } }],
  reply: data(
    z.object({
      reach: count.check(z.describe('Uses by its applications in the last 30 days')),
      keyUsedAt: z
        .optional(z.iso.date())
        .check(z.describe('The last day (UTC) on which one of its API keys fetched a token')),
    }),
  ),
  problems: ['label-unknown'],
})

export const getSigningKeyReach = operation({
  name: 'getSigningKeyReach',
  method: 'GET',
  path: '/v3/signing-keys/{id}/reach',
  tag: 'Tokens',
  summary: 'Count what depends on a signing key',
  access: 'viewer',
  params,
  examples: [
    {
      summary: 'The key that was announced last',
      params: { id: { operation: 'rotateSigningKey', pointer: '/data/id' } },
    },
  ],
  reply: data(
    z.object({
      use: SigningKeyUse,
      reach: count.check(
        z.describe(
          'application: uses in the last 30 days by the `labels`; administrator: sessions; reply: devices that are not blocked. 0 for a key that has not signed yet',
        ),
      ),
      labels: z
        .optional(count)
        .check(
          z.describe(
            'application: labels that fetched a token (UTC) today or yesterday. Absent for other uses, and for a key that has not signed yet',
          ),
        ),
      unsynced: z
        .optional(count)
        .check(
          z.describe(
            'reply: those of the devices that have not synced since the key that would sign next was created, and would not trust it. Only for the key that signs',
          ),
        ),
    }),
  ),
  problems: ['signing-key-unknown'],
})
