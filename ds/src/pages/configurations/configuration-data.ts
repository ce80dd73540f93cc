/** What the pages of configurations share: addresses and names. */
import type { ConfigurationType } from '@cardwire/client/protocol'

export const toConfigurationAddress = (id: string): string =>
  `configurations/${encodeURIComponent(id)}`

/** What people call the types. */
export const configurationNames: Readonly<Record<ConfigurationType, string>> = {
  CONTEXT_CONFIG: 'Allowlist and cards',
  FILE_DIGESTS: 'File digests',
  SSL_KEYSTORE: 'Keystore',
}
