/** The distribution service as a connector asks it: assertions go out, problems come back as what to do about them. */
import {
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
      const { id, url, replyKeys, cycle } = dataOf(answer, Registered)
      return { id, audience: url, replyKeys: await pinned(replyKeys, fingerprints), cycle }
    },
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

/** Of the keys that are offered those that the installer named; all of them where it named none. */
async function pinned(
  offered: readonly ReplyKey[],
  fingerprints: readonly string[],
): Promise<readonly ReplyKey[]> {
  const named = await Promise.all(
    offered.map(async (key) => {
      const fingerprint = await calculateJwkThumbprint(key)
      const known = fingerprints.length === 0 || fingerprints.includes(fingerprint)
      return known && key.kid === fingerprint ? [key] : []
    }),
  )
  const keys = named.flat()
  if (keys.length === 0)
    throw new ServiceRefusal(
      'fingerprint-unknown',
      'Cannot believe the service: none of its keys has a fingerprint of CARDWIRE_DS_FINGERPRINTS',
    )
  return keys
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
  const retryAfterS = secondsOf(headers['retry-after'])
  try {
    const problem = z.parse(ProblemBody, JSON.parse(new TextDecoder().decode(body)))
    return new ServiceRefusal(problem.code, problem.description, retryAfterS)
  } catch {
    // A proxy on the way, or no service of ours at all.
    return new ServiceRefusal(`status-${status}`, `It answered with status ${status}`, retryAfterS)
  }
}

/** Seconds, or a time (RFC 9110 §10.2.3). */
function secondsOf(retryAfter: string | undefined): number | undefined {
  if (retryAfter === undefined) return undefined
  const seconds = /^\d+$/.test(retryAfter)
    ? Number(retryAfter)
    : (Date.parse(retryAfter) - Date.now()) / 1000
  return Number.isNaN(seconds) ? undefined : seconds
}
