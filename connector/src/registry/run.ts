/** Runs the registry: on its port and no other, for which it waits when it is taken. */
import { hostname } from 'node:os'
import type { Certificates } from '../certs/certificates.ts'
import type { KeystoreSource } from '../keystore/kept.ts'
import { openShowing } from '../keystore/shown.ts'
import { systemClock } from '../readers/clock.ts'
import type { Settings } from '../settings.ts'
import { holderOf } from '../system/holder.ts'
import type { Log } from '../system/log.ts'
import { openOwner } from '../system/open-owner.ts'
import { type Handler, type HttpsServer, listenOn } from '../system/server.ts'
import { userNames } from '../system/user-name.ts'
import { version } from '../version.ts'
import { createAllowlist } from './allowlist.ts'
import { createRegistry } from './app.ts'
import { createDirectory } from './directory.ts'
import { createInquiries } from './inquiries.ts'
import { explainPort } from './port.ts'
import { namesIn } from './served-files.ts'

interface Parts {
  readonly settings: Pick<Settings, 'registryPort' | 'cors'>
  readonly log: Log
  /** undefined: there is no local authority, the keystore stands alone. */
  readonly certificates: Pick<Certificates, 'ensure' | 'onChange'> | undefined
  readonly keystore?: KeystoreSource | undefined
  /** Called with the certificates before they are served. */
  readonly publish: () => Promise<void>
  /** false: a taken port ends it. */
  readonly waits: boolean
}

/** How often a taken port is tried, in milliseconds. */
const againMs = 5000
/** How often the leaf is looked at, in milliseconds: it is renewed weeks before its end. */
const renewalMs = 86_400_000

/** Resolves once it listens; false when the port is taken and it does not wait. Throws when there is no certificate. */
export async function runRegistry(parts: Parts): Promise<boolean> {
  const { settings, log, certificates, keystore, publish } = parts
  const port = settings.registryPort
  const showing = await openShowing({ certificates, keystore, namesIn, log })
  await publish()
  const handler = createHandler(parts, () => showing.now().names)
  let server: HttpsServer | undefined
  showing.onChange(({ materials, names }) => {
    log.info('certificates replaced', { names: [...names].join(' ') })
    publish()
      .catch((error) => log.error('certificate not published', { reason: String(error) }))
      .finally(() => server?.replace(materials))
  })
  setInterval(() => {
    showing
      .renew()
      .catch((error) => log.error('certificate not renewed', { reason: String(error) }))
  }, renewalMs).unref()

  const nameOf = userNames()
  let said: string | undefined
  for (;;) {
    server = listenOn(port, showing.now().materials, handler)
    if (server) break
    const holder = await holderOf(port)
    const user = holder && (await nameOf(holder.user))
    const { what, todo } = explainPort(process.platform, port, 'other-program', holder, user)
    const reason = `${what}: ${todo}`
    if (reason !== said) log.warn('cannot listen', { reason })
    said = reason
    if (!parts.waits) return false
    await Bun.sleep(againMs)
  }
  log.info(`listening on port ${port}`, { port, version })
  return true
}

function createHandler({ settings, log }: Parts, names: () => ReadonlySet<string>): Handler {
  const directory = createDirectory(systemClock)
  const app = createRegistry({
    version,
    hostName: hostname(),
    log,
    now: Date.now,
    names,
    directory,
    inquiries: createInquiries(directory, systemClock, log),
    allowlist: createAllowlist(settings.cors),
    ownerOf: openOwner(),
    nameOf: userNames(),
  })
  return (request, connection) => app.fetch(request, connection)
}
