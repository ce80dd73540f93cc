/** What each command prints with `--json`, as schemas: the one definition of these documents. */
import {
  CertificateDomainStatus,
  CertificateStatus,
  installCertificates,
  renewCertificates,
  setCertificateHosts,
  uninstallCertificates,
} from '@cardwire/protocol/certificate'
import { SyncState } from '@cardwire/protocol/connector-sync'
import { CardService, Reader } from '@cardwire/protocol/reader'
import { Offer, Verdict } from '@cardwire/protocol/sync'
import * as z from 'zod/mini'
import { findingCodes } from '../languages/finding-codes.ts'
import { MachineState } from '../registry/service/machine-state.ts'

const text = z.string()
const list = <S extends z.ZodMiniType>(schema: S) => z.readonly(z.array(schema))
const time = z.iso.datetime()

const Finding = z.object({
  code: z.enum(findingCodes).check(z.describe('What it is about, for programs')),
  level: z
    .enum(['good', 'note', 'bad'])
    .check(z.describe('note: something is missing that is not needed everywhere')),
  what: text,
  remedy: z.optional(text).check(z.describe('What to do about it')),
})

const Consent = z.object({
  origin: text,
  issuedAt: time,
  expiresAt: time,
  usedAt: time.check(z.describe('When a page last used it')),
  identity: list(text).check(
    z.describe('Modules whose identity data the user allows pages of this origin to read'),
  ),
  folders: list(z.object({ entity: text, type: text, path: text })).check(
    z.describe('Folders that the user has chosen, where its pages can read and write files'),
  ),
  managedFolders: list(z.object({ entity: text, type: text, path: text })).check(
    z.describe('Folders that an administrator has set, and only an administrator can change'),
  ),
})

/** The state of the connection to the registry. */
export const RegistryConnection = z.object({
  state: z.enum(['starting', 'linked', 'absent', 'foreign', 'taken', 'refused']),
  reason: z.optional(text),
})

/** By the command without the name of the program. */
export const commandDocuments = {
  readers: z.object({
    time: time.check(
      z.describe('The time of this state; with --watch, there is a line for each change'),
    ),
    cardService: CardService,
    readers: list(Reader),
  }),
  status: z.object({
    state: z
      .enum(['running', 'stopped', 'unresponsive'])
      .check(z.describe('unresponsive: it is running but not responding')),
    reason: z.optional(text).check(z.describe('Why it is not running or not responding')),
    remedy: z.optional(text),
    address: z.optional(text).check(z.describe('Where it listens, while it runs')),
    version: z.optional(text),
    cardService: z.optional(CardService),
    readers: z.optional(z.int()).check(z.describe('The number of connected readers')),
    registry: z.optional(RegistryConnection),
    consents: z.int().check(z.describe('The number of origins with a consent')),
    sync: SyncState,
    machine: z
      .optional(MachineState)
      .check(z.describe('The registry of the computer, if a service manages it')),
    updateOffers: z
      .optional(z.literal('off'))
      .check(z.describe('CARDWIRE_UPDATE is off, so no window offers an update')),
  }),
  settings: z.object({
    settings: list(
      z.object({
        name: text,
        value: text.check(z.describe('The value as text; for a secret, only that it is set')),
        source: text.check(z.describe('default, environment, flag, or where it is written')),
      }),
    ),
    unread: list(z.object({ source: text, reason: text })).check(
      z.describe('Places that may have settings, but that this user cannot read'),
    ),
  }),
  open: z.object({
    address: text.check(
      z.describe('The URL of the page, which works once, and only for this user'),
    ),
    validMs: z.int().check(z.describe('How many milliseconds the URL works')),
    opened: z.boolean().check(z.describe('Whether a browser was asked to open it')),
  }),
  stop: z.object({
    stopped: z.boolean().check(z.describe('false: there was nothing to stop')),
  }),
  uninstall: z.object({
    dryRun: z.boolean(),
    steps: list(
      z.object({
        what: text,
        state: z.enum(['done', 'planned', 'absent', 'failed']),
        reason: z.optional(text),
        remedy: z.optional(text),
      }),
    ),
    left: list(z.object({ path: text, remedy: text })).check(
      z.describe('What stays, and how to remove it'),
    ),
  }),
  consents: z.object({
    consents: list(Consent).check(z.describe('The newest consent of each origin')),
  }),
  'consents revoke': z.object({
    revoked: z.int().check(z.describe('The number of revoked consents')),
  }),
  'registry status': z.extend(z.partial(MachineState), {
    managed: z
      .boolean()
      .check(z.describe('false: no service manages the registry, or it has not run yet')),
  }),
  'certs status': z
    .union([CertificateStatus, CertificateDomainStatus])
    .check(z.describe('The second form is for one name')),
  'certs install': z.object({ trust: installCertificates.reply.schema }),
  'certs untrust': z.object({ trust: installCertificates.reply.schema }),
  'certs renew': renewCertificates.reply.schema,
  'certs hosts': setCertificateHosts.reply.schema,
  'certs uninstall': uninstallCertificates.reply.schema,
  sync: z.extend(SyncState, {
    synchronized: z.boolean().check(z.describe('Whether this command synced')),
    remedy: z.optional(text).check(z.describe('What to do if it did not')),
  }),
  update: z.object({
    version: text.check(z.describe('The version of this program')),
    action: z.optional(Verdict.shape.action).check(z.describe('Absent if it is not known')),
    offer: z.optional(Offer).check(z.describe('The installer that is offered')),
    reason: z.optional(text).check(z.describe('Why there is no offer')),
  }),
  doctor: z.object({
    findings: list(Finding),
    wrong: z.int().check(z.describe('The number of bad findings')),
    notes: z.int(),
  }),
  version: z.object({ version: text }),
}

export type DocumentName = keyof typeof commandDocuments

export type CommandDocument<N extends DocumentName> = z.input<(typeof commandDocuments)[N]>

/** The line on standard error when a command could not do its work; standard output is then empty. */
export const Failure = z.object({
  description: text,
  remedy: z.optional(text),
  status: z.int().check(z.describe('The exit status')),
})

export const hasDocument = (command: string): command is DocumentName =>
  Object.hasOwn(commandDocuments, command)

/** JSON Schema, draft 2020-12. Later versions may add members, so it does not exclude them. */
export const toCommandSchema = (name: DocumentName): object => ({
  title: `cardwire ${name} --json`,
  ...z.toJSONSchema(commandDocuments[name], {
    io: 'input',
    override: ({ jsonSchema }) => {
      delete jsonSchema.readOnly
      // The format says it; the pattern is long.
      if (jsonSchema.format !== undefined) delete jsonSchema.pattern
    },
  }),
})
