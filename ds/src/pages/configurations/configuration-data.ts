/** What the pages of configurations share: addresses, names, the configuration of a path, its draft. */
import { type Configuration, type ConfigurationType, getConfiguration } from '@cardwire/protocol'
import type { Form } from '../frame/form.ts'
import type { PageContext } from '../frame/page-env.ts'
import { readTexts } from '../frame/texts.ts'
import { readGroupName } from '../groups/group-names.ts'
import { readAllowlist, toAllowlist } from './allowlist-draft.tsx'
import { toCertificateParts } from './certificate.tsx'
import type { Draft } from './draft.ts'
import { readFileDigests, toFileDigests } from './file-digests-draft.tsx'
import { emptyKeystore, readKeystore, toKeystore } from './keystore-draft.tsx'
import { findUnknownParts } from './unknown-parts.ts'

export const configurationsHome = 'configurations'

export const toConfigurationsTrail = () => [
  { to: configurationsHome, text: readTexts().configurations.title },
]

export const toConfigurationAddress = (id: string): string =>
  `configurations/${encodeURIComponent(id)}`

export type ShownConfiguration = Configuration & {
  readonly etag: string | undefined
  /** Where it is for one group only. */
  readonly groupName: string | undefined
}

interface Named {
  readonly type: ConfigurationType
  readonly versionId: string
  /** Where it is for one group only. */
  readonly groupName?: string | undefined
}

/** A text with the group that it is about. */
export const addGroup = (text: string, groupName: string | undefined) =>
  groupName === undefined ? text : `${text} (${groupName})`

/** What it is called: its type, its version and its group. */
export const nameConfiguration = ({ type, versionId, groupName }: Named): string =>
  addGroup(readTexts().configurations.types[type].title(versionId), groupName)

/** The same below the name of its version. */
export const nameInVersion = ({ type, groupName }: Omit<Named, 'versionId'>): string =>
  addGroup(readTexts().configurations.types[type].name, groupName)

/** The configuration that the path names. */
export async function findConfiguration(context: PageContext): Promise<ShownConfiguration> {
  const id = context.req.param('id') ?? ''
  const { data, etag } = await context.var.api.call(getConfiguration, { params: { id } })
  return { ...data, etag, groupName: await readGroupName(context, data.groupId) }
}

/** What is stored, in its form. */
export function toDraft(configuration: Configuration): Draft {
  if (configuration.type === 'CONTEXT_CONFIG') return toAllowlist(configuration.config)
  if (configuration.type === 'FILE_DIGESTS') return toFileDigests(configuration.config)
  return toKeystore(configuration.config)
}

/** What is stored, for people; of a keystore also its certificate, which no form has. */
export function describeConfiguration(configuration: Configuration): Draft['words'] {
  if (findUnknownParts(configuration).length > 0)
    return [{ label: 'JSON', text: JSON.stringify(configuration.config, undefined, 2) }]
  const { words } = toDraft(configuration)
  if (configuration.type !== 'SSL_KEYSTORE') return words
  return [...words, ...toCertificateParts(configuration.config)]
}

/** An empty form of a type. */
export function createDraft(type: ConfigurationType): Draft {
  if (type === 'CONTEXT_CONFIG') return toAllowlist({ cors: [] })
  return type === 'FILE_DIGESTS' ? toFileDigests({ files: [] }) : emptyKeystore()
}

/** What was typed; `stored`: what it is to replace. */
export function readDraft(type: ConfigurationType, form: Form, stored?: Configuration): Draft {
  if (type === 'CONTEXT_CONFIG') return readAllowlist(form)
  if (type === 'FILE_DIGESTS') return readFileDigests(form)
  return readKeystore(form, stored?.type === 'SSL_KEYSTORE' ? stored.config : undefined)
}
