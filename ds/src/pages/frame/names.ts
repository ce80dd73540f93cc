/** The names of what a list only has the ids of. */
import { ApiProblem } from './api.ts'
import { attempt } from './change.tsx'

/** The name of each id, read once; what is gone, or has no name, keeps its id. */
export async function readNames(
  ids: readonly string[],
  read: (id: string) => Promise<string | undefined>,
): Promise<(id: string) => string> {
  const names = new Map<string, string>()
  await Promise.all(
    [...new Set(ids)].map(async (id) => {
      const name = await attempt(read(id))
      if (typeof name === 'string' && name !== '') names.set(id, name)
      else if (name instanceof ApiProblem && name.status >= 500) throw name
    }),
  )
  return (id) => names.get(id) ?? id
}
