/** API clients and their credentials: how the API and the administrators' command change them. */
import {
  type ApiClient,
  type ClientCredential,
  clientLimits,
  type NewCredential,
  Problem,
} from '@cardwire/protocol'
import { and, asc, eq, gt, inArray, isNull, ne, or } from 'drizzle-orm'
import type { BatchItem } from 'drizzle-orm/batch'
import { exists, isDistinctFrom, type OperationAudit, selectChangedFields } from '../../db/audit.ts'
import { explainCondition, limitInBatch } from '../../db/batch-conditions.ts'
import { mapConstraintError } from '../../db/constraint-error.ts'
import type { Database } from '../../db/database.ts'
import { apiClientCredentials, apiClients } from '../../db/schema.ts'
import type { Clock, Digest, Random } from '../../ports.ts'
import { bytesToBase64url } from '../../rules/encoding.ts'
import { readPublicKey } from './client-assertion.ts'

interface ApiClientServices {
  readonly db: Database
  readonly clock: Clock
  readonly random: Random
  readonly digest: Digest
}

export type ClientRow = typeof apiClients.$inferSelect
type CredentialRow = typeof apiClientCredentials.$inferSelect

/** What may be changed about a client. */
interface ClientFields {
  readonly role: ApiClient['role']
  readonly description?: string | undefined
  readonly expiresAt?: string | undefined
}

const auditedFields = ['role', 'description', 'expiresAt']

const dayMs = 86_400_000
const secretBytes = 32
/** So that people and scanners recognize a secret that has got somewhere. */
const secretPrefix = 'cwcs_'

export type ApiClients = ReturnType<typeof createApiClients>

export function createApiClients({ db, clock, random, digest }: ApiClientServices) {
  async function describe(rows: readonly ClientRow[]): Promise<ApiClient[]> {
    if (rows.length === 0) return []
    const ids = rows.map(({ id }) => id)
    const credentials = await db
      .select()
      .from(apiClientCredentials)
      .where(inArray(apiClientCredentials.client, ids))
      .orderBy(asc(apiClientCredentials.createdAt), asc(apiClientCredentials.id))
    const byClient = Map.groupBy(credentials, ({ client }) => client)
    return rows.map((row) => toClient(row, byClient.get(row.id) ?? []))
  }

  async function find(id: string): Promise<ApiClient> {
    const [row] = await db.select().from(apiClients).where(eq(apiClients.id, id))
    if (!row) throw createUnknownProblem(id)
    const [described] = await describe([row])
    if (!described) throw createUnknownProblem(id)
    return described
  }

  /** Lets the other secrets of a client expire, where they would work for longer than a rotation allows. */
  function retireOthers(added: CredentialRow, given: NewCredential): BatchItem<'sqlite'>[] {
    if (given.kind !== 'secret' || given.retireOthersInS === undefined) return []
    const expiresAt = added.createdAt + given.retireOthersInS * 1000
    const { client, kind, id, expiresAt: end } = apiClientCredentials
    const others = and(eq(client, added.client), eq(kind, 'secret'), ne(id, added.id))
    const isLater = or(isNull(end), gt(end, expiresAt))
    return [db.update(apiClientCredentials).set({ expiresAt }).where(and(others, isLater))]
  }

  async function createCredential(client: string, given: NewCredential, createdBy: string) {
    const createdAt = clock()
    const row: CredentialRow = {
      ...{ id: random.uuid(), client, kind: given.kind, digest: null, jwk: null, trust: null },
      ...{ expiresAt: null, usedAt: null, createdAt, createdBy },
    }
    if (given.kind === 'secret') {
      const secret = secretPrefix + bytesToBase64url(random.bytes(secretBytes))
      const days = given.days ?? clientLimits.secretDays.default
      const expiresAt = createdAt + days * dayMs
      return { row: { ...row, digest: await digest(secret), expiresAt }, secret }
    }
    if (given.kind === 'key') {
      const thumbprint = await readPublicKey(given.jwk)
      if (thumbprint === undefined) throw createKeyProblem()
      return { row: { ...row, jwk: given.jwk, digest: thumbprint } }
    }
    const { kind: _, ...trust } = given
    return { row: { ...row, trust } }
  }

  return {
    describe,
    /** Throws `api-client-unknown`. */
    find,
    list: async () => describe(await db.select().from(apiClients).orderBy(asc(apiClients.id))),
    /** Throws `api-client-taken` and `api-client-limit`. */
    async add(
      audit: OperationAudit,
      { id, role, description, expiresAt }: ClientFields & { readonly id: string },
    ): Promise<ApiClient> {
      const now = clock()
      const row: ClientRow = {
        ...{ id, role, description: description ?? null, expiresAt: toTime(expiresAt) },
        ...{ usedAt: null, createdAt: now, updatedAt: now },
      }
      const write = db.batch([
        audit.createEntry('api-client', id, auditedFields).toStatement(),
        db.insert(apiClients).values(row),
        limitInBatch(db, apiClients, undefined, clientLimits.clients),
      ])
      await explainCondition(
        mapConstraintError(write, () => createTakenProblem(id)),
        () => createLimitProblem(`add "${id}"`, `${clientLimits.clients} API clients`),
      )
      return find(id)
    },
    async change(audit: OperationAudit, id: string, given: ClientFields): Promise<ApiClient> {
      const { role } = given
      const description = given.description ?? null
      const expiresAt = toTime(given.expiresAt)
      const mine = eq(apiClients.id, id)
      const fields = selectChangedFields(apiClients, mine, {
        role: isDistinctFrom(apiClients.role, role),
        description: isDistinctFrom(apiClients.description, description),
        expiresAt: isDistinctFrom(apiClients.expiresAt, expiresAt),
      })
      await db.batch([
        audit.createEntry('api-client', id, fields).toStatement(exists(apiClients, mine)),
        db.update(apiClients).set({ role, description, expiresAt, updatedAt: clock() }).where(mine),
      ])
      return find(id)
    },
    async remove(audit: OperationAudit, id: string): Promise<void> {
      const mine = eq(apiClients.id, id)
      const [, [removed]] = await db.batch([
        audit.createEntry('api-client', id, auditedFields).toStatement(exists(apiClients, mine)),
        db.delete(apiClients).where(mine).returning(),
      ])
      if (!removed) throw createUnknownProblem(id)
    },
    /** A secret that it makes is in no other answer. */
    async addCredential(
      audit: OperationAudit,
      id: string,
      given: NewCredential,
    ): Promise<ClientCredential & { readonly secret?: string }> {
      await find(id)
      const { row, secret } = await createCredential(id, given, audit.author.name)
      const mine = eq(apiClientCredentials.client, id)
      const statements: readonly BatchItem<'sqlite'>[] = [
        audit.createEntry('api-client', id, [row.kind, 'added']).toStatement(),
        db.insert(apiClientCredentials).values(row),
        ...retireOthers(row, given),
        limitInBatch(db, apiClientCredentials, mine, clientLimits.credentials),
      ]
      const write = db.batch(statements as [BatchItem<'sqlite'>])
      await explainCondition(
        mapConstraintError(write, () => createUnknownProblem(id)),
        () =>
          createLimitProblem(
            `add a credential to "${id}"`,
            `${clientLimits.credentials} credentials, remove one of them`,
          ),
      )
      return { ...toCredential(row), ...(secret !== undefined && { secret }) }
    },
    async removeCredential(
      audit: OperationAudit,
      id: string,
      credential: string,
    ): Promise<ApiClient> {
      const mine = and(eq(apiClientCredentials.client, id), eq(apiClientCredentials.id, credential))
      const { kind } = (await find(id)).credentials.find((one) => one.id === credential) ?? {}
      const [, [removed]] = await db.batch([
        audit
          .createEntry('api-client', id, [kind ?? 'credential', 'removed'])
          .toStatement(exists(apiClientCredentials, mine)),
        db.delete(apiClientCredentials).where(mine).returning(),
      ])
      const client = await find(id)
      if (removed) return client
      throw new Problem(
        'api-client-unknown',
        `Cannot find credential "${credential}": "${id}" has none with this ID`,
      )
    },
  }
}

