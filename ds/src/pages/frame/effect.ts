/** What a confirmation has shown beside its numbers: a change that does something else by now is shown again before it is made. */
import type { VersionReach } from '@cardwire/protocol'
import { bytesToHex } from '../../rules/encoding.ts'
import type { Form } from './form.ts'

/** The field of a confirmation with the digest of its effect. */
export const effectField = 'effect'

/** Which devices get what, without how many they are: `maxReach` limits that. */
export const listEffects = ({ changes, lostSites: { items, total } }: VersionReach) => ({
  changes: changes.map(({ count: _, ...what }) => JSON.stringify(what)).toSorted(),
  // Of a longer list the first ones have the most devices, and others come and go.
  lostSites: items.length === total ? items.map(({ origin }) => origin).toSorted() : total,
})

/** A SHA-256, hex. */
export async function digestEffect(...effects: readonly unknown[]): Promise<string> {
  const bytes = new TextEncoder().encode(JSON.stringify(effects))
  return bytesToHex(new Uint8Array(await crypto.subtle.digest('SHA-256', bytes)))
}

/** Whether the form confirms another effect than that of the change now. A form that confirms nothing has none. */
export const isOtherEffect = (form: Form, effect: string | undefined): boolean =>
  effect !== undefined && form.has(effectField) && form.text(effectField) !== effect
