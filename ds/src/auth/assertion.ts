/** Verifies the assertions of devices, and that each is used once. */
import {
  AssertionClaims,
  assertionKind,
  type IdentityKey,
  type Operation,
  Problem,
  serviceAudience,
} from '@cardwire/protocol'
import { eq, sql } from 'drizzle-orm'
import type { Context } from 'hono'
import { type CryptoKey, compactVerify, decodeJwt, errors } from 'jose'
import { type AuditReading, newestSequence } from '../db/audit.ts'
import type { Database } from '../db/database.ts'
import { devices } from '../db/schema.ts'
import type { Clock, Digest, Log } from '../ports.ts'
import { checkAssertion, type Refusal, toIssuedAtMs } from '../rules/assertion.ts'
import { hexToBase64url } from '../rules/encoding.ts'
import { createDeviceBlockedProblem, createReplayedProblem } from '../rules/problems.ts'
import { createDeviceKeyCache, importDeviceKey } from './device-keys.ts'
import type { Keyring } from './keys/keyring.ts'
import { signBlockedDevice, signUnknownDevice } from './keys/sign-refusal.ts'

interface AssertionServices {
  readonly db: Database
  readonly clock: Clock
  readonly digest: Digest
  readonly url: string
  readonly keyring: Pick<Keyring, 'sign'>
  readonly log: Log
}

const deviceColumns = {
  id: devices.id,
  key: devices.key,
  fingerprint: devices.fingerprint,
  version: devices.version,
  blocked: devices.blocked,
  approved: devices.approved,
  tags: devices.tags,
  assertedAt: devices.assertedAt,
  lastSeenDay: devices.lastSeenDay,
  revision: devices.revision,
  /** What the last synchronization stored: compared with the next one as text, without reading the JSON. */
  stored: {
    version: devices.version,
    platform: devices.platform,
    device: sql<string>`${devices.device}`,
    user: sql<string>`${devices.user}`,
    faults: sql<string>`${devices.faults}`,
    keystore: devices.keystore,
    state: devices.state,
    verdict: devices.verdict,
  },
}

/** What every request of a device needs of its row; the other columns are not read. */
export type AuthenticatedDevice = Pick<
  typeof devices.$inferSelect,
  Exclude<keyof typeof deviceColumns, 'stored'>
> & { readonly stored: Readonly<Record<keyof typeof deviceColumns.stored, string | null>> }

/** The device that sent a request, and the assertion it sent along. */
export interface DeviceAssertion {
  readonly device: AuthenticatedDevice
  /** Read with the device. */
  readonly audit: AuditReading
  readonly jti: string
  /** Milliseconds since 1970, by the device's clock: later than with any request before. */
  readonly at: number
  /** SHA-256 of the body that the device sends, base64url: what the body that comes has to match. */
  readonly bodyDigest: string
}

/**
 * Runs work on a request, or throws a problem when too much of it runs. undefined as device: the service knows none that
 * the request names.
 */
type RunLimited = <T>(device: string | undefined, work: () => Promise<T>) => Promise<T>

/**
 * Finds the device that sent a request and verifies its assertion, from the header alone: `verifyDeviceBody` follows as
 * soon as the body has come. Writes nothing.
 */
export function createDeviceAuthenticator(
  services: AssertionServices,
): (context: Context, runLimited: RunLimited) => Promise<DeviceAssertion> {
  const selectById = services.db
    .select({ ...deviceColumns, newestSequence })
    .from(devices)
    .where(eq(devices.id, sql.placeholder('id')))
    .prepare()
  const importCached = createDeviceKeyCache()
  return async (context, runLimited) => {
    const token = readAssertion(services, context)
    const id = readSubject(token)
    if (id === undefined)
      throw createRefusedProblem(services, context, 'it is not a JWT with a subject')
    const readAt = services.clock()
    const found = await selectById.get({ id })
    if (!found) {
      const refusal = await runLimited(undefined, () => signUnknownDevice(services, token))
      throw new Problem('device-unknown', 'Cannot find the device: it has to register again', {
        ...(refusal !== undefined && { refusal }),
      })
    }
    const { newestSequence: sequence, ...device } = found
    const claims = await runLimited(device.id, () =>
      verifyAssertion(services, context, {
        token,
        subject: device.id,
        newest: device.assertedAt,
        importKey: () => importCached(device),
      }),
    )
    if (device.blocked) {
      const refusal = await runLimited(device.id, () => signBlockedDevice(services, claims))
      throw createDeviceBlockedProblem(refusal)
    }
    return {
      device,
      audit: { sequence, readAt },
      jti: claims.jti,
      at: toIssuedAtMs(claims),
      bodyDigest: claims.body,
    }
  }
}

