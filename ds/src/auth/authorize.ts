/** Decides for every operation whether a request may go on. What the contract does not open is closed. */
import { type Operation, Problem, tokenKinds } from '@cardwire/client/protocol'
import type { Context } from 'hono'
import { decodeProtectedHeader, errors } from 'jose'
import { clientAddress, isLoopback } from '../rules/client-address.ts'
import type { Services } from '../services.ts'
import { type Asserted, assertedDevices } from './assertion.ts'
import type { Identity } from './identity.ts'

export type Caller =
  | { readonly kind: 'anyone' }
  | { readonly kind: 'administrator'; readonly identity: Identity }
  /** A page or program with an application token, or a back end with the label's key. */
  | { readonly kind: 'label'; readonly id: string }
  /** A connector that wants to register, with the installation key of this version. */
  | { readonly kind: 'installer'; readonly version: string }
  | { readonly kind: 'device'; readonly asserted: Asserted }

type Parts = Pick<
  Services,
  | 'settings'
  | 'url'
  | 'db'
  | 'digest'
  | 'clock'
  | 'identity'
  | 'keyring'
  | 'gateway'
  | 'limits'
  | 'log'
  | 'peer'
>

export function authorizer(parts: Parts) {
  const asserted = assertedDevices(parts)
  return async (operation: Operation, context: Context): Promise<Caller> => {
    if (operation.pages === 'refused') refusePages(context)
    switch (operation.access) {
      case 'anyone':
        return { kind: 'anyone' }
      case 'administrator':
        return administrator(parts, context)
      case 'application':
        return isApplicationToken(context)
          ? application(parts, context)
          : administrator(parts, context)
      case 'api-key':
        return keyHolder(parts, context)
      case 'registration':
        return installer(parts, context)
      case 'device':
        return { kind: 'device', asserted: await asserted(context) }
      case 'local':
        return isLocal(parts, context) ? { kind: 'anyone' } : administrator(parts, context)
      case 'consented':
      case 'management':
        throw new Error(`Cannot serve "${operation.name}": such access is the connector's`)
    }
  }
}

/** The device that calls an operation which only devices may call. */
export function assertedBy(caller: Caller): Asserted {
  if (caller.kind !== 'device') throw new Error('Cannot serve this caller: it is no device')
  return caller.asserted
}

/** The address a request comes from, proxies considered. */
export function addressOf(parts: Pick<Services, 'settings' | 'peer'>, context: Context): string {
  return clientAddress(
    parts.peer(context),
    context.req.header('x-forwarded-for'),
    parts.settings.trustProxy,
  )
}

/**
 * A browser marks what its pages send with `Origin` or `Sec-Fetch-Site`. `Sec-Fetch-Mode` alone is no mark: Node's own
 * `fetch` sends `cors` with every request of a back end.
 */
function refusePages(context: Context): void {
  if (
    context.req.header('origin') !== undefined ||
    context.req.header('sec-fetch-site') !== undefined
  ) {
    throw new Problem(
      'page-refused',
      'Cannot answer a web page: ask from a back end, so that no key gets into a page',
    )
  }
}

const bearer = (context: Context) =>
  /^Bearer +([\w.~+/=-]+)$/i.exec(context.req.header('authorization') ?? '')?.[1]

function isApplicationToken(context: Context): boolean {
  try {
    return decodeProtectedHeader(bearer(context) ?? '').typ === tokenKinds.application.typ
  } catch {
    return false
  }
}

async function administrator(parts: Parts, context: Context): Promise<Caller> {
  const identity = await verified(parts, context, (token) => parts.identity.identify(token))
  if (!identity.isAdministrator) {
    throw new Problem(
      'role-missing',
      'Cannot allow this: the token does not carry the role of an administrator',
    )
  }
  return { kind: 'administrator', identity }
}

async function application(parts: Parts, context: Context): Promise<Caller> {
  const { typ, audience } = tokenKinds.application
  const claims = await verified(parts, context, (token) =>
    parts.keyring.verify('application', token, { typ, audience, issuer: parts.url }),
  )
  return { kind: 'label', id: claims.sub ?? '' }
}

/** One text for every reason a token is refused; the reason is in the log. */
async function verified<T>(
  parts: Parts,
  context: Context,
  verify: (token: string) => Promise<T>,
): Promise<T> {
  const token = bearer(context)
  try {
    if (token === undefined) throw new Error('no bearer token')
    return await verify(token)
  } catch (error) {
    // What is no fault of the token is ours, and must not be told as one.
    if (token !== undefined && !(error instanceof errors.JOSEError)) throw error
    parts.log.warn('token refused', {
      requestId: context.get('requestId'),
      reason: error instanceof Error ? error.message : 'unknown',
    })
    throw new Problem(
      'token-refused',
      'Cannot accept the token: send "Authorization: Bearer …" with one that has not expired, or log in again',
      {
        // RFC 6750 §3: no error code when no token was sent.
        headers: {
          'www-authenticate': token === undefined ? 'Bearer' : 'Bearer error="invalid_token"',
        },
      },
    )
  }
}

async function keyHolder(parts: Parts, context: Context): Promise<Caller> {
  const key = context.req.header('apikey')
  const consumer = key === undefined ? undefined : await parts.gateway.lookup(key)
  if (consumer?.kind !== 'application') {
    // The wrong key is what is limited, by address; the right one works whatever others send from there.
    await limited(parts, 'failure', addressOf(parts, context))
    throw new Problem(
      'api-key-refused',
      'Cannot accept the API key: send the key of a label in the header "apikey"',
    )
  }
  await limited(parts, 'token', consumer.id)
  return { kind: 'label', id: consumer.id }
}

/** A crowd of installers behind one address is a roll-out: as many may register there as a key may fetch tokens. */
async function installer(parts: Parts, context: Context): Promise<Caller> {
  const key = context.req.header('apikey')
  const consumer = key === undefined ? undefined : await parts.gateway.lookup(key)
  const address = addressOf(parts, context)
  if (consumer?.kind !== 'registration') {
    await limited(parts, 'failure', address)
    throw new Problem(
      'api-key-refused',
      'Cannot accept the API key: send the installation key of a version in the header "apikey"',
    )
  }
  await limited(parts, 'token', `registrations of ${address}`)
  return { kind: 'installer', version: consumer.id }
}

async function limited(parts: Parts, name: 'token' | 'failure', key: string): Promise<void> {
  const retryAfterS = await parts.limits.take(name, key)
  if (retryAfterS === undefined) return
  throw new Problem(
    'too-many-requests',
    `Cannot answer so many requests: try again in ${Math.ceil(retryAfterS)} s`,
    {
      retryAfterS,
    },
  )
}

/** A request of this machine that no proxy passed on. */
function isLocal(parts: Parts, context: Context): boolean {
  const forwarded = context.req.header('x-forwarded-for') ?? context.req.header('forwarded')
  return forwarded === undefined && isLoopback(parts.peer(context))
}
