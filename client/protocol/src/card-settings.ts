/** What an administrator says about cards: grants for pages, PKCS #11 libraries, folders for files. */
import * as z from 'zod/mini'
import { AllowedOrigin } from './origin.ts'
import { Platform } from './platform.ts'
import { Sha256 } from './version.ts'

/** What a page may do only when the administrator allows it for its origin. */
export const Grant = z
  .enum(['raw', 'page-pin', 'pan', 'bulk', 'print', 'raw-authenticate'])
  .check(
    z.describe(
      'raw: send commands to the card; page-pin: collect the PIN on the page; pan: read full card numbers; bulk: make several signatures with one PIN entry; print: send raw data to printers; raw-authenticate: sign any digest with an authentication key',
    ),
  )
export type Grant = z.output<typeof Grant>

/** They bound the size of a reply to a connector. */
const maxEntries = { grants: 200, aids: 50, libraries: 50, atrs: 100, folders: 200 }

/** With a wildcard every host below another would have it, which nobody should give. */
const GrantedOrigin = AllowedOrigin.check(
  z.refine((origin) => !origin.includes('*'), 'expected one origin, without *'),
)

/** Forms and people lose them. */
const hasOuterSpaces = (text: string) => text !== text.trim()

const pathFault = (path: string, isWindows: boolean): string | undefined => {
  if (hasOuterSpaces(path)) return 'expected a path without spaces at its ends'
  if (/\p{Cc}/u.test(path)) return 'expected a path without control characters'
  if (path.split(isWindows ? /[\\/]/ : '/').includes('..')) return 'expected a path without ..'
  // A colon further on is the name of a stream (NTFS).
  if (isWindows && !/^[a-z]:[\\/][^:]+$/i.test(path))
    return 'expected an absolute path with a drive, such as C:\\Program Files\\Library\\library.dll'
  if (!isWindows && !/^\/[^/]/.test(path)) return 'expected an absolute path, such as /usr/lib'
  return undefined
}
const maxPathLength = 1024
const path = z.string().check(z.minLength(1), z.maxLength(maxPathLength))

/** A library whose tokens are used like cards. */
export const CardLibrary = z
  .strictObject({
    os: Platform,
    path: path.check(z.describe("An absolute path, in the system's format")),
    sha256: Sha256,
    atrs: z._default(
      z
        .array(
          z
            .string()
            .check(
              z.regex(/^(?:[0-9A-Fa-f]{2}){2,33}$/, 'expected an ATR: 2 to 33 bytes as hex digits'),
              z.toUpperCase(),
            ),
        )
        .check(z.maxLength(maxEntries.atrs)),
      [],
    ),
    ownReaders: z.optional(
      z
        .boolean()
        .check(
          z.describe(
            'Its tokens do not use the readers of the system; each token is listed as a reader',
          ),
        ),
    ),
  })
  .check((input) => {
    const { os, path: value } = input.value
    const message = pathFault(value, os === 'WIN32' || os === 'WIN64')
    if (message) input.issues.push({ code: 'custom', message, input: value, path: ['path'] })
  })
export type CardLibrary = z.output<typeof CardLibrary>

const name = z.string().check(
  z.minLength(1),
  z.maxLength(255),
  z.refine((text) => !/[\p{Cc}/\\]/u.test(text), 'expected a name without / and \\'),
  z.refine((text) => !hasOuterSpaces(text), 'expected a name without spaces at its ends'),
)

/** A folder whose files a page may read and write. */
export const CardFolder = z
  .strictObject({
    origin: GrantedOrigin,
    entity: name,
    type: name,
    path: path.check(
      z.describe('An absolute path; with a drive letter, it applies only to Windows'),
    ),
  })
  .check((input) => {
    const { path: value } = input.value
    const message = pathFault(value, !value.startsWith('/'))
    if (message) input.issues.push({ code: 'custom', message, input: value, path: ['path'] })
  })
export type CardFolder = z.output<typeof CardFolder>

/** Application identifiers have 5 to 16 bytes (ISO/IEC 7816-4 §8.2.1.2). */
const Aid = z
  .string()
  .check(
    z.regex(/^(?:[0-9A-Fa-f]{2}){5,16}$/, 'expected an application: 5 to 16 bytes as hex digits'),
    z.toUpperCase(),
  )
const aids = z.optional(
  z
    .array(Aid)
    .check(z.maxLength(maxEntries.aids), z.describe('raw: the applications that may be selected')),
)

const CardGrant = z.strictObject({
  origin: GrantedOrigin,
  allow: z.array(Grant).check(z.maxLength(Grant.options.length)),
  aids,
})

/** As administrators write them; every mistake is refused. */
export const CardSettings = z.strictObject({
  grants: z._default(z.array(CardGrant).check(z.maxLength(maxEntries.grants)), []),
  libraries: z._default(z.array(CardLibrary).check(z.maxLength(maxEntries.libraries)), []),
  folders: z._default(z.array(CardFolder).check(z.maxLength(maxEntries.folders)), []),
})
export type CardSettings = z.output<typeof CardSettings>

/** The same in a reply to a connector: the service may be newer, and say more than the connector knows. */
export const SentCardSettings = z.object({
  grants: z.array(z.unknown()),
  libraries: z.array(z.unknown()),
  folders: z.array(z.unknown()),
})

const SentGrant = z.object({
  origin: GrantedOrigin,
  allow: z.array(z.string()),
  aids: z.optional(z.array(z.unknown())),
})
const isGrant = (word: string): word is Grant => Grant.options.some((known) => known === word)

/** The entries that are valid: one that is not allows nothing, and costs the others nothing. */
export const parseCardSettings = (sent: z.output<typeof SentCardSettings>): CardSettings => ({
  grants: parseEach(SentGrant, sent.grants).map(({ origin, allow, aids }) => ({
    origin,
    allow: allow.filter(isGrant),
    ...(aids && { aids: parseEach(Aid, aids) }),
  })),
  libraries: parseEach(CardLibrary, sent.libraries),
  folders: parseEach(CardFolder, sent.folders),
})

const parseEach = <S extends z.ZodMiniType>(schema: S, entries: readonly unknown[]) =>
  entries.flatMap((entry) => {
    const result = z.safeParse(schema, entry)
    return result.success ? [result.data] : []
  })
