/** Which revisions name a file: without it they cannot be restored. */
import { and, eq, isNotNull } from 'drizzle-orm'
import { revisions } from '../db/schema.ts'
import { toPackageKey } from '../packages/packages.ts'
import type { Services } from '../services.ts'

const conditions = {
  installer: eq(revisions.kind, 'version'),
  // The other configurations weigh up to 1 MiB each.
  keystore: and(eq(revisions.kind, 'configuration'), eq(revisions.type, 'SSL_KEYSTORE')),
} as const

/** Returns a function that gives the field with the versions of which a kept revision names a file, where there are some. */
export async function prepareFileRevisions(
  { reader }: Pick<Services, 'reader'>,
  kind: keyof typeof conditions,
): Promise<(name: string) => { readonly revisionsOf?: string[] }> {
  const { id, versionId, value } = revisions
  const rows = await reader
    .select({ id, versionId, value })
    .from(revisions)
    .where(and(conditions[kind], isNotNull(value)))
  const users = new Map<string | undefined, Set<string>>()
  for (const row of rows)
    for (const uri of listUris(row.value)) {
      const key = toPackageKey(uri)
      users.set(key, (users.get(key) ?? new Set()).add(row.versionId ?? row.id))
    }
  return (name) => {
    const versions = [...(users.get(name) ?? [])].sort()
    return versions.length > 0 ? { revisionsOf: versions } : {}
  }
}

function listUris(value: typeof revisions.$inferSelect.value): readonly string[] {
  if (value === null) return []
  if ('uris' in value) return value.uris.map(({ uri }) => uri)
  return 'uri' in value ? [value.uri] : []
}
