/** The keystore as it lies in the runtime folder: opened, for its owner alone, and told from one that was altered. */
import { createHash } from 'node:crypto'
import { existsSync, watch } from 'node:fs'
import { mkdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import writeFileAtomic from 'write-file-atomic'
import * as z from 'zod/mini'
import type { Log } from '../system/log.ts'
import type { Material } from '../system/server.ts'

/** The certificate, its chain, the key; and what is known of it. The second is written when the first is there. */
export const keystoreFiles = { pem: 'keystore.pem', facts: 'keystore.json' } as const

const Facts = z.object({
  /** SHA-256 of the file that it was opened from. */
  digest: z.string(),
  /** SHA-256 of the text. */
  pem: z.string(),
  names: z.array(z.string()),
  /** Milliseconds since 1970, UTC. */
  notAfter: z.number(),
})

export interface KeptKeystore extends Material {
  /** SHA-256 of the file that it was opened from, lower-case hexadecimal. */
  readonly digest: string
  readonly names: readonly string[]
  /** Milliseconds since 1970, UTC. */
  readonly notAfter: number
}

/** A keystore that may become another one. */
export interface KeystoreSource {
  served(): KeptKeystore | undefined
  onChange(listener: () => void): () => void
}

/** undefined: there is none, or not the one that was written. */
export async function readKept(runtime: string): Promise<KeptKeystore | undefined> {
  try {
    const facts = z.parse(
      Facts,
      JSON.parse(await readFile(join(runtime, keystoreFiles.facts), 'utf8')),
    )
    const text = await readFile(join(runtime, keystoreFiles.pem), 'utf8')
    const at = text.indexOf('-----BEGIN PRIVATE KEY-----')
    if (sha256(text) !== facts.pem || at < 0) return undefined
    const { digest, names, notAfter } = facts
    return { cert: text.slice(0, at), key: text.slice(at), digest, names, notAfter }
  } catch {
    return undefined
  }
}

export async function writeKept(runtime: string, kept: KeptKeystore): Promise<void> {
  const { cert, key, digest, names, notAfter } = kept
  const text = `${cert}${key}`
  const facts: z.input<typeof Facts> = { digest, pem: sha256(text), names: [...names], notAfter }
  await mkdir(runtime, { recursive: true, mode: 0o700 })
  await writeFileAtomic(join(runtime, keystoreFiles.pem), text, { mode: 0o600 })
  await writeFileAtomic(join(runtime, keystoreFiles.facts), JSON.stringify(facts), { mode: 0o600 })
}

export async function removeKept(runtime: string): Promise<void> {
  for (const name of Object.values(keystoreFiles)) await rm(join(runtime, name), { force: true })
}

/** What another process keeps there: read now, and again whenever it has changed. */
export async function watchKept(runtime: string, log: Pick<Log, 'warn'>): Promise<KeystoreSource> {
  let kept = await readKept(runtime)
  return {
    served: () => kept,
    onChange(listener) {
      const look = async () => {
        const found = await readKept(runtime)
        // The facts are the last to come and the last to go: between, one of the two is not there yet.
        if (found === undefined && existsSync(join(runtime, keystoreFiles.facts))) return
        if (found?.cert === kept?.cert && found?.key === kept?.key) return
        kept = found
        listener()
      }
      try {
        const watcher = watch(runtime, { persistent: false }, (_, name) => {
          if (Object.values<string | null>(keystoreFiles).includes(name)) void look()
        })
        return () => watcher.close()
      } catch (error) {
        log.warn('changes of the keystore are not seen', { reason: String(error) })
        return () => undefined
      }
    },
  }
}

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
