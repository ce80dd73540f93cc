/** The versions to choose from in a field. */
import { listVersions } from '@cardwire/protocol'
import type { PageContext } from '../frame/page-env.ts'

/** The latest hundred. */
export async function listVersionIds(context: PageContext): Promise<readonly string[]> {
  const { data } = await context.var.api.call(listVersions, { query: { size: '100' } })
  return data.items.map(({ id }) => id)
}

/** For a field whose `list` is `versions`. */
export const VersionList = ({ ids }: { readonly ids: readonly string[] }) => (
  <datalist id="versions">
    {ids.map((id) => (
      <option value={id}></option>
    ))}
  </datalist>
)
