/** Application tokens as the distribution service signs them, for a connector that is told their key. */
import { generateKeyPairSync, sign } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'

export interface Signer {
  /** A file for CARDWIRE_JWKS. */
  readonly jwks: string
  /** A token that ends after so many seconds; `aheadS`: seconds by which the clock of the service is ahead of ours. */
  token(livesS?: number, aheadS?: number): string
}

export async function newSigner(folder: string): Promise<Signer> {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const jwks = join(folder, 'jwks.json')
  const jwk = { ...publicKey.export({ format: 'jwk' }), kid: 'one', alg: 'ES256', use: 'sig' }
  await writeFile(jwks, JSON.stringify({ keys: [jwk] }))
  const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')
  return {
    jwks,
    token(livesS = 1200, aheadS = 0) {
      const iat = Math.floor(Date.now() / 1000) + aheadS
      const claims = { sub: 'shop', aud: 'cardwire-connector', iat, exp: iat + livesS }
      const signed = `${part({ alg: 'ES256', kid: 'one', typ: 'cw-app+jwt' })}.${part(claims)}`
      // As RFC 7518 §3.4 has it: two numbers side by side.
      const key = { key: privateKey, dsaEncoding: 'ieee-p1363' } as const
      return `${signed}.${sign('sha256', Buffer.from(signed), key).toString('base64url')}`
    },
  }
}
