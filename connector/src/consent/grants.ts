/** What the administrator lets pages of an origin do beyond what every page with consent may, from a file of settings. */
import { AllowedOrigin } from '@cardwire/client/protocol'
import * as z from 'zod/mini'
import { readSmallFile } from '../small-file.ts'
import { errorText } from '../system/error-text.ts'
import type { Log } from '../system/log.ts'

/** `raw-authenticate`: signing digests of the page's choice with a key that people authenticate with. */
const Grant = z.enum(['raw-authenticate'])
export type Grant = z.output<typeof Grant>

export type HasGrant = (origin: string, grant: Grant) => boolean

/** With a wildcard every host below another would have the grant, which nobody should give. */
const GrantedOrigin = AllowedOrigin.check(
  z.refine((origin) => !origin.includes('*'), 'expected one origin, without *'),
)

const CardSettings = z.strictObject({
  grants: z._default(
    z
      .array(z.strictObject({ origin: GrantedOrigin, allow: z.array(Grant) }))
      .check(z.maxLength(200)),
    [],
  ),
})

/** Bytes; two hundred origins are 30 kB. */
const maxBytes = 262_144

/** Reads the file once. Throws when it cannot be used: a grant that is left out would be one that nobody notices. */
export async function openGrants(
  path: string | undefined,
  log: Pick<Log, 'info'>,
): Promise<HasGrant> {
  if (path === undefined) return () => false
  const { grants } = await readCardSettings(path)
  log.info('grants for cards', { origins: grants.length })
  return (origin, grant) => grants.some((one) => one.origin === origin && one.allow.includes(grant))
}

async function readCardSettings(path: string): Promise<z.output<typeof CardSettings>> {
  const uid = process.getuid?.()
  try {
    // Of this person or the administrator, so that no other account grants itself anything.
    const owners = uid === undefined ? undefined : [uid, 0]
    // A mode says nothing where there are no user ids.
    const text = await readSmallFile(path, maxBytes, owners, owners ? 'owner' : 'anyone')
    return z.parse(CardSettings, JSON.parse(text))
  } catch (error) {
    throw new Error(`Cannot read CARDWIRE_CARDS, "${path}": ${errorText(error)}`)
  }
}
