/** Creates the services from what a runtime provides. */
import { addBreakGlass } from './auth/identity/break-glass.ts'
import { createBrowserSessions } from './auth/identity/browser-sessions.ts'
import { createEmbeddedProvider } from './auth/identity/embedded.ts'
import { createExternalProvider } from './auth/identity/external.ts'
import { createKeyring } from './auth/keys/keyring.ts'
import { createVault } from './auth/keys/vault.ts'
import { addApiClients } from './auth/programs/client-access.ts'
import { createDatabase, createReader, type Driver } from './db/database.ts'
import { measureDriver } from './db/measure-driver.ts'
import { createBuiltinGateway } from './gateway/builtin.ts'
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
  ...given
}: Runtime): Promise<Services> {
  const { settings, metrics } = given
  const measured = metrics ? measureDriver(driver, metrics) : driver
  const db = createDatabase(measured)
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
    gateway: createBuiltinGateway({ db, clock, digest }),
  }
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
