/** Runs the API of this user: listens first, everything slow comes behind. */
import { randomBytes } from 'node:crypto'
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Cards } from '../cards/cards.ts'
import type { Certificates, TlsMaterial } from '../certs/certificates.ts'
import type { ConsentDesk } from '../consent/desk.ts'
import type { Modules } from '../modules/registry.ts'
import { readCertificate } from '../pki/x509.ts'
import type { Readers } from '../readers/readers.ts'
import type { Settings } from '../settings.ts'
import type { Folders } from '../system/folders.ts'
import type { Log } from '../system/log.ts'
import { openOwner } from '../system/open-owner.ts'
import { remembering } from '../system/owner.ts'
import { type HttpsServer, listen } from '../system/server.ts'
import { version } from '../version.ts'
import { createApi } from './app.ts'
import { openPageKey } from './page-key.ts'
import type { Consents, Person, RegistryState } from './services.ts'
import { tokenVerifier } from './tokens.ts'

export interface Parts {
  readonly settings: Settings
  readonly folders: Folders
  readonly log: Log
  readonly person: Person
  readonly certificates: Certificates
  readonly readers: Readers
  readonly cards: Cards
  readonly modules: Modules
  readonly consents: Consents
  readonly desk: ConsentDesk
  readonly registry: () => RegistryState
  /** Makes a certificate for a private key (PKCS#8, PEM), PEM. */
  readonly certify: (privateKey: string) => Promise<string>
}

export interface RunningApi {
  readonly port: number
  /** SPKI, PEM. */
  readonly pageKey: string
  stop(): Promise<void>
}

/** Programs of this user find the API by these two files of the runtime folder. */
export const runtimeFiles = { token: 'management-token', port: 'api-port' }

/** How often the leaf is looked at while we run, in milliseconds: it is renewed weeks before its end. */
const renewalMs = 86_400_000

/** Throws when no certificate can be had or no port is free. */
export async function runApi(parts: Parts): Promise<RunningApi> {
  const { settings, folders, log, person, certificates, readers, cards, modules } = parts
  const { consents, desk, registry } = parts
  mkdirSync(folders.runtime, { recursive: true, mode: 0o700 })
  chmodSync(folders.runtime, 0o700)
  if (!settings.localCa) {
    throw new Error('Cannot serve: CARDWIRE_LOCAL_CA is off, and there is no keystore of a service')
  }
  const material = await certificates.ensure()
  const managementToken = randomBytes(32).toString('base64url')
  // The names that are answered are the ones that the leaf carries, also after it changed.
  let names = namesOf(material)
  const pageKey = await openPageKey(folders.runtime, parts.certify)
  const app = createApi({
    settings,
    version,
    log,
    clock: Date.now,
    readers,
    cards,
    modules,
    certificates,
    pageKey,
    tokens: tokenVerifier(settings, Date.now),
    consents,
    desk,
    registry,
    managementToken,
    ownerOf: remembering(openOwner(), Date.now),
    person,
    names: () => names,
    allowlist: () => settings.cors,
  })
  const server: HttpsServer = listen(settings.apiPorts, material, (request, connection) =>
    app.fetch(request, connection),
  )
  const forget = certificates.onChange((changed) => {
    log.info('certificate replaced', { fingerprint: changed.fingerprint })
    names = namesOf(changed)
    server.replace(changed)
  })
  const renewal = setInterval(() => {
    certificates
      .ensure()
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
      await server.stop()
    },
  }
}

const namesOf = ({ cert }: TlsMaterial): ReadonlySet<string> => new Set(readCertificate(cert).names)

function writeRuntimeFile(path: string, text: string): void {
  writeFileSync(path, text, { mode: 0o600 })
  // The mode above counts only for a file that was not there.
  chmodSync(path, 0o600)
}
