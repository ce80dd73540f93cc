/** Changes of several files of a folder that happen together, also when the machine stops in the middle. */
import { randomBytes } from 'node:crypto'
import { mkdir, open, readdir, rename, rm, rmdir } from 'node:fs/promises'
import { join } from 'node:path'
import { ignoreMissing } from '../system/missing-file.ts'

/** Complete changes that are not yet moved into place. */
const staged = '.next'
/** Changes that are being written; of no use when their process is gone. */
const draft = '.draft-'

/** Both under the lock of the folder. */
export function createStaging(path: string) {
  const at = (...parts: string[]) => join(path, ...parts)

  /** Moves complete changes into place by renames alone: a full disk or a second try does no harm. */
  async function rollForward(): Promise<void> {
    const names = await readdir(at(staged)).catch(ignoreMissing)
    if (names === undefined) return
    for (const name of names) await rename(at(staged, name), at(name))
    await rmdir(at(staged))
    await flush(path)
  }

  async function stage(files: Readonly<Record<string, string>>): Promise<void> {
    const folder = at(`${draft}${randomBytes(6).toString('hex')}`)
    try {
      await mkdir(folder, { mode: 0o700 })
      for (const [name, text] of Object.entries(files)) await writeDurably(join(folder, name), text)
      await flush(folder)
      await rename(folder, at(staged))
    } catch (error) {
      await rm(folder, { recursive: true, force: true }).catch(() => undefined)
      throw error
    }
    await rollForward()
  }

  /** Completes a change that was whole, and removes those that were not. */
  async function recover(): Promise<void> {
    await rollForward()
    for (const name of await readdir(path))
      if (name.startsWith(draft)) await rm(at(name), { recursive: true, force: true })
  }

  return { stage, recover }
}

async function writeDurably(path: string, text: string): Promise<void> {
  const file = await open(path, 'wx', 0o600)
  try {
    await file.writeFile(text)
    await file.sync()
  } finally {
    await file.close()
  }
}

/** Makes names in a folder durable where the system lets folders be opened. */
async function flush(path: string): Promise<void> {
  const folder = await open(path, 'r').catch(() => undefined)
  if (folder === undefined) return
  await folder.sync().catch(() => undefined)
  await folder.close()
}
