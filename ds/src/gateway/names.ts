/** The names of consumers and keys at gateways, and in the headers that gateways set. */
import type { Digest } from '../ports.ts'
import { hashKey } from './builtin-keys.ts'
import type { Consumer } from './gateway.ts'

/** Such as `cardwire:application:shop`: unique at a gateway that several services share. */
export const nameConsumer = (tag: string, { kind, id }: Consumer): string =>
  `${tag}:${kind}:${encodeURIComponent(id)}`

/** A UUID (RFC 9562 §5.8) that is always the same for a key, and tells nothing about it. */
export async function nameKey(digest: Digest, key: string): Promise<string> {
  return nameHash(digest, await hashKey(digest, key))
}

/** The same, of a key whose hash is known. Hashed again: what gateways show is no part of what the database has. */
export async function nameHash(digest: Digest, hash: string): Promise<string> {
  const hex = await digest(`cardwire credential ${hash}`)
  const variant = ((Number.parseInt(hex.slice(16, 17), 16) & 0x3) | 0x8).toString(16)
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    `${variant}${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join('-')
}
