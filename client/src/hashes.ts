/** The names of hash algorithms: pages have those of WebCrypto, and connectors those of legacy clients. */
import type { HashAlgorithm } from './core-service.ts'

const hashes: readonly HashAlgorithm[] = ['SHA-1', 'SHA-256', 'SHA-384', 'SHA-512']

/** What a connector says, such as `sha256`. Leaves out what `sign` doesn't take, such as `sha256-pss`. */
export const readHashes = (names: readonly string[]): HashAlgorithm[] =>
  names.flatMap((name) => hashes.find((hash) => toWireHash(hash) === toWireHash(name)) ?? [])

/** As a connector writes it, such as `sha256`. */
export const toWireHash = (hash: string): string => hash.replace('-', '').toLowerCase()
