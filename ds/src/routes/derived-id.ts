/** The id that a name gives, or the problem that it gives none. */
import { Problem } from '@cardwire/client/protocol'
import { identifierOf } from '../rules/identifier.ts'

export function derivedId(name: string): string {
  const id = identifierOf(name)
  if (id !== '') return id
  throw new Problem(
    'input-invalid',
    `Cannot derive an id from "${name}": it holds neither a-z nor 0-9`,
    {
      errors: [{ path: 'name', message: 'Expected at least one of a-z, 0-9' }],
    },
  )
}
