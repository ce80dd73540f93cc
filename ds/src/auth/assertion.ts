/** Verifies what devices assert, and that nothing is asserted twice. */
import {
  AssertionClaims,
  assertionKind,
  type IdentityKey,
  type Operation,
  Problem,
  serviceAudience,
} from '@cardwire/client/protocol'
import { eq, sql } from 'drizzle-orm'
import type { Context } from 'hono'
import { type CryptoKey, compactVerify, decodeJwt, errors } from 'jose'
import { devices } from '../db/schema.ts'
import { assertedAt, type Refusal, refuse } from '../rules/assertion.ts'
import type { Services } from '../services.ts'
import { verifierOf, verifiersOfDevices } from './identity-keys.ts'

type Parts = Pick<Services, 'db' | 'clock' | 'digest' | 'url' | 'log'>

/** What every request of a device needs to know of it; the rest of the row is not read. */
const known = {
  id: devices.id,
  key: devices.key,
  fingerprint: devices.fingerprint,
  version: devices.version,
  blocked: devices.blocked,
  assertedAt: devices.assertedAt,
  lastSeenDay: devices.lastSeenDay,
}

/** The device a request comes from, and the assertion it brought. */
export interface Asserted {
  readonly device: Pick<typeof devices.$inferSelect, keyof typeof known>
  readonly jti: string
  /** Milliseconds since 1970, by the device's clock: later than with any request before. */
  readonly at: number
}

/** Finds the device behind a request, proven by its assertion; nothing is written yet. */
export function assertedDevices(parts: Parts): (context: Context) => Promise<Asserted> {
  const byId = parts.db
    .select(known)
    .from(devices)
    .where(eq(devices.id, sql.placeholder('id')))
    .prepare()
  const verifier = verifiersOfDevices()
  return async (context) => {
    const token = bearer(parts, context)
    const id = subjectOf(token)
    if (id === undefined) throw refused(parts, context, 'it is no JWT')
    const device = await byId.get({ id })
    if (!device) {
      throw new Problem('device-unknown', 'Cannot find the device: it has to register again')
    }
    const claims = await verified(parts, context, {
      ...{ token, subject: device.id, newest: device.assertedAt },
      verifier: () => verifier(device),
    })
    if (device.blocked) throw blocked()
    return { device, jti: claims.jti, at: assertedAt(claims) }
  }
}

/** Proves that whoever registers holds the identity key. */
export async function assertedKey(
  parts: Parts,
  context: Context,
  key: IdentityKey,
  thumbprint: string,
): Promise<void> {
  const token = bearer(parts, context)
  // A registration that comes twice does nothing the second time that the first did not.
  await verified(parts, context, {
    ...{ token, subject: thumbprint, newest: 0 },
    verifier: () => verifierOf(key),
  })
}

/** Days since 1970, UTC. */
export const dayOf = (time: number): number => Math.floor(time / 86_400_000)

export const replayed = () =>
  new Problem(
    'assertion-replayed',
    'Cannot take the assertion: one as late came before, ask again with a later iat',
  )

export const blocked = () =>
  new Problem('device-blocked', 'Cannot serve this device: an administrator has blocked it')

interface Presented {
  readonly token: string
  readonly subject: string
  verifier(): Promise<CryptoKey>
  readonly newest: number
}

async function verified(
  parts: Parts,
  context: Context,
  { token, verifier, subject, newest }: Presented,
): Promise<AssertionClaims> {
  const payload = await payloadOf(token, verifier).catch((error) => {
    if (!(error instanceof errors.JOSEError)) throw error
    throw refused(parts, context, error.message)
  })
  const claims = AssertionClaims.safeParse(payload)
  if (!claims.success) throw refused(parts, context, 'a claim is missing or malformed')
  const refusal = refuse(claims.data, {
    ...{ subject, newest },
    audience: serviceAudience(parts.url),
    body: base64urlOf(await parts.digest(await bodyOf(context))),
    now: parts.clock(),
  })
  if (refusal) throw problemOf(parts, context, refusal)
  return claims.data
}

async function payloadOf(token: string, verifier: Presented['verifier']): Promise<unknown> {
  const { algorithm, typ } = assertionKind
  const { payload, protectedHeader } = await compactVerify(token, await verifier(), {
    algorithms: [algorithm],
  })
  if (protectedHeader.typ !== typ) throw new errors.JWTInvalid(`typ is not ${typ}`)
  try {
    return JSON.parse(new TextDecoder().decode(payload))
  } catch {
    throw new errors.JWTInvalid('its payload is not JSON')
  }
}

/** As the handler will ask for it: what was read one way is costly to have another way. */
async function bodyOf(context: Context): Promise<string | Uint8Array<ArrayBuffer>> {
  const operation: Operation = context.get('operation')
  return operation.body?.type === 'json'
    ? context.req.text()
    : new Uint8Array(await context.req.arrayBuffer())
}

const base64urlOf = (hex: string) =>
  btoa(hex.replaceAll(/../g, (pair) => String.fromCharCode(Number.parseInt(pair, 16))))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace('=', '')

function bearer(parts: Parts, context: Context): string {
  const token = /^Bearer +([\w-]+\.[\w-]+\.[\w-]+)$/i.exec(
    context.req.header('authorization') ?? '',
  )?.[1]
  if (token === undefined) throw refused(parts, context, 'there is none')
  return token
}

/** Whom the token says it is from, before anything about it is believed. */
function subjectOf(token: string): string | undefined {
  try {
    return decodeJwt(token).sub
  } catch {
    return undefined
  }
}

function problemOf(parts: Parts, context: Context, { problem, reason }: Refusal): Problem {
  if (problem === 'assertion-refused') return refused(parts, context, reason)
  if (problem === 'assertion-replayed') return replayed()
  return new Problem(
    problem,
    'Cannot take the assertion: the clock of the device is off, the header Date of this answer says the time',
    { headers: { date: new Date(parts.clock()).toUTCString() } },
  )
}

/** One text for every reason; the reason is in the log. */
function refused({ log }: Parts, context: Context, reason: string): Problem {
  log.warn('assertion refused', { requestId: context.get('requestId'), reason })
  return new Problem(
    'assertion-refused',
    'Cannot take the assertion: send "Authorization: Bearer …" with one that the identity key made for this request',
  )
}
