/** The registered versions as far as verdicts need them, read in the thread for long reads. */
import { type Installer, Platform } from '@cardwire/protocol'
import { sql } from 'drizzle-orm'
import type { PlannedInstaller } from '../rules/same-installer.ts'
import type { Reader } from './database.ts'
import { versions } from './schema.ts'

interface Release
  extends Pick<typeof versions.$inferSelect, 'id' | 'recommended' | 'mandatory' | 'allowed'> {
  readonly uris: readonly PlannedInstaller[]
}

/** All versions. Of their installers, which may weigh 10 kB, only the systems are read, but all of the version `whole`. */
export async function readReleases(reader: Reader, whole = ''): Promise<readonly Release[]> {
  const { id, recommended, mandatory, allowed, uris } = versions
  // A quote in an address is written with a backslash.
  const systems = Platform.options.map(
    (os) =>
      sql`case when ${reader.sqlDialect.contains(uris, `"os":"${os}"`)} then ${sql.raw(`'${os} '`)} else '' end`,
  )
  const rows = await reader
    .select({
      ...{ id, recommended, mandatory, allowed },
      systems: sql<string>`${sql.join(systems, sql` || `)}`,
      uris: sql<string | null>`case when ${id} = ${whole} then ${uris} end`,
    })
    .from(versions)
  return rows.map(({ systems, uris: text, ...row }) => {
    const installers: readonly Installer[] | undefined =
      text === null ? undefined : JSON.parse(text)
    const listed = Platform.options.filter((os) => systems.split(' ').includes(os))
    return { ...row, uris: installers ?? listed.map((os) => ({ os })) }
  })
}
