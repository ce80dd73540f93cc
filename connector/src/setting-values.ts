/** The forms that values of settings have: texts, as files, the environment and flags give them. */
import { isAbsolute } from 'node:path'
import { describeIssue } from '@cardwire/protocol/issue-words'
import { isLoopbackHost } from '@cardwire/protocol/loopback'
import { AllowedOrigin } from '@cardwire/protocol/origin'
import { maxReportedTags, Tag } from '@cardwire/protocol/tag'
import * as z from 'zod'

z.config({ customError: describeIssue })

export const list = <S extends z.ZodType<unknown, string>>(schema: S) =>
  z
    .string()
    .transform((text) =>
      text
        .split(',')
        .map((part) => part.trim())
        .filter(Boolean),
    )
    .pipe(z.array(schema))

// Not 0, with which the system chooses: everybody has to know where the registry is.
const expectedPort = 'expected a port number from 1 to 65535'
const portNumber = z.int().min(1, expectedPort).max(65_535, expectedPort)

export const port = z
  .string()
  .regex(/^\d{1,5}$/, expectedPort)
  .transform(Number)
  .pipe(portNumber)

/** A range such as 25100-25199, both included. */
export const portRange = z
  .string()
  .regex(/^\d{1,5}-\d{1,5}$/, 'expected a range of ports such as 25100-25199')
  .transform((text) => {
    const [first = 0, last = 0] = text.split('-').map(Number)
    return { first, last }
  })
  .pipe(z.object({ first: portNumber, last: portNumber }))
  .refine(({ first, last }) => first <= last, 'expected the first port before the last')

/** A number of at least one. */
export const count = (max: number) => {
  const expected = `expected a number from 1 to ${max}`
  return z
    .string()
    .regex(/^\d{1,9}$/, expected)
    .transform(Number)
    .pipe(z.int().min(1, expected).max(max, expected))
}

export const onOff = z
  .enum(['on', 'off'], { error: 'expected on or off' })
  .transform((value) => value === 'on')

export const updateOffers = z
  .enum(['offer', 'off'], { error: 'expected offer or off' })
  .transform((value) => value === 'offer')

/** An address whose answers the network cannot change: without TLS only on this machine. */
const protectedUrl = z
  .url({ protocol: /^https?$/ })
  .refine((url) => /^https:/i.test(url) || isLoopbackHost(URL.parse(url)?.hostname ?? ''))

/** The address of the distribution service, without a final slash. */
export const serviceUrl = protectedUrl.transform((url) => url.replace(/\/+$/, ''))

/** A relative path would mean another file in each folder that the connector is started in. */
export const absolutePath = z.string().refine(isAbsolute)

/** The address of a key set, or its file. */
export const urlOrPath = z.union([protectedUrl, absolutePath])

/** A value that may be empty; `expected` describes any other value. */
export const optional = (schema: z.ZodType<string, string>, expected: string) =>
  z.string().transform((text, context) => {
    if (text === '') return text
    const result = schema.safeParse(text)
    if (result.success) return result.data
    context.issues.push({ code: 'custom', message: `expected ${expected}`, input: text })
    return z.NEVER
  })

// RFC 7638, SHA-256, base64url.
export const fingerprint = z.string().regex(/^[\w-]{43}$/, 'expected fingerprints of 43 characters')

// A host name or an address, for the local certificate.
export const host = z
  .string()
  .toLowerCase()
  .regex(
    /^([a-z0-9]([a-z0-9-]*[a-z0-9])?\.)*[a-z0-9-]+$|^[0-9a-f:.]+$/,
    'expected a host name or an address',
  )

export const origin = z.string().pipe(AllowedOrigin)

/** Each tag once. */
export const tags = list(z.string().pipe(Tag))
  .transform((all) => [...new Set(all)])
  .refine((all) => all.length <= maxReportedTags, `expected at most ${maxReportedTags} tags`)
