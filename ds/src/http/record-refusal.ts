/** Records a refused registration: a line in the log, and a row that administrators list. */
import type { Problem } from '@cardwire/protocol'
import type { Context } from 'hono'
import { decodeJwt } from 'jose'
import { readClientAddress } from '../auth/authorize.ts'
import { describeError } from '../db/describe-error.ts'
import { storeRefusal } from '../db/refusals.ts'
import type { Services } from '../services.ts'
import type { AppEnv } from './bind.ts'

/**
 * An administrator looks for a device that does not come: it is recorded from where it tried, and what was wrong. Never
 * fails. Of an address as many are stored in a minute as may fail, of all as many as may register from an address: the log has
 * the others.
 */
export function createRefusalRecorder({ db, clock, limits, log, metrics, ...services }: Services) {
  return async (context: Context<AppEnv>, { name, message }: Problem): Promise<void> => {
    const requestId = context.get('requestId')
    const address = readClientAddress(services, context)
    const keyVersion = context.get('keyVersion')
    log.warn('registration refused', {
      requestId,
      address,
      ...(keyVersion !== undefined && { version: keyVersion }),
      reason: name,
      detail: message,
    })
    const claimed = context.get('claimedDevice')
    metrics?.countRefusal(name)
    const { fingerprint = readSubject(context), version, platform, hostname } = claimed ?? {}
    try {
      if ((await limits.consume('failure', `refusals stored of ${address}`)) !== undefined) return
      if ((await limits.consume('registration', 'refusals stored')) !== undefined) return
      const device = { version: version ?? null, platform: platform ?? null }
      const refusal = { address, reason: name, fingerprint, detail: message, requestId, ...device }
      const known = { keyVersion: keyVersion ?? null, hostname: hostname ?? null }
      await storeRefusal(db, { ...refusal, ...known }, clock())
    } catch (error) {
      log.error('rejected registration not stored', { requestId, error: describeError(error) })
    }
  }
}

/** The fingerprint that the assertion names, unverified; empty when there is none. */
function readSubject(context: Context): string {
  try {
    const token = /^Bearer +(\S+)$/i.exec(context.req.header('authorization') ?? '')?.[1] ?? ''
    const { sub } = decodeJwt(token)
    return typeof sub === 'string' && /^[\w-]{43}$/.test(sub) ? sub : ''
  } catch {
    return ''
  }
}
