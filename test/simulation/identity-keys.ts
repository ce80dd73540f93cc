/** Identity keys of machines, the same in every run: making one takes longer than most seeds have. */
import { createECDH, createPrivateKey } from 'node:crypto'
import { createRandom } from '../bed/random.ts'

const identityKeys = new Map<number, string>()

/** The identity key of a machine, the same in every seed: PKCS#8 as PEM. */
export function identityKeyOf(index: number): string {
  const known = identityKeys.get(index)
  if (known) return known
  const d = createRandom(index + 1).bytes(32)
  d[0] = 1
  const pair = createECDH('prime256v1')
  pair.setPrivateKey(d)
  const point = pair.getPublicKey()
  const text = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64url')
  const jwk = {
    kty: 'EC',
    crv: 'P-256',
    x: text(point.subarray(1, 33)),
    y: text(point.subarray(33)),
  }
  const key = createPrivateKey({ key: { ...jwk, d: text(d) }, format: 'jwk' })
  const pem = key.export({ type: 'pkcs8', format: 'pem' }).toString()
  identityKeys.set(index, pem)
  return pem
}
