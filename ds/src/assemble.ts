/** Creates the services from what a runtime provides. */
import { addBreakGlass } from './auth/identity/break-glass.ts'
import { createBrowserSessions } from './auth/identity/browser-sessions.ts'
import { createEmbeddedProvider } from './auth/identity/embedded.ts'
import { createExternalProvider } from './auth/identity/external.ts'
import { createKeyring } from './auth/keys/keyring.ts'
import { sealed } from './auth/keys/sealed.ts'
import { createVault, type Vault } from './auth/keys/vault.ts'
import { addApiClients } from './auth/programs/client-access.ts'
import { createDatabase, createReader, type Driver } from './db/database.ts'
import { logAudit } from './db/log-audit.ts'
import { measureDriver } from './db/measure-driver.ts'
import { createBuiltinGateway } from './gateway/builtin.ts'
import { copyChanges, createKeyCopies, type KeyCopies, type Schedule } from './gateway/copy-keys.ts'
import type { Gateway } from './gateway/gateway.ts'
import { createKongTarget } from './gateway/kong/admin-api.ts'
import { openKeystore as openKeystoreFile } from './packages/open-keystore.ts'
import { createFileCheck } from './packages/registered-files.ts'
import type { Clock, Digest, OpenKeystore, Passwords, Random } from './ports.ts'
import { bytesToHex } from './rules/encoding.ts'
import type { Services } from './services.ts'

/** What a runtime provides: the services that differ, and what the others are created from. */
export interface Runtime
  extends Pick<
    Services,
    | 'settings'
    | 'url'
    | 'packages'
    | 'keystores'
    | 'limits'
    | 'postWebhook'
    | 'log'
    | 'metrics'
    | 'readDocument'
    | 'getPeerAddress'
    | 'allowLongBody'
    | 'holdResponse'
    | 'checkIntegrity'
    | 'stopping'
    | 'runInBackground'
  > {
  readonly driver: Driver
  /** 32 bytes, from which the keys that wrap secrets and sign refresh tokens are derived. */
  readonly secret: Uint8Array<ArrayBuffer>
  readonly clock?: Clock
  readonly uptime?: Clock
  readonly random?: Random
  readonly digest?: Digest
  readonly openKeystore?: OpenKeystore
  /** Absent on Workers, which keep no copies of keys at gateways. */
  readonly schedule?: Schedule
  /** Limited: each hash takes 32 MiB, and blocks a Worker. */
  readonly passwords: Passwords
}

export async function assembleServices({
  driver,
  secret,
  clock = Date.now,
  uptime = () => performance.now(),
  random = webRandom,
  digest = digestWithWebCrypto,
  openKeystore = openKeystoreFile,
  passwords,
  schedule,
  ...given
}: Runtime): Promise<Services> {
  const { settings, metrics } = given
  const measured = metrics ? measureDriver(driver, metrics) : driver
  const db = createDatabase(settings.logAudit ? logAudit(measured, given) : measured)
  const vault = await createVault(secret, random)
  const keyring = createKeyring({ db, clock, vault, settings })
  const reader = createReader(measured)
  const { packages, keystores, log } = given
  const base = {
    ...given,
    db,
    reader,
    checkFiles: createFileCheck({ reader, packages, keystores, clock, log }),
    clock,
    uptime,
    random,
    digest,
    openKeystore,
    vault,
    keyring,
    passwords,
    browserSessions: createBrowserSessions({ db, clock, random, digest }),
  }
  return {
    ...base,
    identity: addApiClients(base, createIdentityProvider(base, settings)),
    gateway: createGateway({ ...base, schedule }),
  }
}

interface GatewayParts extends Pick<Services, 'settings' | 'db' | 'clock' | 'digest' | 'log'> {
  readonly vault: Vault
  readonly schedule?: Schedule | undefined
}

/** The copies of the keys at other gateways; undefined: the settings name none. */
export function createCopies({
  settings,
  vault,
  schedule,
  ...parts
}: GatewayParts): KeyCopies | undefined {
  const { kong, gatewayTag: tag } = settings
  if (kong === undefined) return undefined
  const open = (text: string, hash: string) => vault.unwrap(text, sealed.apiKey.toRow(hash))
  const targets = [createKongTarget({ settings: kong, tag, clock: parts.clock })]
  return createKeyCopies({ ...parts, tag, targets, open, ...(schedule && { schedule }) })
}

function createGateway(parts: GatewayParts): Gateway {
  const copies = createCopies(parts)
  if (copies === undefined) return createBuiltinGateway(parts)
  const seal = (key: string, hash: string) => parts.vault.wrap(key, sealed.apiKey.toRow(hash))
  copies.start()
  return copyChanges(createBuiltinGateway({ ...parts, seal }), copies)
}

function createIdentityProvider(
  services: Parameters<typeof createEmbeddedProvider>[0] &
    Parameters<typeof createExternalProvider>[0],
  { identity, breakGlassUser }: Services['settings'],
): Services['identity'] {
  if (identity.kind === 'embedded') return createEmbeddedProvider(services)
  const external = createExternalProvider(services, identity)
  return breakGlassUser === undefined ? external : addBreakGlass(services, external, breakGlassUser)
}

/** Random numbers of WebCrypto, which every runtime has. */
export const webRandom: Random = {
  uuid: () => crypto.randomUUID(),
  bytes: (length) => crypto.getRandomValues(new Uint8Array(length)),
}

/** SHA-256 of WebCrypto. */
export const digestWithWebCrypto: Digest = async (content) => {
  const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content
  return bytesToHex(new Uint8Array(await crypto.subtle.digest('SHA-256', bytes)))
}
