/** Signs what a device may act on when it is refused: that it is unknown, or that an administrator has blocked it. */
import { AssertionClaims, refusalKind, type SignedRefusal } from '@cardwire/protocol'
import { decodeJwt } from 'jose'
import type { Clock } from '../../ports.ts'
import type { Keyring } from './keyring.ts'

interface RefusalServices {
  readonly keyring: Pick<Keyring, 'sign'>
  readonly clock: Clock
}

/**
 * A compact JWS. Without it a connector keeps its registration. `assertion` is a JWT that is not verified, and cannot be: its
 * key is unknown. undefined: it has no claims that a connector sends.
 */
export async function signUnknownDevice(
  services: RefusalServices,
  assertion: string,
): Promise<string | undefined> {
  const claims = AssertionClaims.safeParse(decodeJwt(assertion))
  if (!claims.success || !isUuid(claims.data.sub)) return undefined
  return signRefusal(services, claims.data, 'device-unknown')
}

/** A compact JWS. Without it a connector follows its last policy until that expires. `claims` are of a verified assertion. */
export const signBlockedDevice = (
  services: RefusalServices,
  claims: AssertionClaims,
): Promise<string> => signRefusal(services, claims, 'device-blocked')

function signRefusal(
  { keyring, clock }: RefusalServices,
  { sub: aud, jti: re }: AssertionClaims,
  code: SignedRefusal['code'],
): Promise<string> {
  const refusal: SignedRefusal = { aud, re, iat: clock() / 1000, code }
  return keyring.sign('reply', refusalKind.typ, refusal, { includeKey: true })
}

const isUuid = (text: string) => /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/.test(text)
