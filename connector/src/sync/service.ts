/** The distribution service as a connector asks it: assertions go out, problems come back as what to do about them. */
import {
  listSuccessions,
  ProblemBody,
  Registered,
  type Registration as RegistrationBody,
  registerDevice,
  serviceAudience,
} from '@cardwire/client/protocol'
import { calculateJwkThumbprint } from 'jose'
import * as z from 'zod/mini'
import type { Identity } from './identity.ts'
import type { Answer, Call, Link } from './link.ts'
import type { ReplyKey } from './reply.ts'
import { cannotFollow, followed, largestSuccessions, Successions } from './successions.ts'

/** Why the service did not do what it was asked; `code` is the word of its problem. */
export class ServiceRefusal extends Error {
  readonly code: string
  readonly retryAfterS: number | undefined

  constructor(code: string, description: string, retryAfterS?: number) {
    super(description)
    this.code = code
    this.retryAfterS = retryAfterS
  }
}

export interface Service {
  /** Throws ServiceRefusal, Unreachable. */
  register(request: RegisterRequest): Promise<Registration>
  /** What the keys of replies say of each other, for `followed`. Throws ServiceRefusal, Unreachable. */
  successions(): Promise<readonly string[]>
  /** Asks something of a registered device; `jti` is what a reply has to name. */
  ask(device: DeviceRequest): Promise<{ readonly answer: Answer; readonly jti: string }>
  /** Milliseconds that the clock of the service is ahead of ours, as far as is known. */
  offsetMs(): number
  correct(offsetMs: number): void
}

interface RegisterRequest {
  readonly installationKey: string
  readonly facts: Omit<RegistrationBody, 'key'>
  /** Fingerprints of the keys of replies; none: whatever comes is believed from now on. */
  readonly fingerprints: readonly string[]
}

interface Registration {
  readonly id: string
  readonly audience: string
  readonly replyKeys: readonly ReplyKey[]
  readonly cycle: number
}

export interface DeviceRequest {
  readonly device: string
  readonly audience: string
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly body?: { readonly type: string; readonly bytes: Uint8Array }
}

interface Parts {
  readonly dsUrl: string
  readonly identity: Identity
  readonly link: Link
  /** Milliseconds since 1970. */
  readonly clock: () => number
}

export function openService({ dsUrl, identity, link, clock }: Parts): Service {
  let offset = 0

  /** Sends it with an assertion; a clock that is wrong is corrected by the service's own, once. */
  async function send(
    call: Call,
    subject: string,
    audience: string,
    corrected = false,
  ): Promise<{ answer: Answer; jti: string }> {
    const body = call.body ?? new Uint8Array()
    const now = clock() + offset
    const { token, jti } = await identity.assert({ subject, audience, body, now })
    const answer = await link({
      ...call,
      headers: { ...call.headers, authorization: `Bearer ${token}` },
    })
    if (answer.status < 400) return { answer, jti }
    const refusal = refusalOf(answer)
    const date = Date.parse(answer.headers['date'] ?? '')
    if (refusal.code !== 'clock-skewed' || corrected || Number.isNaN(date)) throw refusal
    offset = date - clock()
    return send(call, subject, audience, true)
  }

  /** Anyone may ask for them, and whoever sends them proves nothing by it. */
  async function successions(): Promise<readonly string[]> {
    const answer = await link({
      method: 'GET',
      url: `${dsUrl}${listSuccessions.path}`,
      largest: largestSuccessions,
    })
    if (answer.status !== 200) throw refusalOf(answer)
    return dataOf(answer, Successions)
  }

  return {
    async register({ installationKey, fingerprints, facts }) {
      const body = new TextEncoder().encode(JSON.stringify({ key: identity.publicKey, ...facts }))
      const call: Call = {
        method: 'POST',
        url: `${dsUrl}${registerDevice.path}`,
        headers: { 'content-type': 'application/json', apikey: installationKey },
        body,
      }
      const { answer } = await send(call, identity.thumbprint, serviceAudience(dsUrl))
      const { id, url, replyKeys: offered, cycle } = dataOf(answer, Registered)
      const replyKeys = await pinned(offered, fingerprints, successions)
      return { id, audience: url, replyKeys, cycle }
    },
    successions,
    ask({ device, audience, method, path, body }) {
      const call: Call = {
        method,
        url: `${dsUrl}${path}`,
        ...(body && { headers: { 'content-type': body.type }, body: body.bytes }),
      }
      return send(call, device, audience)
    },
    offsetMs: () => offset,
    correct(offsetMs) {
      offset = offsetMs
    },
  }
}

/**
 * Of the keys that are offered those that the installer named, all of them where it named none; where the service has
 * none of these any more, those that the named ones vouch for.
 */
async function pinned(
  offered: readonly ReplyKey[],
  fingerprints: readonly string[],
  successions: Service['successions'],
): Promise<readonly ReplyKey[]> {
  const own = await Promise.all(
    offered.map(async (key) => ((await calculateJwkThumbprint(key)) === key.kid ? [key] : [])),
  )
  const among = (kids: readonly string[]) => own.flat().filter(({ kid }) => kids.includes(kid))
  const named = fingerprints.length === 0 ? own.flat() : among(fingerprints)
  if (named.length > 0) return named
  const unknown =
    'Cannot believe the service: none of its keys has a fingerprint of CARDWIRE_DS_FINGERPRINTS'
  const words = await successions().catch((error) => {
    throw new ServiceRefusal('fingerprint-unknown', `${unknown}; ${cannotFollow(error)}`)
  })
  const reached = among((await followed(words, fingerprints)).map(({ kid }) => kid))
  if (reached.length > 0) return reached
  throw new ServiceRefusal('fingerprint-unknown', `${unknown}, or follows one that has`)
}

/** What stands in the envelope of an answer. Throws ServiceRefusal when it is not what the contract says. */
export function dataOf<S extends z.ZodMiniType>({ body }: Answer, schema: S): z.output<S> {
  try {
    const envelope = z.parse(Envelope, JSON.parse(new TextDecoder().decode(body)))
    return z.parse(schema, envelope.data)
  } catch {
    throw new ServiceRefusal(
      'answer-unreadable',
      'It does not answer as a distribution service does: something else stands between',
    )
  }
}

const Envelope = z.object({ success: z.literal(true), data: z.unknown() })

function refusalOf({ status, headers, body }: Answer): ServiceRefusal {
  const retryAfterS = secondsOf(headers['retry-after'], headers['date'])
  try {
    const problem = z.parse(ProblemBody, JSON.parse(new TextDecoder().decode(body)))
    return new ServiceRefusal(problem.code, problem.description, retryAfterS)
  } catch {
    // A proxy on the way, or no service of ours at all.
    return new ServiceRefusal(`status-${status}`, `It answered with status ${status}`, retryAfterS)
  }
}

/** Seconds, or a time (RFC 9110 §10.2.3) on the clock that `date` was read from: ours may be wrong. */
function secondsOf(retryAfter: string | undefined, date: string | undefined): number | undefined {
  if (retryAfter === undefined) return undefined
  const seconds = /^\d+$/.test(retryAfter)
    ? Number(retryAfter)
    : (Date.parse(retryAfter) - (Date.parse(date ?? '') || Date.now())) / 1000
  return Number.isNaN(seconds) ? undefined : seconds
}
