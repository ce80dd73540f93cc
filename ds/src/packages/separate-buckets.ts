/** Whether the two buckets of a Worker are two: from one, anyone could download the keystores. */
import type { Random } from '../ports.ts'
import { SettingsError } from '../settings.ts'

/** An object with a random text. No `file:///` address names it, because a segment of its path is empty. */
const marker = 'cardwire//bucket'

/** Throws a SettingsError when both bindings name one bucket, which a binding does not say. */
export async function requireSeparateBuckets(
  packages: R2Bucket,
  keystores: R2Bucket,
  random: Random,
): Promise<void> {
  // Conditional: of isolates that start at once, one stores its text.
  const onlyIf = new Headers({ 'if-none-match': '*' })
  if (!(await keystores.head(marker))) await keystores.put(marker, random.uuid(), { onlyIf })
  const [one, other] = await Promise.all([packages, keystores].map(readMarker))
  if (one !== undefined && one === other)
    throw new SettingsError([
      'PACKAGES, KEYSTORES: both name the same bucket, from which anyone could download the keystores. Bind KEYSTORES to another one, and move the keystores there',
    ])
}

const readMarker = async (bucket: R2Bucket): Promise<string | undefined> =>
  (await bucket.get(marker))?.text()
