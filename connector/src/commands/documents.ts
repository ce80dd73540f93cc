/** What each command prints with `--json`, as schemas: the one definition of these documents. */
import {
  CertificateDomainStatus,
  CertificateStatus,
  installCertificates,
  renewCertificates,
  setCertificateHosts,
  uninstallCertificates,
} from '@cardwire/client/protocol/certificate'
import { SyncState } from '@cardwire/client/protocol/connector-sync'
import { CardService, Reader } from '@cardwire/client/protocol/reader'
import { Offer, Verdict } from '@cardwire/client/protocol/sync'
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
  usedAt: time.check(z.describe('When a page used it last')),
  identity: list(text).check(
    z.describe('Modules whose identity data the user lets pages of this origin read'),
  ),
  folders: list(z.object({ entity: text, type: text, path: text })).check(
    z.describe('Folders that the user has chosen, whose files its pages may read and write'),
  ),
  managedFolders: list(z.object({ entity: text, type: text, path: text })).check(
    z.describe(
      'Folders that an administrator has given them: only an administrator takes one back',
    ),
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
    time: time.check(z.describe('When this was so; with --watch there is a line for each change')),
    cardService: CardService,
    readers: list(Reader),
  }),
  status: z.object({
    state: z
      .enum(['running', 'stopped', 'unresponsive'])
      .check(z.describe('unresponsive: it runs, and does not answer')),
    reason: z.optional(text).check(z.describe('Why it is not running, or does not answer')),
    remedy: z.optional(text),
    address: z.optional(text).check(z.describe('Where it listens, while it runs')),
    version: z.optional(text),
    cardService: z.optional(CardService),
    readers: z.optional(z.int()).check(z.describe('How many are connected')),
    registry: z.optional(RegistryConnection),
    consents: z.int().check(z.describe('How many origins have a consent')),
    sync: SyncState,
    machine: z
      .optional(MachineState)
      .check(z.describe('The registry of the machine, where a service manages it')),
    updateOffers: z
      .optional(z.literal('off'))
      .check(z.describe('CARDWIRE_UPDATE is off: no window offers an update')),
  }),
  settings: z.object({
    settings: list(
      z.object({
        name: text,
        value: text.check(z.describe('As text; of a secret that it is set')),
        source: text.check(z.describe('default, environment, flag, or where it is written')),
      }),
    ),
    unread: list(z.object({ source: text, reason: text })).check(
      z.describe('Where settings may be that this account cannot read'),
    ),
  }),
  open: z.object({
    address: text.check(z.describe('Of the page; it works once, and for this account')),
    validMs: z.int().check(z.describe('For how many milliseconds it works')),
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
      z.describe('What stays, and how it goes'),
    ),
  }),
  consents: z.object({
    consents: list(Consent).check(z.describe('The newest of each origin')),
  }),
  'consents revoke': z.object({ revoked: z.int().check(z.describe('How many were revoked')) }),
  'registry status': z.extend(z.partial(MachineState), {
    managed: z.boolean().check(z.describe('false: no service manages it, or it has not run yet')),
  }),
  'certs status': z
    .union([CertificateStatus, CertificateDomainStatus])
    .check(z.describe('The second form is the answer about one name')),
  'certs install': z.object({ trust: installCertificates.reply.schema }),
  'certs untrust': z.object({ trust: installCertificates.reply.schema }),
  'certs renew': renewCertificates.reply.schema,
  'certs hosts': setCertificateHosts.reply.schema,
  'certs uninstall': uninstallCertificates.reply.schema,
  sync: z.extend(SyncState, {
    synchronized: z.boolean().check(z.describe('Whether this command synced')),
    remedy: z.optional(text).check(z.describe('What to do when it did not')),
  }),
  update: z.object({
    version: text.check(z.describe('The version that asks')),
    action: z.optional(Verdict.shape.action).check(z.describe('Absent when it is not known')),
    offer: z.optional(Offer).check(z.describe('What there is to install')),
    reason: z.optional(text).check(z.describe('Why there is no offer')),
  }),
  doctor: z.object({
    findings: list(Finding),
    wrong: z.int().check(z.describe('How many findings are bad')),
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
