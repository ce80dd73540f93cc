/** Decides for every operation whether a request is allowed, and who sent it. */
import { includesRole, type Operation, Problem, type Role, tokenKinds } from '@cardwire/protocol'
import type { Context } from 'hono'
import { decodeProtectedHeader, errors } from 'jose'
import { isRecent } from '../db/audit.ts'
import type { Database } from '../db/database.ts'
import type { Gateway } from '../gateway/gateway.ts'
import type { Clock, Digest, Limits, Log } from '../ports.ts'
import {
  findClientAddress,
  isLoopbackPeer,
  isOwnHost,
  isTrustedProxy,
} from '../rules/client-address.ts'
import { nameLimitSetting } from '../rules/new-device-limits.ts'
import type { Settings } from '../settings.ts'
import { createDeviceAuthenticator, type DeviceAssertion, verifyDeviceBody } from './assertion.ts'
import { requireFirstStep } from './first-steps.ts'
import type { Identity, IdentityProvider } from './identity/provider.ts'
import { findSessionAccess } from './identity/session-access.ts'
import { createKeyUses } from './key-uses.ts'
import type { Keyring } from './keys/keyring.ts'
import { findClientRole } from './programs/client-access.ts'
import { enforceLimit } from './rate-limit.ts'
import { findRequestOwner } from './request-key.ts'

export type Caller =
  | { readonly kind: 'anyone' }
  /** An account with a role; every role of `roles` is one of administrators. */
  | { readonly kind: 'administrator'; readonly identity: Identity }
  /** A page or program with an application token, or a back end with the label's key. */
  | { readonly kind: 'label'; readonly id: string }
  /** A connector that wants to register, with the installation key of this version. */
  | { readonly kind: 'installer'; readonly version: string }
  | { readonly kind: 'device'; readonly assertion: DeviceAssertion }

interface AuthorizerServices {
  readonly settings: Settings
  readonly url: string
  readonly db: Database
  readonly digest: Digest
  readonly clock: Clock
  readonly identity: IdentityProvider
  readonly keyring: Keyring
  readonly gateway: Gateway
  readonly limits: Limits
  readonly log: Log
  /** The address of the peer on the socket; the headers of proxies are not considered yet. */
  readonly getPeerAddress: (context: Context) => string
}

/** Runs work on a request for an operation, or throws a problem when too much of it runs. No device: one that is unknown. */
type RunLimited = <T>(
  operation: Operation,
  device: string | undefined,
  work: () => Promise<T>,
) => Promise<T>

/** Reads nothing of a body: what it says about the caller is verified by `createBodyVerifier`. */
export function createAuthorizer(services: AuthorizerServices, runLimited: RunLimited) {
  const authenticateDevice = createDeviceAuthenticator(services)
  const noteKeyUse = createKeyUses(services)
  return async (operation: Operation, context: Context): Promise<Caller> => {
    context.set('authorizedAt', services.clock())
    if (operation.pages === 'refused') refusePages(context)
    switch (operation.access) {
      case 'anyone':
        return { kind: 'anyone' }
      case 'viewer':
      case 'publisher':
      case 'administrator':
        return authorizeRole(services, context, operation, operation.access)
      case 'application':
        return isApplicationToken(context)
          ? authorizeApplication(services, context)
          : authorizeRole(services, context, operation, 'viewer')
      case 'api-key':
        return authorizeApiKey(services, context, noteKeyUse)
      case 'registration':
        return authorizeInstaller(services, context)
      case 'device': {
        const assertion = await authenticateDevice(context, (device, work) =>
          runLimited(operation, device, work),
        )
        if (!operation.body) await verifyDeviceBody(services, context, assertion)
        return { kind: 'device', assertion }
      }
      case 'gateway':
        requireTrustedProxy(services, context)
        return { kind: 'anyone' }
      case 'local':
        return isLocalRequest(services, context)
          ? { kind: 'anyone' }
          : authorizeRole(services, context, operation, 'viewer')
      case 'consented':
      case 'management':
        throw new Error(`Cannot serve "${operation.name}": such access is the connector's`)
    }
  }
}

/**
 * Verifies, of a body that has come, that the caller sent it, and that the caller may still do so: a body takes up to 30 s, in
 * which an account is removed or a key replaced.
 */
