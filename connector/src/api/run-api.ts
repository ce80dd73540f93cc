/** Runs the API of this user: it listens first, slow work follows. */
import { randomBytes } from 'node:crypto'
import { chmodSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openServedCertificates } from '../certificates/served-certificates.ts'
import type { KeystoreSource } from '../distribution/keystore/keystore-file.ts'
import type { TokenAuthority } from '../distribution/token-authority.ts'
import { readCertificate } from '../pki/certificate.ts'
import { limitConnections } from '../system/connection-limit.ts'
import type { Folders } from '../system/folders.ts'
import { openPeerOwner } from '../system/open-peer-owner.ts'
import { logLostAddress } from '../system/port-holder.ts'
import { type HttpsServer, listen } from '../system/server.ts'
import { version } from '../version.ts'
import type { ApiServices } from './api-services.ts'
import { createApi } from './app.ts'
import { type Certify, openDeviceEncryptionKey } from './device-encryption-key.ts'
import { logPortOutsideRange } from './port-range.ts'
import { createTokenVerifier } from './token-verifier.ts'

/** What the API makes for itself, from its options. */
type OwnServices =
  | 'version'
  | 'clock'
  | 'deviceEncryptionKey'
  | 'tokens'
  | 'managementToken'
  | 'ownerOf'
  | 'names'
  | 'findPolicyEnd'

export interface ApiOptions extends Omit<ApiServices, OwnServices> {
  readonly folders: Folders
  /** undefined: without a distribution service there is none. */
  readonly keystore: KeystoreSource | undefined
  /** Calls back when the clock has jumped, or is right again: certificates may have to be renewed. */
  readonly onClockChange: (listener: () => void) => void
  /** Whose tokens are accepted. */
  readonly authority: TokenAuthority
  readonly certify: Certify
}

export interface RunningApi {
  readonly port: number
  /** SPKI, PEM. */
  readonly deviceEncryptionKey: string
  stop(): Promise<void>
}

/** The files of the runtime folder by which programs of this user find the API while it runs. */
export const runtimeFiles = { token: 'management-token', port: 'api-port' }

/** Connections: other accounts get a refusal, and the memory of no more. */
const connectionLimit = { own: Number.POSITIVE_INFINITY, other: 16, others: 64 }

/** How often the leaf's end is checked, in milliseconds: it is renewed weeks before. */
const renewalCheckMs = 86_400_000

/** Throws without a certificate, and when no port is free. */
export async function runApi(options: ApiOptions): Promise<RunningApi> {
  const { folders, keystore, onClockChange, authority, certify, ...services } = options
  const { settings, log, certificates, distribution } = services
  mkdirSync(folders.runtime, { recursive: true, mode: 0o700 })
  chmodSync(folders.runtime, 0o700)
  const served = await openServedCertificates({
    certificates: settings.localCa ? certificates : undefined,
    keystore,
    namesIn: (pem) => readCertificate(pem).names,
    log,
  })
  const managementToken = randomBytes(32).toString('base64url')
  const deviceEncryptionKey = await openDeviceEncryptionKey({
    runtime: folders.runtime,
    certify,
    log,
  })
  const app = createApi({
    ...services,
    version,
    clock: Date.now,
    deviceEncryptionKey,
    tokens: createTokenVerifier(settings.jwtRequired, authority, Date.now),
    managementToken,
    ownerOf: openPeerOwner(),
    // Read for each request, because the certificates can change.
    names: () => served.current().names,
    findPolicyEnd: () => distribution?.findPolicyEnd(),
  })
  const server: HttpsServer = listen(
    settings.apiPorts,
    served.current().certificates,
    (request, connection) => app.fetch(request, connection),
    logLostAddress(log),
  )
  const stopLimit = limitConnections({ port: server.port, limit: connectionLimit, log })
  const unsubscribe = served.onChange(({ certificates, names }) => {
    log.info('certificates replaced', { names: [...names].join(' ') })
    server.replaceCertificates(certificates)
  })
  const stopRenewal = renewRegularly(
    () => Promise.all([served.renew(), deviceEncryptionKey.renewCertificate()]),
    { onClockChange, log },
  )
  const removeRuntimeFiles = writeRuntimeFiles(folders.runtime, managementToken, server.port)
  log.info(`listening on port ${server.port}`, { port: server.port, version })
  void logPortOutsideRange(server.port, settings.apiPorts, log)
  return {
    port: server.port,
    deviceEncryptionKey: deviceEncryptionKey.publicKey,
    async stop() {
      unsubscribe()
      stopLimit()
      stopRenewal()
      removeRuntimeFiles()
      await server.stop()
    },
  }
}

/** Renews once a day, and whenever the clock has changed. Returns what ends it. */
function renewRegularly(
  renew: () => Promise<unknown>,
  { onClockChange, log }: Pick<ApiOptions, 'onClockChange' | 'log'>,
): () => void {
  const renewAndLog = () => {
    renew().catch((error) => log.error('certificate not renewed', { reason: String(error) }))
  }
  const renewal = setInterval(renewAndLog, renewalCheckMs)
  renewal.unref()
  onClockChange(renewAndLog)
  return () => clearInterval(renewal)
}

/** Returns what removes them again. */
function writeRuntimeFiles(runtime: string, managementToken: string, port: number): () => void {
  writeRuntimeFile(join(runtime, runtimeFiles.token), managementToken)
  writeRuntimeFile(join(runtime, runtimeFiles.port), String(port))
  return () => {
    for (const name of Object.values(runtimeFiles)) rmSync(join(runtime, name), { force: true })
  }
}

function writeRuntimeFile(path: string, text: string): void {
  writeFileSync(path, text, { mode: 0o600 })
  // The mode above applies only to a new file.
  chmodSync(path, 0o600)
}
