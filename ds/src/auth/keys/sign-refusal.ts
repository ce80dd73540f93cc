/** Signs that a device is unknown: without that a connector keeps its registration. */
import { AssertionClaims, refusalKind, type SignedRefusal } from '@cardwire/client/protocol'
import { decodeJwt } from 'jose'
import type { Clock } from '../../ports.ts'
import type { Keyring } from './keyring.ts'

interface RefusalServices {
  readonly keyring: Pick<Keyring, 'sign'>
  readonly clock: Clock
}

/**
 * A compact JWS. `assertion` is a JWT that is not verified, and cannot be: its key is unknown. undefined: it has no claims
 * that a connector sends.
 */
export async function signUnknownDevice(
  { keyring, clock }: RefusalServices,
  assertion: string,
): Promise<string | undefined> {
  const claims = AssertionClaims.safeParse(decodeJwt(assertion))
  if (!claims.success || !isUuid(claims.data.sub)) return undefined
  const { sub: aud, jti: re } = claims.data
  const refusal: SignedRefusal = { aud, re, iat: clock() / 1000, code: 'device-unknown' }
  return keyring.sign('reply', refusalKind.typ, refusal, { includeKey: true })
}

const isUuid = (text: string) => /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/.test(text)