export const createBodyVerifier =
  (services: AuthorizerServices, authorize: ReturnType<typeof createAuthorizer>) =>
  async (context: Context): Promise<void> => {
    const caller: Caller = context.get('caller')
    if (caller.kind === 'device') return verifyDeviceBody(services, context, caller.assertion)
    const isFresh = isRecent({ readAt: context.get('authorizedAt') }, services.clock())
    if (caller.kind === 'anyone' || isFresh) return
    context.set('caller', await authorize(context.get('operation'), context))
  }

/**
 * Throws when the account or the API client of a caller was removed since its request began, or its session or role has ended. The token may
 * have expired meanwhile. `isFirstStep`: the account may have to do just this first. An external provider knows its accounts itself: there nothing is thrown.
 */
export async function requireStillAllowed(
  { db, clock, settings }: Pick<AuthorizerServices, 'db' | 'clock' | 'settings'>,
  caller: Caller,
  needed: Role,
  { isFirstStep = false }: { readonly isFirstStep?: boolean } = {},
): Promise<void> {
  if (caller.kind !== 'administrator')
    throw new Error('Cannot allow this: it was not an account that asked')
  const { subject, session = '', isLocal, credential } = caller.identity
  if (credential !== undefined) {
    if (includesRole(await findClientRole({ db, clock }, subject, credential), needed)) return
  } else if (isLocal) {
    const access = await findSessionAccess({ db, settings }, subject, session, clock())
    if (includesRole(access?.role, needed) && (isFirstStep || access?.firstStep === undefined))
      return
  } else return
  throw new Problem(
    'token-refused',
    'Cannot do this: your session or role has ended, sign in again',
  )
}

/** The assertion of the device that calls; for operations that only devices may call. */
export function requireDevice(caller: Caller): DeviceAssertion {
  if (caller.kind !== 'device') throw new Error('Cannot serve this caller: it is not a device')
  return caller.assertion
}

/** The address that a request comes from, behind any trusted proxy. */
export function readClientAddress(
  services: Pick<AuthorizerServices, 'settings' | 'getPeerAddress'>,
  context: Context,
): string {
  return findClientAddress(
    services.getPeerAddress(context),
    context.req.header('x-forwarded-for'),
    services.settings.trustProxy,
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
      'Cannot respond to a web page: ask from a back end, so that no key gets into a page',
    )
  }
}

const readBearerToken = (context: Context) =>
  /^Bearer +([\w.~+/=-]+)$/i.exec(context.req.header('authorization') ?? '')?.[1]

function isApplicationToken(context: Context): boolean {
  try {
    return decodeProtectedHeader(readBearerToken(context) ?? '').typ === tokenKinds.application.typ
  } catch {
    return false
  }
}

async function authorizeRole(
  services: AuthorizerServices,
  context: Context,
  operation: Operation,
  needed: Role,
): Promise<Caller> {
  const identity = await verifyToken(services, context, (token) =>
    services.identity.identify(token),
  )
  if (identity.credential !== undefined && operation.programs === 'refused')
    throw createProgramProblem()
  requireFirstStep(identity, operation)
  if (!includesRole(identity.role, needed)) {
    throw new Problem(
      'role-missing',
      `Cannot allow this: it needs the role "${needed}", the token has ${identity.role === undefined ? 'none' : `"${identity.role}"`}`,
    )
  }
  return { kind: 'administrator', identity }
}

const createProgramProblem = () =>
  new Problem(
    'program-refused',
    'Cannot allow this to an API client: sign in with an account, only people manage accounts and API clients',
  )

async function authorizeApplication(
  services: AuthorizerServices,
  context: Context,
): Promise<Caller> {
  const { typ, audience } = tokenKinds.application
  const claims = await verifyToken(services, context, (token) =>
    services.keyring.verify('application', token, { typ, audience, issuer: services.url }),
  )
  return { kind: 'label', id: claims.sub ?? '' }
}

