/** What the operations that sign or check a signature read from a body: hash, digest, key. */
import { Problem } from '@cardwire/protocol/problem'
import type {
  DescribedKey,
  DescribedModule,
  Digest,
  Purpose,
} from '../sandbox/card-modules/card-module.ts'
import { digestBytes, type HashName } from '../sandbox/card-modules/key-type.ts'
import { requireKey } from './find-card.ts'

/** The key that the page names, else the first for the purpose. Throws `key-unknown`. */
export function chooseKey(
  module: DescribedModule,
  id: string | null | undefined,
  purpose: Purpose,
): DescribedKey {
  if (id !== undefined && id !== null && id !== '') return requireKey(module, id)
  const key =
    module.keys.find((one) => one.purpose === purpose) ??
    module.keys.find(({ alsoSigns }) => alsoSigns && purpose === 'non-repudiation')
  if (key) return key
  throw new Problem(
    'key-unknown',
    `Cannot find a key for ${purpose}: module "${module.id}" has none`,
  )
}

const hashNames: ReadonlySet<string> = new Set(Object.keys(digestBytes))
const isHash = (name: string): name is HashName => hashNames.has(name)

/** In any case, with or without hyphens before the number and before `pss`, which stands for RSASSA-PSS. Throws `input-invalid`. */
export function readAlgorithm(algorithm: string): Pick<Digest, 'hash' | 'padding'> {
  const [, bits = '', isPss] = /^sha-?(\d+)(-?pss)?$/i.exec(algorithm) ?? []
  const name = `sha${bits}`
  if (isHash(name)) return { hash: name, ...(isPss !== undefined && { padding: 'pss' }) }
  throw invalidInput('algorithm', `expected one of ${[...hashNames].join(', ')}`)
}

/** From base64; `field` is where it stands. Throws `input-invalid` unless it has the length of the hash. */
export function readDigest(data: string, hash: HashName, field: string): Uint8Array {
  const digest = Buffer.from(data, 'base64')
  if (digest.length === digestBytes[hash]) return digest
  throw invalidInput(
    field,
    `expected a ${hash} hash of ${digestBytes[hash]} bytes, got ${digest.length}`,
  )
}

const invalidInput = (path: string, message: string) =>
  new Problem('input-invalid', `Cannot accept "${path}": ${message}`, {
    errors: [{ path, message }],
  })
