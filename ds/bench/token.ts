/** A token such as the service issues, made with nothing but jose. */
import { applicationTokenLifetimeS, tokenKinds } from '@cardwire/protocol'
import { calculateJwkThumbprint, exportJWK, generateKeyPair, SignJWT } from 'jose'

const { privateKey, publicKey } = await generateKeyPair('ES256')
const kid = await calculateJwkThumbprint(await exportJWK(publicKey))
const { typ, audience } = tokenKinds.application

export function signToken(): Promise<string> {
  const iat = Math.floor(Date.now() / 1000)
  const claims = {
    iss: 'http://127.0.0.1:65535',
    sub: 'bench',
    aud: audience,
    iat,
    nbf: iat - 5,
    exp: iat + applicationTokenLifetimeS,
  }
  return new SignJWT(claims).setProtectedHeader({ alg: 'ES256', kid, typ }).sign(privateKey)
}
