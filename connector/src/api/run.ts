/** Runs the API of this user: listens first, everything slow comes behind. */
import { randomBytes } from 'node:crypto'
import { chmodSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Cards } from '../cards/cards.ts'
import type { Certificates } from '../certs/certificates.ts'
import type { ConsentDesk } from '../consent/desk.ts'
import type { Counters } from '../counters/counters.ts'
import type { KeystoreSource } from '../keystore/kept.ts'
import { openShowing } from '../keystore/shown.ts'
import type { Modules } from '../modules/registry.ts'
import { readCertificate } from '../pki/certificate.ts'
import type { Readers } from '../readers/readers.ts'
import type { Settings } from '../settings.ts'
import type { Folders } from '../system/folders.ts'
import type { Log } from '../system/log.ts'
import { openOwner } from '../system/open-owner.ts'
import { type HttpsServer, listen } from '../system/server.ts'
import { version } from '../version.ts'
import { createApi } from './app.ts'
import { openPageKey } from './page-key.ts'
import type { Consents, Distribution, Person, RegistryState } from './services.ts'
import { type TokenAuthority, tokenVerifier } from './tokens.ts'

export interface Parts {
  readonly settings: Settings
  readonly folders: Folders
  readonly log: Log
  readonly person: Person
  readonly certificates: Certificates
  /** undefined: no service could have one. */
  readonly keystore: KeystoreSource | undefined
  readonly readers: Readers
  readonly cards: Cards
  readonly modules: Modules
  readonly counters: Counters
  readonly consents: Consents
  readonly desk: ConsentDesk
  readonly registry: () => RegistryState
  /** The origins whose pages may ask, whose tokens count, and who decides that. */
  readonly allowlist: () => readonly string[]
  readonly onAllowlist: (listener: () => void) => () => void
  readonly authority: TokenAuthority
  readonly distribution: Distribution | undefined
  /** Makes a certificate for a private key (PKCS#8, PEM), PEM. */
  readonly certify: (privateKey: string) => Promise<string>
}

export interface RunningApi {
  readonly port: number
  /** SPKI, PEM. */
  readonly pageKey: string
  stop(): Promise<void>
}

/** Programs of this user find the API by these two files of the runtime folder, while it runs. */
export const runtimeFiles = { token: 'management-token', port: 'api-port' }

/** How often the leaf is looked at while we run, in milliseconds: it is renewed weeks before its end. */
const renewalMs = 86_400_000

/** Throws when no certificate can be had or no port is free. */
export async function runApi(parts: Parts): Promise<RunningApi> {
  const { settings, folders, log, person, certificates, keystore } = parts
  const { readers, cards, modules, counters } = parts
  const { consents, desk, registry, allowlist, onAllowlist, authority, distribution } = parts
  mkdirSync(folders.runtime, { recursive: true, mode: 0o700 })
  chmodSync(folders.runtime, 0o700)
  const showing = await openShowing({
    certificates: settings.localCa ? certificates : undefined,
    keystore,
    namesIn: (pem) => readCertificate(pem).names,
    log,
  })
  const managementToken = randomBytes(32).toString('base64url')
  const pageKey = await openPageKey(folders.runtime, parts.certify)
  const app = createApi({
    settings,
    version,
    log,
    clock: Date.now,
    readers,
    cards,
    modules,
    counters,
    certificates,
    pageKey,
    tokens: tokenVerifier(settings.jwtRequired, authority, Date.now),
    consents,
    desk,
    registry,
    managementToken,
    ownerOf: openOwner(),
    person,
    // Those of the certificates that are shown, also after they changed.
    names: () => showing.now().names,
    allowlist,
    onAllowlist,
    distribution,
  })
  const server: HttpsServer = listen(
    settings.apiPorts,
    showing.now().materials,
    (request, connection) => app.fetch(request, connection),
  )
  const forget = showing.onChange(({ materials, names }) => {
    log.info('certificates replaced', { names: [...names].join(' ') })
    server.replace(materials)
  })
  const renewal = setInterval(() => {
    showing
      .renew()
      .catch((error) => log.error('certificate not renewed', { reason: String(error) }))
  }, renewalMs)
  renewal.unref()
  writeRuntimeFile(join(folders.runtime, runtimeFiles.token), managementToken)
  writeRuntimeFile(join(folders.runtime, runtimeFiles.port), String(server.port))
  log.info(`listening on port ${server.port}`, { port: server.port, version })
  return {
    port: server.port,
    pageKey: pageKey.publicKey,
    async stop() {
      forget()
      clearInterval(renewal)
      for (const name of Object.values(runtimeFiles)) {
        rmSync(join(folders.runtime, name), { force: true })
      }
      await server.stop()
    },
  }
}

function writeRuntimeFile(path: string, text: string): void {
  writeFileSync(path, text, { mode: 0o600 })
  // The mode above counts only for a file that was not there.
  chmodSync(path, 0o600)
}
