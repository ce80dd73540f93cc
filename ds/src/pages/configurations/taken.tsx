/** The configurations that a version has already, where another one of their types is refused: named, with links. */
import {
  type Configuration,
  type ConfigurationType,
  listConfigurations,
} from '@cardwire/client/protocol'
import type { PageContext } from '../frame/page-env.ts'
import { readTexts } from '../frame/texts.ts'
import { toConfigurationAddress } from './configuration-data.ts'

type Listed = Pick<Configuration, 'id' | 'type' | 'versionId'>

/** Those of a version, by type; of all types when absent. */
export async function findOfVersion(
  context: PageContext,
  versionId: string,
  type?: ConfigurationType,
): Promise<readonly Listed[]> {
  const query = { versionId, type, size: '10' }
  return (await context.var.api.call(listConfigurations, { query })).data.items
}

/** `sentence`: what is wrong, and what to do with them. */
export const TakenNote = ({
  sentence,
  taken,
}: {
  readonly sentence: string
  readonly taken: readonly Listed[]
}) => (
  <div class="error" role="alert">
    <p>{sentence}</p>
    <ul>
      {taken.map(({ id, type, versionId }) => (
        <li>
          <a href={toConfigurationAddress(id)}>
            {readTexts().configurations.types[type].title(versionId)}
          </a>
        </li>
      ))}
    </ul>
  </div>
)
