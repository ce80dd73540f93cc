/** The names of consumers and keys at gateways, and in the headers that gateways set. */
import type { Digest } from '../ports.ts'
import type { Consumer } from './gateway.ts'

/** Such as `cardwire:application:shop`: unique at a gateway that several services share. */
export const nameConsumer = (tag: string, { kind, id }: Consumer): string =>
  `${tag}:${kind}:${encodeURIComponent(id)}`

/**
 * The name of a key, by its hash: a UUID (RFC 9562 §5.8). Hashed again, so that what gateways show is no part of what the database
 * has.
 */
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

/** The consumer that has a name; undefined: it is none of this service. */
export function parseConsumer(tag: string, name: string): Consumer | undefined {
  const [prefix, kind, encoded = '', ...rest] = name.split(':')
  if (prefix !== tag || rest.length > 0 || encoded === '') return undefined
  if (kind !== 'application' && kind !== 'registration') return undefined
  try {
    const consumer = { kind, id: decodeURIComponent(encoded) } as const
    // One spelling of each name counts.
    return nameConsumer(tag, consumer) === name ? consumer : undefined
  } catch {
    return undefined
  }
}