/** Verifies that the body that came is the one that the device asserted. */
export async function verifyDeviceBody(
  services: AssertionServices,
  context: Context,
  { bodyDigest }: Pick<DeviceAssertion, 'bodyDigest'>,
): Promise<void> {
  const digest = hexToBase64url(await services.digest(await readBody(context)))
  if (digest !== bodyDigest)
    throw createRefusedProblem(services, context, 'body is the digest of another body')
}

/** Verifies that the sender of a registration has the private half of the identity key. The reply has to name `jti`. */
export async function verifyRegistration(
  services: AssertionServices,
  context: Context,
  key: IdentityKey,
  thumbprint: string,
): Promise<Pick<DeviceAssertion, 'jti'>> {
  const token = readAssertion(services, context)
  const { body: bodyDigest, jti } = await verifyAssertion(services, context, {
    token,
    subject: thumbprint,
    // A registration may come twice: the second one changes nothing.
    newest: 0,
    importKey: () => importDeviceKey(key),
  })
  await verifyDeviceBody(services, context, { bodyDigest })
  return { jti }
}

interface PresentedAssertion {
  readonly token: string
  readonly subject: string
  /** `iat` of the newest assertion accepted before, in milliseconds. */
  readonly newest: number
  importKey(): Promise<CryptoKey>
}

async function verifyAssertion(
  services: AssertionServices,
  context: Context,
  { token, importKey, subject, newest }: PresentedAssertion,
): Promise<AssertionClaims> {
  const payload = await readVerifiedPayload(token, importKey).catch((error) => {
    if (!(error instanceof errors.JOSEError)) throw error
    throw createRefusedProblem(services, context, error.message)
  })
  const claims = AssertionClaims.safeParse(payload)
  if (!claims.success)
    throw createRefusedProblem(services, context, 'a claim is missing or malformed')
  const refusal = checkAssertion(claims.data, {
    subject,
    newest,
    audience: serviceAudience(services.url),
    method: context.req.method,
    path: context.req.path,
    now: services.clock(),
  })
  if (refusal) throw toProblem(services, context, refusal)
  return claims.data
}

async function readVerifiedPayload(
  token: string,
  importKey: PresentedAssertion['importKey'],
): Promise<unknown> {
  const { algorithm, typ } = assertionKind
  const { payload, protectedHeader } = await compactVerify(token, await importKey(), {
    algorithms: [algorithm],
  })
  if (protectedHeader.typ !== typ) throw new errors.JWTInvalid(`typ is not ${typ}`)
  try {
    return JSON.parse(new TextDecoder().decode(payload))
  } catch {
    throw new errors.JWTInvalid('its payload is not JSON')
  }
}

/** In the form in which the handler reads it: Hono keeps that form and would have to convert it to another. */
async function readBody(context: Context): Promise<string | Uint8Array<ArrayBuffer>> {
  const operation: Operation = context.get('operation')
  return operation.body?.type === 'json'
    ? context.req.text()
    : new Uint8Array(await context.req.arrayBuffer())
}

/** The bearer token of a request, which has the form of a JWS. */
function readAssertion(services: AssertionServices, context: Context): string {
  const token = /^Bearer +([\w-]+\.[\w-]+\.[\w-]+)$/i.exec(
    context.req.header('authorization') ?? '',
  )?.[1]
  if (token === undefined) throw createRefusedProblem(services, context, 'there is none')
  return token
}

/** The subject that the token names; nothing is verified yet. */
function readSubject(token: string): string | undefined {
  try {
    const { sub }: { sub?: unknown } = decodeJwt(token)
    return typeof sub === 'string' ? sub : undefined
  } catch {
    return undefined
  }
}

function toProblem(
  services: AssertionServices,
  context: Context,
  { problem, reason }: Refusal,
): Problem {
  if (problem === 'assertion-refused') return createRefusedProblem(services, context, reason)
  if (problem === 'assertion-replayed') return createReplayedProblem()
  return new Problem(
    problem,
    'Cannot accept the assertion: the clock of the device is wrong, the header Date of this response has the time',
    { headers: { date: new Date(services.clock()).toUTCString() } },
  )
}

/** One text for every reason; the reason is in the log. */
function createRefusedProblem(
  { log }: AssertionServices,
  context: Context,
  reason: string,
): Problem {
  log.warn('assertion refused', { requestId: context.get('requestId'), reason })
  return new Problem(
    'assertion-refused',
    'Cannot accept the assertion: send "Authorization: Bearer …" with one that the identity key made for this request',
  )
}
