/** What a configuration has and its form does not know: it was stored by a newer version of the service. */
import { type Configuration, ConfigurationInput } from '@cardwire/protocol'

/** What somebody can correct in the field that has it. */
const correctable: readonly string[] = ['custom', 'invalid_format', 'too_big', 'too_small']

/** Their names, as `config.cards.grants.0.limit`. Storing the form would remove them, or make another choice of them. */
export function findUnknownParts({ type, versionId, config }: Configuration): readonly string[] {
  // A keystore is changed field by field, and keeps what its form does not know.
  if (type === 'SSL_KEYSTORE') return []
  const { error } = ConfigurationInput.safeParse({ type, versionId, config })
  return (error?.issues ?? [])
    .filter(({ code }) => !correctable.includes(code))
    .flatMap((issue) =>
      issue.code === 'unrecognized_keys'
        ? issue.keys.map((key) => [...issue.path, key].join('.'))
        : [issue.path.join('.')],
    )
}
