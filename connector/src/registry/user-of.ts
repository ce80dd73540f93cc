/** Whose process sends a request to the registry: a browser, or an API. */
import { Problem } from '@cardwire/client/protocol'
import type { Context } from 'hono'
import type { ApiEnv } from '../api/bind.ts'
import type { RegistryServices } from './services.ts'

/** As the system names users; undefined where it does not tell. Throws `caller-refused` when nobody is there any more. */
export async function userOf(
  { ownerOf }: Pick<RegistryServices, 'ownerOf'>,
  { env }: Context<ApiEnv>,
): Promise<string | undefined> {
  const owner = await ownerOf(env.peer, env.port)
  if (owner.kind === 'gone') {
    throw new Problem('caller-refused', 'Cannot answer: the connection was closed meanwhile')
  }
  return owner.kind === 'unknown' ? undefined : owner.user
}
