/** Reads which keys work, with what gateways need to have copies of them. */
import { and, eq, exists, type SQL } from 'drizzle-orm'
import type { Database } from '../db/database.ts'
import { apiKeys, consumers, labels, versions } from '../db/schema.ts'
import type { Clock, Digest } from '../ports.ts'
import { works } from './builtin-keys.ts'
import type { Consumer } from './gateway.ts'
import type { OwnConsumer } from './mirror.ts'
import { nameHash } from './names.ts'

export interface WorkingKeyParts {
  readonly db: Database
  readonly clock: Clock
  readonly digest: Digest
  /** Opens a key that was sealed for its hash. */
  readonly open: (sealed: string, hash: string) => Promise<string>
}

/** A consumer with its keys; undefined when it, or its version or label, is gone. */
export async function readOwnConsumer(
  parts: WorkingKeyParts,
  { kind, id }: Consumer,
): Promise<OwnConsumer | undefined> {
  const [found] = await readOwnConsumers(parts, and(eq(consumers.kind, kind), eq(consumers.id, id)))
  return found
}

export async function readOwnConsumers(
  { db, clock, digest, open }: WorkingKeyParts,
  where?: SQL,
): Promise<readonly OwnConsumer[]> {
  const hasOwner = (kind: Consumer['kind'], owner: typeof labels | typeof versions) =>
    and(
      eq(consumers.kind, kind),
      exists(db.select({ id: owner.id }).from(owner).where(eq(owner.id, consumers.id))),
      where,
    )
  const select = (kind: Consumer['kind'], owner: typeof labels | typeof versions) =>
    db
      .select({
        id: consumers.id,
        hash: apiKeys.hash,
        sealed: apiKeys.sealed,
        expiresAt: apiKeys.expiresAt,
      })
      .from(consumers)
      .leftJoin(
        apiKeys,
        and(eq(apiKeys.kind, consumers.kind), eq(apiKeys.consumerId, consumers.id), works(clock())),
      )
      .where(hasOwner(kind, owner))
  const read = async (kind: Consumer['kind'], owner: typeof labels | typeof versions) => {
    const rows = await select(kind, owner)
    return Promise.all(
      [...Map.groupBy(rows, ({ id }) => id)].map(async ([id, keys]) => ({
        consumer: { kind, id },
        keys: await Promise.all(
          keys
            .flatMap(({ hash, sealed, expiresAt }) => (hash ? [{ hash, sealed, expiresAt }] : []))
            .map(async ({ hash, sealed, expiresAt }) => ({
              id: await nameHash(digest, hash),
              key: sealed === null ? undefined : await open(sealed, hash),
              expiresAt: expiresAt ?? undefined,
            })),
        ),
      })),
    )
  }
  return [...(await read('application', labels)), ...(await read('registration', versions))]
}
