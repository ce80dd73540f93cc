/** Reads the form of a response of the distribution service: its data, or its problem as an error. `verify-reply.ts` verifies signed replies. */

import { toPrintableLine } from '@cardwire/protocol/printable'
import * as z from 'zod/mini'
import type { HttpResponse } from './transport.ts'

/** A statement in which the service itself refuses, for `verifyRefusal`. */
export interface UnverifiedRefusal {
  /** A compact JWS. */
  readonly statement: string
  /** The id of the assertion that was refused. */
  readonly jti: string
}

/** The service refused a request, or something else responded; `code` is the name of the problem. */
export class DsError extends Error {
  readonly code: string
  readonly retryAfterS: number | undefined
  readonly refusal: UnverifiedRefusal | undefined

  constructor(
    code: string,
    description: string,
    retryAfterS?: number,
    refusal?: UnverifiedRefusal,
  ) {
    super(description)
    this.code = code
    this.retryAfterS = retryAfterS
    this.refusal = refusal
  }
}

/** No signature protects it, and it goes into logs, faults and the terminal: short, and a name where a name belongs. */
const UnsignedProblem = z.object({
  code: z.string().check(z.regex(/^[a-z][a-z0-9-]{0,63}$/)),
  description: z.pipe(
    z.string(),
    z.transform((text) => toPrintableLine(text.slice(0, maxDescriptionLength))),
  ),
  refusal: z.optional(z.string().check(z.maxLength(4096))),
})

/** Characters. */
const maxDescriptionLength = 1000

const Envelope = z.object({ success: z.literal(true), data: z.unknown() })

/** The data in the envelope of a response. Throws DsError when it does not have the form of the contract. */
export function readData<S extends z.ZodMiniType>({ body }: HttpResponse, schema: S): z.output<S> {
  try {
    const envelope = z.parse(Envelope, JSON.parse(new TextDecoder().decode(body)))
    return z.parse(schema, envelope.data)
  } catch {
    throw new DsError(
      'answer-unreadable',
      'The response is not from a distribution service; a proxy or another program may have sent it',
    )
  }
}

/**
 * The problem in a response whose status is an error. `clock` gives milliseconds since 1970; `jti` is the id of the
 * assertion that the request was sent with.
 */
export function toDsError(
  { status, headers, body }: HttpResponse,
  clock: () => number,
  jti?: string,
): DsError {
  const retryAfterS = parseRetryAfter(headers['retry-after'], headers['date'], clock)
  try {
    const {
      code,
      description,
      refusal: statement,
    } = z.parse(UnsignedProblem, JSON.parse(new TextDecoder().decode(body)))
    const refusal = statement !== undefined && jti !== undefined ? { statement, jti } : undefined
    return new DsError(code, description, retryAfterS, refusal)
  } catch {
    // From a proxy, or from a server that is no distribution service.
    return new DsError(`status-${status}`, `It responded with status ${status}`, retryAfterS)
  }
}

/** Seconds, or a time (RFC 9110 §10.2.3) relative to the `date` of the same response: our clock may be wrong. */
function parseRetryAfter(
  retryAfter: string | undefined,
  date: string | undefined,
  clock: () => number,
): number | undefined {
  if (retryAfter === undefined) return undefined
  const seconds = /^\d+$/.test(retryAfter)
    ? Number(retryAfter)
    : (Date.parse(retryAfter) - (Date.parse(date ?? '') || clock())) / 1000
  return Number.isNaN(seconds) ? undefined : seconds
}
