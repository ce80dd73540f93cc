/** Application tokens as the distribution service signs them, for a connector that is given their key. */
import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'

export interface TokenSigner {
  /** A file for CARDWIRE_JWKS. */
  readonly jwks: string
  readonly privateKey: KeyObject
  /**
   * A token that ends after so many seconds; `aheadS`: seconds by which the clock of the service is ahead of ours;
   * `claims` and `header` change what it says.
   */
  token(lifetimeS?: number, aheadS?: number, claims?: object, header?: object): string
}

/** `folder`: gets the file. */
export async function createTokenSigner(folder: string): Promise<TokenSigner> {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const jwks = join(folder, 'jwks.json')
  const jwk = { ...publicKey.export({ format: 'jwk' }), kid: 'one', alg: 'ES256', use: 'sig' }
  await writeFile(jwks, JSON.stringify({ keys: [jwk] }))
  const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  return {
    jwks,
    privateKey,
    token(lifetimeS = 1200, aheadS = 0, claims = {}, header = {}) {
      const iat = Math.floor(Date.now() / 1000) + aheadS
      const payload = {
        sub: 'shop',
        aud: 'cardwire-connector',
        iat,
        exp: iat + lifetimeS,
        ...claims,
      }
      const protectedHeader = { alg: 'ES256', kid: 'one', typ: 'cw-app+jwt', ...header }
      const signed = `${encode(protectedHeader)}.${encode(payload)}`
      // As RFC 7518 §3.4 has it: two numbers side by side.
      const key = { key: privateKey, dsaEncoding: 'ieee-p1363' } as const
      return `${signed}.${sign('sha256', Buffer.from(signed), key).toString('base64url')}`
    },
  }
}