/** One text for every reason a token is refused; the reason is in the log. */
async function verifyToken<T>(
  services: AuthorizerServices,
  context: Context,
  verify: (token: string) => Promise<T>,
): Promise<T> {
  const token = readBearerToken(context)
  try {
    if (token === undefined) throw new Error('no bearer token')
    return await verify(token)
  } catch (error) {
    // Any other error is a failure of the service: the token must not be blamed for it.
    if (token !== undefined && !(error instanceof errors.JOSEError)) throw error
    services.log.warn('token refused', {
      requestId: context.get('requestId'),
      reason: error instanceof Error ? error.message : 'unknown',
    })
    throw new Problem(
      'token-refused',
      'Cannot accept the token: send "Authorization: Bearer …" with one that has not expired, or sign in again',
      {
        // RFC 6750 §3: no error code when no token was sent.
        headers: {
          'www-authenticate': token === undefined ? 'Bearer' : 'Bearer error="invalid_token"',
        },
      },
    )
  }
}

async function authorizeApiKey(
  services: AuthorizerServices,
  context: Context,
  noteKeyUse: (label: string) => Promise<void>,
): Promise<Caller> {
  const consumer = await findRequestOwner(services, context)
  if (consumer?.kind !== 'application') {
    // Wrong keys are limited by address. The right key works, whatever others send from the same address.
    await enforceLimit(
      services.limits,
      'failure',
      readClientAddress(services, context),
      tooManyRequests,
    )
    throw new Problem(
      'api-key-refused',
      'Cannot accept the API key: send the key of a label in the header "apikey"',
    )
  }
  await enforceLimit(services.limits, 'token', consumer.id, tooManyRequests)
  await noteKeyUse(consumer.id)
  return { kind: 'label', id: consumer.id }
}

/** A rollout installs many connectors behind one address. The limit has a separate setting, so that it does not depend on tokens. */
async function authorizeInstaller(services: AuthorizerServices, context: Context): Promise<Caller> {
  const version = await findInstallationKeyVersion(services, context)
  const address = readClientAddress(services, context)
  if (version === undefined) {
    await enforceLimit(services.limits, 'failure', address, tooManyRequests)
    throw createInstallationKeyProblem()
  }
  // Before the limit: a refused registration shows whose key it sent.
  context.set('keyVersion', version)
  const { limits } = services
  const action = nameLimitSetting(
    'accept more registrations from this address in a minute',
    limits.registrationSetting,
  )
  await enforceLimit(limits, 'registration', address, action)
  return { kind: 'installer', version }
}

type KeyServices = Parameters<typeof findRequestOwner>[0]

async function findInstallationKeyVersion(
  services: KeyServices,
  context: Context,
): Promise<string | undefined> {
  const consumer = await findRequestOwner(services, context)
  return consumer?.kind === 'registration' ? consumer.id : undefined
}

/** Throws when the installation key of a request was replaced since it was accepted. */
export async function requireInstallationKey(
  services: KeyServices,
  context: Context,
  version: string,
): Promise<void> {
  if ((await findInstallationKeyVersion(services, context)) !== version)
    throw createInstallationKeyProblem()
}

const createInstallationKeyProblem = () =>
  new Problem(
    'api-key-refused',
    'Cannot accept the API key: send the installation key of a version in the header "apikey"',
  )

/** The reason is in the log, because the response has no body. A client's key is checked by `gateway-check.ts`. */
function requireTrustedProxy(
  { settings, log, getPeerAddress }: AuthorizerServices,
  context: Context,
): void {
  const peer = getPeerAddress(context)
  if (isTrustedProxy(peer, settings.trustProxy)) return
  log.warn('gateway refused', {
    requestId: context.get('requestId'),
    peer,
    remedy: 'if it is your proxy, name it in DS_TRUST_PROXY',
  })
  throw new Problem('gateway-refused', 'Cannot check keys for this peer: it is no trusted proxy')
}

/** What was tried too often, for the message. */
const tooManyRequests = 'handle so many requests'

/** By which a proxy tells that it forwarded a request. */
const forwardingHeader = /^(forwarded|via|x-forwarded-.*|x-real-ip|x-client-ip|cf-connecting-ip)$/

/**
 * Whether a program of this machine sends a request to an address of this machine, and no proxy forwarded it. The public name
 * is none: a proxy passes it on.
 */
function isLocalRequest(
  { settings, getPeerAddress }: AuthorizerServices,
  context: Context,
): boolean {
  const { req } = context
  return (
    isLoopbackPeer(getPeerAddress(context)) &&
    isOwnHost(req.header('host'), [settings.host]) &&
    !Object.keys(req.header()).some((name) => forwardingHeader.test(name))
  )
}
