/** The id of an organization or label, derived from its name once. */
import { Problem } from '@cardwire/protocol'

/** The name in lower case without anything but a-z and 0-9; empty when nothing is left. */
export const toIdentifier = (name: string): string =>
  name.toLowerCase().replaceAll(/[^a-z0-9]/g, '')

/** The id that a name gives, or the problem that it gives none. */
export function deriveId(name: string): string {
  const id = toIdentifier(name)
  if (id !== '') return id
  throw new Problem(
    'input-invalid',
    `Cannot derive an id from "${name}": it has no Latin letter and no digit; create it with Latin letters or digits, then rename it`,
    {
      errors: [
        {
          path: 'name',
          message: 'Expected at least one of a-z, 0-9; it can be renamed afterwards',
        },
      ],
    },
  )
}
