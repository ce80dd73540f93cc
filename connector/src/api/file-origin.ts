/** The origin whose file types a request may use: the page's own. */
import { Problem } from '@cardwire/protocol/problem'
import type { Caller, PageCaller } from '../http/route-types.ts'
import type { OriginFileType } from '../user/consent/file-types.ts'
import type { ApiServices } from './api-services.ts'

/** Throws `management-refused`: a program has no origin, and reads the files of its user without us. */
export function requirePage(caller: Caller): PageCaller {
  if (caller.kind === 'page') return caller
  throw new Problem(
    'management-refused',
    'Cannot do this for a program: types of files belong to the origins of pages',
  )
}

/** Throws as `requirePage` does. */
export const requireOrigin = (caller: Caller): string => requirePage(caller).origin

/** Throws `file-type-unknown`, also for a type of another origin. */
export function requireType(
  { fileTypes }: Pick<ApiServices, 'fileTypes'>,
  caller: Caller,
  entity: string,
  type: string,
): OriginFileType {
  const found = fileTypes.find(requireOrigin(caller), entity, type)
  if (found) return found
  throw new Problem(
    'file-type-unknown',
    `Cannot find the type "${type}" of "${entity}": this origin has none`,
  )
}
