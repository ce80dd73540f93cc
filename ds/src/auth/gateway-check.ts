/** Checks the API key that a client has sent to a trusted proxy, by the limits of all checks of keys. */
import { Problem } from '@cardwire/protocol'
import type { Context } from 'hono'
import type { Database } from '../db/database.ts'
import { hashKey } from '../gateway/builtin-keys.ts'
import type { Consumer, Gateway } from '../gateway/gateway.ts'
import { nameHash } from '../gateway/names.ts'
import { findKeyOwner } from '../gateway/owners.ts'
import type { Clock, Digest, Limits, Log } from '../ports.ts'
import type { Settings } from '../settings.ts'
import { readClientAddress } from './authorize.ts'
import { createKeyUses } from './key-uses.ts'
import { enforceLimit } from './rate-limit.ts'

interface CheckServices {
  readonly settings: Settings
  readonly db: Database
  readonly clock: Clock
  readonly digest: Digest
  readonly gateway: Gateway
  readonly limits: Limits
  readonly log: Log
  readonly getPeerAddress: (context: Context) => string
}

/** A key that is valid: whose it is, and its name. */
export interface CheckedKey {
  readonly consumer: Consumer
  readonly credential: string
}

/** Returns a function that finds the owner of a request's key, or throws a problem. */
export function createGatewayCheck(services: CheckServices) {
  const noteKeyUse = createKeyUses(services)
  const { limits, digest } = services
  return async (wanted: Consumer['kind'], context: Context): Promise<CheckedKey> => {
    const key = context.req.header('apikey') ?? ''
    const address = readClientAddress(services, context)
    const consumer = await findKeyOwner(services, key)
    if (consumer?.kind !== wanted) {
      await enforceLimit(limits, 'failure', address, action)
      if (consumer === undefined) throw createUnknownProblem()
      throw new Problem('api-key-unsuitable', `Cannot accept the API key: it is no ${wanted} key`)
    }
    if (wanted === 'application') {
      await enforceLimit(limits, 'token', consumer.id, action)
      await noteKeyUse(consumer.id)
    } else await enforceLimit(limits, 'registration', address, action)
    return { consumer, credential: await nameHash(digest, await hashKey(digest, key)) }
  }
}

/** What was tried too often, for the message. */
const action = 'check so many keys'

const createUnknownProblem = () =>
  new Problem('api-key-refused', 'Cannot accept the API key: it is unknown', {
    // RFC 9110 §15.5.2: a 401 names a scheme. It is the one that Kong names.
    headers: { 'www-authenticate': 'Key realm="cardwire"' },
  })
