/** What files of a folder say about a fleet: groups, versions, configurations and rollouts, by names that people choose. */
import {
  configurationValues,
  GroupInput,
  Installer,
  RolloutInput,
  VersionId,
} from '@cardwire/protocol'
import * as z from 'zod'

const name = z.string().min(1).max(100)

const GroupResource = z.strictObject({
  kind: z.literal('group'),
  name,
  rules: GroupInput.shape.rules,
  priority: GroupInput.shape.priority,
})

/** What is absent stays as it is; a new version is allowed, and neither suggested nor required. */
const VersionResource = z.strictObject({
  kind: z.literal('version'),
  id: VersionId,
  recommended: z.boolean().optional(),
  mandatory: z.boolean().optional(),
  allowed: z.boolean().optional(),
  uris: z.array(Installer).max(20).optional(),
})

const ofVersion = { kind: z.literal('configuration'), version: VersionId, group: name.optional() }

const { CONTEXT_CONFIG, FILE_DIGESTS, SSL_KEYSTORE } = configurationValues

const ConfigurationResource = z.discriminatedUnion('type', [
  z.strictObject({ ...ofVersion, type: z.literal('CONTEXT_CONFIG'), config: CONTEXT_CONFIG }),
  z.strictObject({ ...ofVersion, type: z.literal('FILE_DIGESTS'), config: FILE_DIGESTS }),
  z.strictObject({
    ...ofVersion,
    type: z.literal('SSL_KEYSTORE'),
    config: z.strictObject({
      uri: SSL_KEYSTORE.shape.uri,
      digest: SSL_KEYSTORE.shape.digest,
      /** Beside the file; the password never stands in a file that is committed. */
      passwordFile: z.string().min(1).max(1000),
    }),
  }),
])

const { stages, ...rollout } = RolloutInput.shape

const RolloutResource = z.strictObject({
  kind: z.literal('rollout'),
  ...rollout,
  /** Groups by their names. */
  stages: z
    .array(z.strictObject({ share: z.number(), group: name.optional(), holdS: z.int() }))
    .min(1)
    .max(10),
  state: z.enum(['draft', 'running', 'paused', 'halted', 'finished']).default('draft'),
})

export const Resource = z.discriminatedUnion('kind', [
  GroupResource,
  VersionResource,
  ConfigurationResource,
  RolloutResource,
])

export type GroupResource = z.output<typeof GroupResource>
export type VersionResource = z.output<typeof VersionResource>
export type ConfigurationResource = z.output<typeof ConfigurationResource>
export type RolloutResource = z.output<typeof RolloutResource>
export type Resource = z.output<typeof Resource>

/** By what a resource is found on the service; unique in a folder. */
export function toKey(resource: Resource): string {
  if (resource.kind === 'group') return `group "${resource.name}"`
  if (resource.kind === 'version') return `version ${resource.id}`
  if (resource.kind === 'rollout') return `rollout of ${resource.version}`
  return toConfigurationKey(resource.version, resource.type, resource.group)
}

const typeNames = {
  CONTEXT_CONFIG: 'allowlist',
  FILE_DIGESTS: 'file hashes',
  SSL_KEYSTORE: 'keystore',
} as const

export const toConfigurationKey = (
  version: string,
  type: keyof typeof typeNames,
  group: string | undefined,
): string => `${typeNames[type]} of ${version}${group === undefined ? '' : ` for group "${group}"`}`
