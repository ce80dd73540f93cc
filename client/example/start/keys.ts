/** The two keys of the demonstration: generated once, and stored. */
import { randomUUID } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as z from 'zod/mini'

const Keys = z.object({ installationKey: z.uuid(), apiKey: z.uuid() })

export interface Keys {
  /** The connector registers with it. */
  readonly installationKey: string
  /** The back end exchanges it for application tokens. */
  readonly apiKey: string
}

export async function loadKeys(data: string): Promise<Keys> {
  const file = join(data, 'keys.json')
  const stored = await readFile(file, 'utf8').catch(() => undefined)
  if (stored !== undefined) return z.parse(Keys, JSON.parse(stored))
  const keys = { installationKey: randomUUID(), apiKey: randomUUID() }
  await mkdir(data, { recursive: true, mode: 0o700 })
  await writeFile(file, `${JSON.stringify(keys, null, 2)}\n`, { mode: 0o600, flag: 'wx' })
  return keys
}
