/** One connector for each user: the lock that a connector holds while it runs. */
import { join } from 'node:path'
import { getConnectorVersion } from '@cardwire/protocol/connector-system'
import { type Release, tryLockFile } from '../system/single-instance.ts'
import type { CommandContext } from './command-context.ts'
import { callOwnApi, lockFileName, readOwnApiPort } from './own-api.ts'

/** How long another connector of this user may take to reply, in milliseconds. */
const probeMs = 2000

/** How long a start waits for another one that starts or ends, and between two tries, in milliseconds. */
const maxWaitMs = 10_000
const lockRetryMs = 100

/**
 * Two connectors would share one state, and programs of this user would reach only the second. One that is ending has some
 * time to end. Throws when another connector of this user keeps running.
 */
export async function lockConnector(folders: CommandContext['folders']): Promise<Release> {
  const giveUp = performance.now() + maxWaitMs
  for (;;) {
    const release = tryLockFile(folders.runtime, lockFileName)
    // A connector of an earlier version takes no lock.
    const answers = await callOwnApi(folders, getConnectorVersion, probeMs).then(
      () => true,
      () => false,
    )
    if (release !== undefined && !answers) return release
    release?.()
    if (answers) {
      throw new Error(
        `your connector is already running, on port ${await readOwnApiPort(folders)}; stop it first`,
      )
    }
    if (performance.now() > giveUp) {
      throw new Error(
        `your connector is already running but not responding, and holds "${join(folders.runtime, lockFileName)}"; stop it first`,
      )
    }
    await Bun.sleep(lockRetryMs)
  }
}
