/** Whose process sends a request to the registry: a browser, or an API. */
import type { Context } from 'hono'
import type { ApiEnv } from '../api/bind.ts'
import type { RegistryServices } from './services.ts'

/** As the system names users; undefined where it does not tell. */
export async function userOf(
  { ownerOf }: Pick<RegistryServices, 'ownerOf'>,
  { env }: Context<ApiEnv>,
): Promise<string | undefined> {
  const owner = await ownerOf(env.peer, env.port)
  return owner.kind === 'unknown' ? undefined : owner.user
}
