/** Looks at application tokens as a back end does: with the published keys. */
import { createRemoteJWKSet, jwtVerify } from 'jose'

/** Whether a token is signed by a key of this service, and has not expired. */
export function createTokenCheck(url: string): (token: string) => Promise<boolean> {
  const keys = createRemoteJWKSet(new URL('/.well-known/jwks.json', url))
  return (token) =>
    jwtVerify(token, keys).then(
      () => true,
      () => false,
    )
}
