/** Makes the services out of what a runtime brings. */
import { embeddedProvider } from './auth/embedded.ts'
import { externalProvider } from './auth/external.ts'
import { createKeyring } from './auth/keyring.ts'
import { scryptPasswords } from './auth/password.ts'
import { createVault } from './auth/vault.ts'
import { type Driver, database } from './db/database.ts'
import { builtinGateway } from './gateway/builtin.ts'
import type { Clock, Digest, Passwords, Random, Services } from './services.ts'

/** The services that differ from runtime to runtime, and what the others are made of. */
export interface Runtime
  extends Pick<
    Services,
    'settings' | 'url' | 'packages' | 'limits' | 'log' | 'metrics' | 'viewer' | 'peer'
  > {
  readonly driver: Driver
  /** 32 bytes: the root of every key that wraps or signs for the service itself. */
  readonly secret: Uint8Array<ArrayBuffer>
  readonly clock?: Clock
  readonly digest?: Digest
  readonly passwords?: Passwords
}

export async function assemble({
  driver,
  secret,
  clock = Date.now,
  digest = webDigest,
  passwords = scryptPasswords(random),
  ...brought
}: Runtime): Promise<Services> {
  const { settings, log } = brought
  const db = database(driver)
  const vault = await createVault(secret, random)
  const keyring = createKeyring({ db, clock, vault, settings })
  const base = { ...brought, db, clock, random, digest, vault, keyring, passwords }
  const identity =
    settings.identity.kind === 'external'
      ? externalProvider(settings.identity, clock, log)
      : embeddedProvider(base)
  return { ...base, identity, gateway: builtinGateway({ db, clock, digest }) }
}

/** Chance as WebCrypto has it, the same on every runtime. */
export const random: Random = {
  uuid: () => crypto.randomUUID(),
  bytes: (length) => crypto.getRandomValues(new Uint8Array(length)),
}

/** SHA-256 as WebCrypto has it. */
const webDigest: Digest = async (content) => {
  const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content
  const digest = await crypto.subtle.digest('SHA-256', bytes)
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('')
}
