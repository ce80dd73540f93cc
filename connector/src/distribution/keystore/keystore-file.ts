/** The keystore in the runtime folder: unencrypted, readable by its owner only, and ignored when it was altered. */
import { createHash } from 'node:crypto'
import { watch } from 'node:fs'
import { mkdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import writeFileAtomic from 'write-file-atomic'
import * as z from 'zod/mini'
import type { Log } from '../../system/log.ts'
import { ignoreMissing, isPresent } from '../../system/missing-file.ts'
import type { ServerCertificate } from '../../system/server.ts'

/** Certificate, chain and key as PEM, and their metadata. The metadata file is written last. */
export const keystoreFiles = { pem: 'keystore.pem', metadata: 'keystore.json' } as const

const Metadata = z.object({
  /** SHA-256 of the PKCS#12 file. */
  digest: z.string(),
  /** SHA-256 of the PEM file. */
  pem: z.string(),
  names: z.array(z.string()),
  /** Milliseconds since 1970, UTC. */
  notAfter: z.number(),
})

export interface StoredKeystore extends ServerCertificate {
  /** SHA-256 of the PKCS#12 file, lower-case hexadecimal. */
  readonly digest: string
  readonly names: readonly string[]
  /** Milliseconds since 1970, UTC. */
  readonly notAfter: number
}

/** A keystore that can be replaced at any time. */
export interface KeystoreSource {
  current(): StoredKeystore | undefined
  onChange(listener: () => void): () => void
}

/** undefined: there is none, or it was altered. Rejects when it cannot be read. */
export async function readKeystoreFile(runtime: string): Promise<StoredKeystore | undefined> {
  const read = (name: string) => readFile(join(runtime, name), 'utf8').catch(ignoreMissing)
  const [json, text] = [await read(keystoreFiles.metadata), await read(keystoreFiles.pem)]
  if (json === undefined || text === undefined) return undefined
  try {
    const metadata = z.parse(Metadata, JSON.parse(json))
    const at = text.indexOf('-----BEGIN PRIVATE KEY-----')
    if (sha256(text) !== metadata.pem || at < 0) return undefined
    const { digest, names, notAfter } = metadata
    return { cert: text.slice(0, at), key: text.slice(at), digest, names, notAfter }
  } catch {
    return undefined
  }
}

export async function writeKeystoreFile(runtime: string, stored: StoredKeystore): Promise<void> {
  const { cert, key, digest, names, notAfter } = stored
  const text = `${cert}${key}`
  const metadata: z.input<typeof Metadata> = {
    digest,
    pem: sha256(text),
    names: [...names],
    notAfter,
  }
  await mkdir(runtime, { recursive: true, mode: 0o700 })
  await writeFileAtomic(join(runtime, keystoreFiles.pem), text, { mode: 0o600 })
  await writeFileAtomic(join(runtime, keystoreFiles.metadata), JSON.stringify(metadata), {
    mode: 0o600,
  })
}

export async function removeKeystoreFile(runtime: string): Promise<void> {
  for (const name of Object.values(keystoreFiles)) await rm(join(runtime, name), { force: true })
}

/** The keystore that another process stores there: read now, and again after each change. */
export async function watchKeystoreFile(
  runtime: string,
  log: Pick<Log, 'warn'>,
): Promise<KeystoreSource> {
  let stored = await readKeystoreFile(runtime)
  return {
    current: () => stored,
    onChange(listener) {
      const reload = async () => {
        const reloaded = await readKeystoreFile(runtime)
        // The metadata file is written last and removed last: meanwhile the PEM file may be missing or new.
        if (reloaded === undefined && isPresent(join(runtime, keystoreFiles.metadata))) return
        if (reloaded?.cert === stored?.cert && reloaded?.key === stored?.key) return
        stored = reloaded
        listener()
      }
      const warn = (error: unknown) =>
        log.warn('changes of the keystore are not noticed', { reason: String(error) })
      try {
        const watcher = watch(runtime, { persistent: false }, (_, name) => {
          if (Object.values<string | null>(keystoreFiles).includes(name)) reload().catch(warn)
        })
        return () => watcher.close()
      } catch (error) {
        warn(error)
        return () => undefined
      }
    },
  }
}

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
