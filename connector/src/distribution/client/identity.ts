/** The identity key of this connector: signs its assertions, and decrypts what the service encrypts to it. */
import { createPrivateKey, createPublicKey, generateKeyPair, randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { promisify } from 'node:util'
import {
  type AssertionClaims,
  assertionKind,
  clockSkewS,
  createTargetUri,
} from '@cardwire/protocol/assertion'
import type { IdentityKey } from '@cardwire/protocol/device'
import { calculateJwkThumbprint, compactDecrypt, importPKCS8, SignJWT } from 'jose'
import * as z from 'zod/mini'
import type { Log } from '../../system/log.ts'
import { type PrivateFiles, privateFiles } from '../../system/private-files.ts'

const generatePair = promisify(generateKeyPair)

export interface Identity {
  readonly publicKey: IdentityKey
  /** RFC 7638, SHA-256, base64url: identifies a device that has no id yet. */
  readonly thumbprint: string
  /** Signs an assertion for one request; the reply to the request has to name `jti`. */
  signAssertion(
    request: AssertionRequest,
  ): Promise<{ readonly token: string; readonly jti: string }>
  /** Decrypts a compact JWE. Throws when it was not encrypted to this key. */
  decrypt(jwe: string): Promise<string>
}

export interface AssertionRequest {
  /** The device id, or the thumbprint before there is one. */
  readonly subject: string
  /** The address of the service, in the form of `serviceAudience`. */
  readonly audience: string
  readonly method: string
  /** Below the address of the service. */
  readonly path: string
  readonly body: Uint8Array
  /** Milliseconds since 1970, on the clock of the service. */
  readonly now: number
}

/** What keys and assertions are made with; the machine's own unless a test gives others. */
interface IdentityOptions {
  readonly files?: PrivateFiles
  /** Generates a private key of P-256, PKCS#8 as PEM. */
  readonly generateKey?: () => Promise<string>
  readonly random?: (length: number) => Uint8Array
}

/** Reads the key of the runtime folder, or generates one when there is none that can be read; a damaged one is kept aside. */
export async function openIdentity(
  runtime: string,
  log: Pick<Log, 'warn'>,
  {
    files = privateFiles,
    generateKey = generateP256Key,
    random = randomBytes,
  }: IdentityOptions = {},
): Promise<Identity> {
  const pem = await readOrCreateKey(join(runtime, 'identity-key.pem'), files, generateKey, log)
  const signingKey = await importPKCS8(pem, assertionKind.algorithm)
  const decryptionKey = await importPKCS8(pem, 'ECDH-ES')
  const publicKey = toPublicKey(pem)
  let lastIssuedAt = 0
  return {
    publicKey,
    thumbprint: await calculateJwkThumbprint(publicKey),
    async signAssertion({ subject, audience, method, path, body, now }) {
      // Each is later than the one before: the service refuses any other as a replay. When the clock went back by more
      // than the allowed skew, the service never accepted the last one, and counting starts from the clock again.
      lastIssuedAt = now < lastIssuedAt - clockSkewS * 1000 ? now : Math.max(now, lastIssuedAt + 1)
      const iat = lastIssuedAt / 1000
      const claims: AssertionClaims = {
        iss: subject,
        sub: subject,
        aud: audience,
        htm: method,
        htu: createTargetUri(audience, path),
        iat,
        exp: Math.floor(iat) + assertionKind.lifetimeS,
        jti: Buffer.from(random(16)).toString('base64url'),
        body: new Bun.CryptoHasher('sha256').update(body).digest('base64url'),
      }
      const token = await new SignJWT({ ...claims })
        .setProtectedHeader({ alg: assertionKind.algorithm, typ: assertionKind.typ })
        .sign(signingKey)
      return { token, jti: claims.jti }
    },
    async decrypt(jwe) {
      const { plaintext } = await compactDecrypt(jwe, decryptionKey, {
        keyManagementAlgorithms: ['ECDH-ES'],
        contentEncryptionAlgorithms: ['A256GCM'],
      })
      return new TextDecoder().decode(plaintext)
    },
  }
}

async function readOrCreateKey(
  path: string,
  files: PrivateFiles,
  generateKey: () => Promise<string>,
  log: Pick<Log, 'warn'>,
): Promise<string> {
  const existing = await files.read(path)
  if (existing !== undefined && isP256(existing)) return existing
  files.keepDamaged(path, log)
  const pem = await generateKey()
  await files.write(path, pem)
  return pem
}

async function generateP256Key(): Promise<string> {
  const { privateKey } = await generatePair('ec', { namedCurve: 'P-256' })
  return privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
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

const toPublicKey = (pem: string): IdentityKey =>
  z.parse(PublicKey, createPublicKey(pem).export({ format: 'jwk' }))
