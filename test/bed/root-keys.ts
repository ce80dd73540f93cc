/** RSA-4096 keys for roots of tests: eight a run. A new one takes a second of processor. */
import { createPrivateKey, createPublicKey, generateKeyPair, type KeyObject } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { makeShared } from './shared-folder.ts'

interface RootKeys {
  readonly privateKey: KeyObject
  readonly publicKey: KeyObject
}

const poolSize = 8
const pool = new Map<number, Promise<RootKeys>>()
let taken = 0

/** The next key of the pool: roots that one test makes one after another have different keys. */
export function takeRootKeys(): Promise<RootKeys> {
  const at = taken++ % poolSize
  const keys = pool.get(at) ?? readOrMakeKeys(at)
  pool.set(at, keys)
  return keys
}

async function readOrMakeKeys(at: number): Promise<RootKeys> {
  const folder = await makeShared(`root-key-${at}`, async (draft) => {
    const made = await promisify(generateKeyPair)('rsa', { modulusLength: 4096 })
    const pem = made.privateKey.export({ type: 'pkcs8', format: 'pem' })
    await writeFile(join(draft, 'key.pem'), pem, { mode: 0o600 })
  })
  const privateKey = createPrivateKey(await readFile(join(folder, 'key.pem')))
  return { privateKey, publicKey: createPublicKey(privateKey) }
}
