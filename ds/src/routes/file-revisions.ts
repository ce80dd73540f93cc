/** Which revisions name a file: without it they cannot be restored. */
import { and, eq, isNotNull, sql } from 'drizzle-orm'
import type { Reader } from '../db/database.ts'
import { revisions } from '../db/schema.ts'
import { toPackageKey } from '../packages/packages.ts'
import type { Services } from '../services.ts'

const conditions = {
  installer: eq(revisions.kind, 'version'),
  // The other configurations weigh up to 1 MiB each.
  keystore: and(eq(revisions.kind, 'configuration'), eq(revisions.type, 'SSL_KEYSTORE')),
} as const

/** How many revisions are read at once: one may name five addresses of 2,048 characters. */
const revisionsPerPart = 200

/** Returns a function that gives, of these files, the field with the versions of which a kept revision names one, where there are some. */
export async function prepareFileRevisions(
  { reader }: Pick<Services, 'reader'>,
  kind: keyof typeof conditions,
  names: readonly string[],
): Promise<(name: string) => { readonly revisionsOf?: string[] }> {
  const users = new Map(names.map((name) => [name, new Set<string>()]))
  if (users.size > 0) {
    for await (const { id, versionId, value } of readNaming(reader, kind, names))
      for (const uri of listUris(value)) users.get(toPackageKey(uri) ?? '')?.add(versionId ?? id)
  }
  return (name) => {
    const versions = [...(users.get(name) ?? [])].sort()
    return versions.length > 0 ? { revisionsOf: versions } : {}
  }
}

/**
 * The revisions that may name one of these files, a part at a time: a history has gigabytes of them. Which they are is read by the database
 * as far as it can: an address may write any character of a name as `%` and two digits.
 */
async function* readNaming(
  reader: Reader,
  kind: keyof typeof conditions,
  names: readonly string[],
): AsyncGenerator<Pick<typeof revisions.$inferSelect, 'id' | 'versionId' | 'value'>> {
  const { id, versionId, revision, value } = revisions
  const { contains, eachText } = reader.sqlDialect
  const name = sql`name.value`
  const hasName = sql`exists (select 1 from ${eachText(JSON.stringify([...names.map(toJsonPart), '%']))} as name where ${contains(value, name)})`
  let after = { id: '', revision: 0 }
  for (;;) {
    const rows = await reader
      .select({ id, versionId, revision, value })
      .from(revisions)
      .where(
        and(
          conditions[kind],
          isNotNull(value),
          sql`(${id}, ${revision}) > (${after.id}, ${after.revision})`,
          contains(value, 'file:///'),
          hasName,
        ),
      )
      .orderBy(id, revision)
      .limit(revisionsPerPart)
    yield* rows
    const last = rows.at(-1)
    if (last === undefined || rows.length < revisionsPerPart) return
    after = last
  }
}

/** A text as it stands in JSON. */
const toJsonPart = (text: string) => JSON.stringify(text).slice(1, -1)

function listUris(value: typeof revisions.$inferSelect.value): readonly string[] {
  if (value === null) return []
  if ('uris' in value) return value.uris.map(({ uri }) => uri)
  return 'uri' in value ? [value.uri] : []
}
