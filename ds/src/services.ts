/** The services the app works with. The entries assemble them; nothing else uses the machine or the runtime directly. */
import type { Context } from 'hono'
import type { BrowserSessions } from './auth/identity/browser-sessions.ts'
import type { IdentityProvider } from './auth/identity/provider.ts'
import type { Keyring } from './auth/keys/keyring.ts'
import type { Vault } from './auth/keys/vault.ts'
import type { Database, Reader } from './db/database.ts'
import type { IntegrityCheck } from './db/health-check.ts'
import type { Gateway } from './gateway/gateway.ts'
import type { Packages } from './packages/packages.ts'
import type { CheckFiles } from './packages/registered-files.ts'
import type {
  Background,
  Clock,
  Digest,
  Limits,
  Log,
  Metrics,
  OpenKeystore,
  Passwords,
  PostWebhook,
  Random,
} from './ports.ts'
import type { DocumentFile } from './rules/documents.ts'
import type { Settings } from './settings.ts'

export interface Services {
  readonly settings: Settings
  /** The public address, without a slash at its end. */
  readonly url: string
  readonly db: Database
  /** Reads of any length, for administrators: they hold up nobody. */
  readonly reader: Reader
  /** Absent on Workers, where the platform looks after the database. */
  readonly checkIntegrity?: IntegrityCheck
  readonly clock: Clock
  /** Milliseconds since some moment, by a clock that nobody sets. */
  readonly uptime: Clock
  readonly random: Random
  readonly digest: Digest
  readonly vault: Vault
  readonly keyring: Keyring
  readonly passwords: Passwords
  readonly identity: IdentityProvider
  readonly browserSessions: BrowserSessions
  readonly gateway: Gateway
  /** Installers, which anyone may download. */
  readonly packages: Packages
  /** Only devices of their version get them: they are in another place, so that no address of a package can name one. */
  readonly keystores: Packages
  readonly checkFiles: CheckFiles
  readonly openKeystore: OpenKeystore
  readonly limits: Limits
  readonly postWebhook: PostWebhook
  readonly log: Log
  /** Absent on Deno, and on Workers, where the platform measures. */
  readonly metrics?: Metrics
  /** The text of a document for administrators. Absent on Workers, which have no files. */
  readonly readDocument?: (file: DocumentFile) => Promise<string>
  /** Aborted when this process is told to stop. Absent on Workers, which the platform stops. */
  readonly stopping?: AbortSignal
  /** Absent on Workers, where no work continues after its request. */
  readonly runInBackground?: Background
  /** The address of the peer on the socket; the headers of proxies are not considered yet. */
  readonly getPeerAddress: (context: Context) => string
  /** Lets the body of a request take as long as its handler allows. Absent on Workers, where the platform limits it. */
  readonly allowLongBody?: (context: Context) => void
  /** Lets a response wait as long as its handler does. Absent on Workers, where requests share no memory. */
  readonly holdResponse?: (context: Context) => void
}
