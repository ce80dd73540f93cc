/** Temporary folders that no other account can replace: by sudo, root has the TMPDIR of a user, where that user can. */
import { mkdtemp, realpath, rmdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findWritablePlace, root } from './protected-path.ts'

/** Where only root writes. */
export const rootFolder = process.platform === 'darwin' ? '/private/var/root' : '/var/cache'

/** Makes a folder of mode 0700. Its name begins with `prefix`. */
export async function makeTemporaryFolder(
  prefix: string,
  account = process.getuid?.(),
): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), prefix))
  if (account !== root) return folder
  // It is judged when it is there: what is judged before could be replaced until then.
  const place = await realpath(folder)
  if (findWritablePlace(place, [root]) === undefined) return place
  await rmdir(folder).catch(() => undefined)
  return mkdtemp(join(rootFolder, prefix))
}
