/** Everything that is sealed with DS_SECRET. Rotating the secret follows this list, so nothing else may be sealed. */
import {
  administrators,
  apiKeys,
  browserSessions,
  configurations,
  revisions,
  signingKeys,
  useKeys,
  versions,
  webhooks,
} from '../../db/schema.ts'

declare const isSealedRow: unique symbol
/** What a sealed text belongs to: it cannot be opened for another row. Only this file makes one. */
export type SealedRow = string & { readonly [isSealedRow]: true }

const toSealedRow = (text: string) => text as SealedRow

const toWebhookRow = (id: string) => toSealedRow(`webhook ${id}`)

/** The columns with sealed texts, and what each is sealed for: `key`. With `rest`, where there is one, it is the primary key of the table. */
export const sealed = {
  signingKey: {
    title: 'signing keys',
    table: signingKeys,
    key: signingKeys.id,
    column: signingKeys.privateKey,
    toRow: toSealedRow,
  },
  keystorePassword: {
    title: 'keystore passwords',
    table: configurations,
    key: configurations.id,
    column: configurations.secret,
    toRow: toSealedRow,
  },
  earlierKeystorePassword: {
    title: 'keystore passwords of earlier revisions',
    table: revisions,
    key: revisions.id,
    // With the configuration's id, these name the row: it is sealed as it was in the configuration.
    rest: [revisions.kind, revisions.revision],
    column: revisions.secret,
    toRow: toSealedRow,
  },
  installationKey: {
    title: 'installation keys',
    table: versions,
    key: versions.id,
    column: versions.wrappedKey,
    toRow: (version: string) => toSealedRow(`installation key of ${version}`),
  },
  apiKey: {
    title: 'API keys for gateways',
    table: apiKeys,
    key: apiKeys.hash,
    column: apiKeys.sealed,
    toRow: (hash: string) => toSealedRow(`API key ${hash}`),
  },
  secondFactor: {
    title: 'second factors',
    table: administrators,
    key: administrators.name,
    column: administrators.totpSecret,
    toRow: (name: string) => toSealedRow(`second factor of ${name}`),
  },
  externalTokens: {
    title: 'sessions of the external identity provider',
    table: browserSessions,
    key: browserSessions.id,
    column: browserSessions.tokens,
    toRow: toSealedRow,
  },
  webhookSecret: {
    title: 'secrets of webhooks',
    table: webhooks,
    key: webhooks.id,
    column: webhooks.secret,
    toRow: toWebhookRow,
  },
  replacedWebhookSecret: {
    title: 'replaced secrets of webhooks',
    table: webhooks,
    key: webhooks.id,
    // As it was sealed before it was replaced.
    column: webhooks.previousSecret,
    toRow: toWebhookRow,
  },
  monthKey: {
    title: 'keys of months with unique devices',
    table: useKeys,
    key: useKeys.month,
    column: useKeys.key,
    toRow: (month: string) => toSealedRow(`unique devices of ${month}`),
  },
} as const

/** The only one that no database has: the cookie of a login at the external provider, which lasts minutes. */
export const loginTransaction = toSealedRow('login at the identity provider')
