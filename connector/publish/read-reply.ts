/** Reads replies of the distribution service. Another server may answer in its place, with anything. */
import * as z from 'zod'
import { PublishError } from './options.ts'

export interface Reply {
  readonly status: number
  readonly text: string
}

/** Bytes; the version with the most installers takes a few thousand. */
const maxBytes = 1024 * 1024
/** Characters, as in a problem of the contract. */
const maxDescriptionLength = 1000

const Reason = z.union([
  z.object({ description: z.string() }).transform(({ description }) => description),
  z.object({ error_description: z.string() }).transform((error) => error.error_description),
])

/** The body of a reply, as text. Throws a PublishError when it is too long. */
export async function readText(
  origin: string,
  body: AsyncIterable<Uint8Array> | null,
): Promise<string> {
  const parts: Uint8Array[] = []
  let length = 0
  for await (const part of body ?? []) {
    length += part.length
    if (length > maxBytes)
      throw new PublishError(
        `Cannot use ${origin}: its response is longer than that of a distribution service`,
      )
    parts.push(part)
  }
  return Buffer.concat(parts).toString()
}

/** What a reply says, in the form of `schema`. Throws a PublishError that names `act` and the reason. */
export function readReply<S extends z.ZodType>(
  { status, text }: Reply,
  schema: S,
  act: string,
): z.output<S> {
  const json = parseJson(text)
  if (status >= 300) {
    const reason = Reason.safeParse(json).data?.slice(0, maxDescriptionLength)
    throw new PublishError(`Cannot ${act}: ${reason ?? `the service responded with ${status}`}`)
  }
  const { data, success } = schema.safeParse(json)
  if (success) return data
  throw new PublishError(
    `Cannot ${act}: the response is not from a distribution service; give its URL to --ds`,
  )
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
