/** What the virtual card keeps beside the file that stands for it: its keys, and the tries that its PIN has left. */
import { createPrivateKey, X509Certificate } from 'node:crypto'
import writeFileAtomic from 'write-file-atomic'
import * as z from 'zod/mini'
import { readOwnFile } from './card-file.ts'
import type { PivCardOptions, TriesCounter } from './piv-card.ts'

/** Everybody knows it: no virtual card proves who somebody is. */
export const virtualCardPin = '123456'

/** `keys` is private; `authority` is the certificate to which those of the card lead, and `revocations` its list, both PEM. */
export const getCardPaths = (file: string) => ({
  keys: `${file}.keys.json`,
  authority: `${file}.authority.pem`,
  revocations: `${file}.authority.crl.pem`,
  tries: `${file}.tries.json`,
})

const maxBytes = 16_384

/** Certificate and private key (PKCS#8), PEM. */
const KeyPair = z.object({ cert: z.string(), key: z.string() })
const StoredKeys = z.object({ '9A': KeyPair, '9C': KeyPair })
export type StoredKeys = z.output<typeof StoredKeys>

const Tries = z.object({ insertion: z.string(), left: z.int().check(z.nonnegative()) })

/** undefined: there are none, or they cannot be read. */
export function loadCardKeys(file: string): PivCardOptions['keys'] | undefined {
  const { success, data } = z.safeParse(StoredKeys, readJson(getCardPaths(file).keys))
  if (!success) return undefined
  try {
    return { '9A': readPair(data['9A']), '9C': readPair(data['9C']) }
  } catch {
    return undefined
  }
}

const readPair = ({ cert, key }: z.output<typeof KeyPair>) => ({
  privateKey: createPrivateKey(key),
  certificate: new X509Certificate(cert).raw,
})

/** Counts for one insertion: a card that is taken out and inserted again has all its tries. */
export function createStoredTries(file: string, insertion: string): TriesCounter {
  const { tries: path } = getCardPaths(file)
  return {
    read() {
      const { success, data } = z.safeParse(Tries, readJson(path))
      return success && data.insertion === insertion ? data.left : undefined
    },
    write: (left) =>
      writeFileAtomic.sync(path, JSON.stringify({ insertion, left }), { mode: 0o600 }),
  }
}

function readJson(path: string): unknown {
  try {
    return JSON.parse(readOwnFile(path, maxBytes) ?? 'null')
  } catch {
    return undefined
  }
}
