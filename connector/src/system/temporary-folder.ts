/** Temporary folders that no other account can replace: root also has the environment of a user, whose TMPDIR belongs to that user. */
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { root } from './protected-path.ts'

/** Where only root writes. */
export const rootFolder = process.platform === 'darwin' ? '/private/var/root' : '/var/cache'

/** Makes a folder of mode 0700. Its name begins with `prefix`. */
export const makeTemporaryFolder = (prefix: string): Promise<string> =>
  mkdtemp(join(process.getuid?.() === root ? rootFolder : tmpdir(), prefix))
