/** One signing key: how it is generated, loaded and published. */
import type { SigningKeyUse } from '@cardwire/protocol'
import { calculateJwkThumbprint, exportJWK, generateKeyPair, importJWK } from 'jose'
import type { signingKeys } from '../../db/schema.ts'
import type { Clock } from '../../ports.ts'
import type { KeyState } from '../../rules/key-states.ts'
import { sealed } from './sealed.ts'
import type { Vault } from './vault.ts'

export type Algorithm = 'ES256' | 'RS256'
export type KeyRow = typeof signingKeys.$inferSelect

export interface PublishedKey {
  readonly id: string
  readonly use: SigningKeyUse
  readonly algorithm: Algorithm
  readonly state: KeyState
  readonly signsFrom: number
  readonly createdAt: number
  readonly jwk: Record<string, unknown> & { kty: string; kid: string; alg: Algorithm; use: 'sig' }
}

export interface KeyPair {
  readonly publicKey: CryptoKey
  readonly privateKey: CryptoKey
}

export interface LoadedKey extends PublishedKey, KeyPair {}

/** What a key is generated from; `sequence` counts the keys of a use, from 1. */
export type NewKey = Pick<KeyRow, 'use' | 'sequence' | 'algorithm' | 'signsFrom'>

/** Generates a key and wraps its private half; nothing is stored yet. Its id is its thumbprint (RFC 7638). */
export async function generateKey(vault: Vault, clock: Clock, order: NewKey): Promise<KeyRow> {
  const pair = await generateKeyPair(order.algorithm, { extractable: true })
  const publicKey = await exportJWK(pair.publicKey)
  const id = await calculateJwkThumbprint(publicKey)
  const jwk = JSON.stringify(await exportJWK(pair.privateKey))
  const privateKey = await vault.wrap(jwk, sealed.signingKey.toRow(id))
  return { ...order, id, publicKey, privateKey, createdAt: clock() }
}

/** Both halves as WebCrypto has them. Throws when the key was wrapped with another secret. */
export const importKeyPair = async (vault: Vault, row: KeyRow): Promise<KeyPair> => ({
  publicKey: await importKey(row.publicKey, row.algorithm),
  privateKey: await unwrapPrivateKey(vault, row),
})

export function toLoadedKey(row: KeyRow, state: KeyState, pair: KeyPair): LoadedKey {
  const { id, use, algorithm, signsFrom, createdAt } = row
  const { publicKey, privateKey } = pair
  const jwk = toPublicJwk(row)
  return { id, use, algorithm, state, signsFrom, createdAt, jwk, publicKey, privateKey }
}

/** The public half, as it is published. */
export const toPublicJwk = ({ id, publicKey, algorithm }: KeyRow): PublishedKey['jwk'] => ({
  ...publicKey,
  kty: publicKey.kty ?? '',
  kid: id,
  alg: algorithm,
  use: 'sig',
})

export const unwrapPrivateKey = async (vault: Vault, { id, privateKey, algorithm }: KeyRow) =>
  importKey(JSON.parse(await vault.unwrap(privateKey, sealed.signingKey.toRow(id))), algorithm)

async function importKey(jwk: JsonWebKey, algorithm: Algorithm): Promise<CryptoKey> {
  const key = await importJWK(jwk as { kty: string }, algorithm)
  if (key instanceof Uint8Array) throw new Error('Cannot import the signing key: it is symmetric')
  return key
}