const toTime = (text: string | undefined) => (text === undefined ? null : Date.parse(text))
const toIso = (time: number) => new Date(time).toISOString()

const toClient = (row: ClientRow, credentials: readonly CredentialRow[]): ApiClient => ({
  ...{ id: row.id, role: row.role },
  ...(row.description !== null && { description: row.description }),
  ...(row.expiresAt !== null && { expiresAt: toIso(row.expiresAt) }),
  ...(row.usedAt !== null && { lastUsedAt: toIso(row.usedAt) }),
  ...{ createdAt: toIso(row.createdAt), updatedAt: toIso(row.updatedAt) },
  credentials: credentials.map(toCredential),
})

function toCredential(row: CredentialRow): ClientCredential {
  const { id, kind, digest, trust, expiresAt, usedAt, createdAt, createdBy } = row
  return {
    ...{ id, kind, createdAt: toIso(createdAt), createdBy },
    ...(expiresAt !== null && { expiresAt: toIso(expiresAt) }),
    ...(usedAt !== null && { lastUsedAt: toIso(usedAt) }),
    ...(kind === 'key' && digest !== null && { thumbprint: digest }),
    ...(trust && { ...trust, claims: trust.claims && { ...trust.claims } }),
  }
}

const createTakenProblem = (id: string) =>
  new Problem('api-client-taken', `Cannot add "${id}": the API client exists already`)

const createUnknownProblem = (id: string) =>
  new Problem('api-client-unknown', `Cannot find "${id}": there is no such API client`)

const createLimitProblem = (act: string, limit: string) =>
  new Problem('api-client-limit', `Cannot ${act}: there are already ${limit}`)

const createKeyProblem = () =>
  new Problem(
    'input-invalid',
    'Cannot add the key: "jwk": expected a public key EC P-256 or P-384, Ed25519, or RSA of 2048 bits or more',
    { errors: [{ path: 'jwk', message: 'expected a public key of a supported kind' }] },
  )
