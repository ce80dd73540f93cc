/** Provides the keystore that a policy names: the current one when that is it, or else one that is fetched, opened and stored. */
import type { Keystore as KeystoreReference } from '@cardwire/protocol/sync'
import { KeystoreRefused } from '../../../../pkcs12/keystore-refused.ts'
import type { Log } from '../../system/log.ts'
import type { Identity } from '../client/identity.ts'
import type { HttpTransport } from '../client/transport.ts'
import type { SyncSession } from '../sync/session.ts'
import { fetchKeystore } from './fetch-keystore.ts'
import { readKeystoreFile, type StoredKeystore, writeKeystoreFile } from './keystore-file.ts'
import type { rememberRefusals } from './remember-refusals.ts'

interface ProvideOptions {
  readonly runtime: string
  readonly dsUrl: string
  readonly transport: HttpTransport
  readonly send: SyncSession['send']
  readonly decrypt: Identity['decrypt']
  readonly log: Pick<Log, 'info'>
  readonly open: ReturnType<typeof rememberRefusals>
}

/** Throws KeystoreRefused when it may not be used, and other errors when another attempt may succeed. */
export async function provideKeystore(
  reference: KeystoreReference,
  current: StoredKeystore | undefined,
  { runtime, dsUrl, transport, send, decrypt, log, open }: ProvideOptions,
  signal: AbortSignal,
): Promise<StoredKeystore> {
  // When the stored file was altered, the current keystore is still good, but the next start would not have it.
  const stored = current && (await readKeystoreFile(runtime))
  if (current && reference.digest === current.digest && stored?.digest === current.digest) {
    return current
  }
  const { bytes, digest } = await fetchKeystore(reference, { dsUrl, transport, send })
  signal.throwIfAborted()
  if (digest === current?.digest && digest === stored?.digest) return current
  const password = await decrypt(reference.password).catch(() => {
    throw new KeystoreRefused('its password was not encrypted to this device')
  })
  // Without a digest of the service, a MAC with its password shows that the file comes from its administrator.
  const request = { file: bytes, password, needsMac: reference.digest === undefined }
  const next = { ...(await open(request, digest, signal)), digest }
  signal.throwIfAborted()
  await writeKeystoreFile(runtime, next)
  log.info('keystore in force', { digest, names: next.names.join(' ') })
  return next
}
