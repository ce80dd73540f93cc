/** Files of operations, which a link in a page downloads. */
import { readProblem } from './api.ts'
import type { PageContext } from './page-env.ts'

/** Sends what the operation at `address` sends, as it comes. Throws `ApiProblem` when it is refused. */
export async function sendDownload(
  { var: { api } }: PageContext,
  address: string,
): Promise<Response> {
  const response = await api.send('GET', address)
  if (!response.ok) throw await readProblem(response)
  const headers = ['content-type', 'content-disposition', 'cache-control'].flatMap((name) => {
    const value = response.headers.get(name)
    return value === null ? [] : [[name, value] as [string, string]]
  })
  return new Response(response.body, { headers })
}
