/** What is stored of a configuration, and the names of its fields in the audit. */
import { type Configuration, ConfigurationInput, type ConfigurationPatch } from '@cardwire/protocol'
import { parseInput } from '@cardwire/protocol/hono'
import { type SQL, sql } from 'drizzle-orm'
import { sealed } from '../auth/keys/sealed.ts'
import { selectChangedFields } from '../db/audit.ts'
import type { Database } from '../db/database.ts'
import { configurations } from '../db/schema.ts'
import { mergePatch } from '../rules/merge-patch.ts'
import type { Services } from '../services.ts'
import { type ExamineServices, examineKeystore } from './examine-keystore.ts'

export type Row = typeof configurations.$inferSelect

/** The config without the password, and the password wrapped for the id of its row. */
export type Content = Pick<Row, 'config' | 'secret'> & {
  /** Whether the password is that of the revision before. */
  readonly keepsSecret?: boolean
}

type ContentServices = Pick<Services, 'vault'> & ExamineServices

export const toContent = async (
  services: ContentServices,
  input: ConfigurationInput,
  id: string,
): Promise<Content> => ({
  config:
    input.type === 'SSL_KEYSTORE' ? await examineKeystore(services, input.config) : input.config,
  secret:
    input.type === 'SSL_KEYSTORE'
      ? await services.vault.wrap(input.config.password, sealed.keystorePassword.toRow(id))
      : null,
})

/** The content of a row with a merge patch applied; throws `input-invalid` when it is none of its type any more. */
export async function patchContent(
  services: ContentServices,
  row: Row,
  patch: ConfigurationPatch,
): Promise<Content> {
  const { id, type, versionId } = row
  const hasPassword = 'password' in patch.config
  const before = { id, type, versionId, config: await toPatchedConfig(services, row, patch) }
  // Checked by the same schema as a whole configuration.
  const input = parseInput(ConfigurationInput, mergePatch(before, patch), 'body')
  const content = await toContent(services, input as ConfigurationInput, id)
  return hasPassword ? content : { ...content, secret: row.secret, keepsSecret: true }
}

/** The content of an earlier revision: a keystore is opened again, because its file or the time may be another one by now. */
export async function examineContent(
  services: ContentServices,
  id: string,
  content: Content,
): Promise<Content> {
  const { config, secret } = content
  if (!('uri' in config)) return content
  const password = await unwrapPassword(services, { id, secret })
  return { ...content, config: await examineKeystore(services, { ...config, password }) }
}

const unwrapPassword = async (
  { vault }: Pick<Services, 'vault'>,
  { id, secret }: Pick<Row, 'id' | 'secret'>,
): Promise<string> =>
  secret === null ? '' : vault.unwrap(secret, sealed.keystorePassword.toRow(id))

/**
 * What a patch is applied to. The digest of another file means nothing. Its password is asked for: whether a file that is locked
 * with a guess opens would tell what is stored.
 */
async function toPatchedConfig(
  services: Pick<Services, 'vault'>,
  { id, type, config, secret }: Row,
  patch: ConfigurationPatch,
) {
  if (type !== 'SSL_KEYSTORE' || !('uri' in config)) return config
  const { digest, ...rest } = config
  if ('uri' in patch.config && patch.config.uri !== config.uri) return rest
  const password = await unwrapPassword(services, { id, secret })
  const kept = { ...rest, password }
  return digest === undefined || 'uri' in patch.config ? kept : { ...kept, digest }
}

/** The fields of a configuration of each type, as the audit names them. */
const listFields = (type: Configuration['type']) =>
  ({
    CONTEXT_CONFIG: ['config.cors', 'config.cards'],
    FILE_DIGESTS: ['config.files'],
    SSL_KEYSTORE: ['config.uri', 'config.digest', 'config.password'],
  })[type]

/** Those of one that is new: the words for cards only where there are some. */
export const listNewFields = (type: Row['type'], config: Row['config']) =>
  listFields(type).filter(
    (field) => field !== 'config.cards' || ('cors' in config && config.cards !== undefined),
  )

/** The fields whose new value differs from the stored one. A password that was wrapped again counts as changed. */
export function selectChangedConfigFields(
  { sqlDialect }: Database,
  type: Row['type'],
  { config, secret }: Content,
  where: SQL | undefined,
): SQL {
  const next = JSON.stringify(config)
  const differ = listFields(type).map((field) => {
    if (field === 'config.password')
      return [field, sql`${configurations.secret} is distinct from ${secret}`] as const
    const name = field.replace('config.', '')
    const [now, then] = [configurations.config, next].map((json) => sqlDialect.getField(json, name))
    return [field, sql`${now} is distinct from ${then}`] as const
  })
  return selectChangedFields(configurations, where, Object.fromEntries(differ))
}
