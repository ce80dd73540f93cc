/** Removes what earlier updates have left: one that was killed, or ended by its own installer on Windows, removes nothing. */
import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'

/** What the names of the folders of updates begin with. */
export const updatePrefix = 'cardwire-update-'

/** Milliseconds; an update that waits for another one, or for a user, takes less. */
const maxAgeMs = 24 * 3_600_000

/** `place`: a folder where administrators alone write. Never throws: the next update tries again. */
export async function removeLeftovers(place: string, now: number): Promise<void> {
  const names = await readdir(place).catch(() => [])
  for (const name of names.filter((one) => one.startsWith(updatePrefix))) {
    const path = join(place, name)
    const found = await stat(path).catch(() => undefined)
    if (found && now - found.mtimeMs > maxAgeMs)
      await rm(path, { recursive: true, force: true }).catch(() => undefined)
  }
}
