/** The identity key of the connector: signs assertions, and receives what its service encrypts to it. Nothing else. */
import { createPrivateKey, createPublicKey, generateKeyPair, randomBytes } from 'node:crypto'
import { mkdir, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import {
  type AssertionClaims,
  assertionKind,
  clockSkewS,
  type IdentityKey,
} from '@cardwire/client/protocol'
import { calculateJwkThumbprint, compactDecrypt, importPKCS8, SignJWT } from 'jose'
import writeFileAtomic from 'write-file-atomic'
import * as z from 'zod/mini'

const makePair = promisify(generateKeyPair)

export interface Identity {
  readonly publicKey: IdentityKey
  /** RFC 7638, SHA-256, base64url: how a device names itself before it has an id. */
  readonly thumbprint: string
  /** An assertion for one request; `jti` is what the reply has to name. */
  assert(request: Asserted): Promise<{ readonly token: string; readonly jti: string }>
  /** What was encrypted to this key, a compact JWE. Throws when it was not. */
  decrypt(jwe: string): Promise<string>
}

export interface Asserted {
  /** The device id, or the thumbprint before there is one. */
  readonly subject: string
  /** As `serviceAudience` spells it. */
  readonly audience: string
  readonly body: Uint8Array
  /** Milliseconds since 1970 on the clock of the service. */
  readonly now: number
}

/** Reads the key of the runtime folder, or makes it where there is none that can be read. */
export async function openIdentity(runtime: string): Promise<Identity> {
  const pem = await readKey(join(runtime, 'identity-key.pem'))
  const signer = await importPKCS8(pem, assertionKind.algorithm)
  const receiver = await importPKCS8(pem, 'ECDH-ES')
  const publicKey = publicOf(pem)
  let last = 0
  return {
    publicKey,
    thumbprint: await calculateJwkThumbprint(publicKey),
    async assert({ subject, audience, body, now }) {
      // Each is later than the one before: the service takes what is not for a replay. One that lay farther in the
      // future than clocks may differ it has never taken.
      last = now < last - clockSkewS * 1000 ? now : Math.max(now, last + 1)
      const iat = last / 1000
      const claims: AssertionClaims = {
        iss: subject,
        sub: subject,
        aud: audience,
        iat,
        exp: Math.floor(iat) + assertionKind.lifetimeS,
        jti: randomBytes(16).toString('base64url'),
        body: new Bun.CryptoHasher('sha256').update(body).digest('base64url'),
      }
      const token = await new SignJWT({ ...claims })
        .setProtectedHeader({ alg: assertionKind.algorithm, typ: assertionKind.typ })
        .sign(signer)
      return { token, jti: claims.jti }
    },
    async decrypt(jwe) {
      const { plaintext } = await compactDecrypt(jwe, receiver, {
        keyManagementAlgorithms: ['ECDH-ES'],
        contentEncryptionAlgorithms: ['A256GCM'],
      })
      return new TextDecoder().decode(plaintext)
    },
  }
}

async function readKey(path: string): Promise<string> {
  const found = await readFile(path, 'utf8').catch(() => undefined)
  if (found !== undefined && isP256(found)) return found
  const { privateKey } = await makePair('ec', { namedCurve: 'P-256' })
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  await writeFileAtomic(path, pem, { mode: 0o600 })
  return pem
}

function isP256(pem: string): boolean {
  try {
    return createPrivateKey(pem).asymmetricKeyDetails?.namedCurve === 'prime256v1'
  } catch {
    return false
  }
}

const PublicKey = z.object({
  kty: z.literal('EC'),
  crv: z.literal('P-256'),
  x: z.string(),
  y: z.string(),
})

const publicOf = (pem: string): IdentityKey =>
  z.parse(PublicKey, createPublicKey(pem).export({ format: 'jwk' }))
