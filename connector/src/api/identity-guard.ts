/** Lets a caller read the identity data of a card: a page after one question for its origin and module, a program after one each time. */
import { Problem } from '@cardwire/protocol/problem'
import type { Context } from 'hono'
import type { ApiEnv, PageCaller } from '../http/route-types.ts'
import { errorText } from '../system/error-text.ts'
import type { HolderData } from '../user/dialogs/identity-request.ts'
import type { AccessServices } from './access-watch.ts'
import type { ApiServices } from './api-services.ts'
import { createDialogWatch, type DialogWatch } from './dialog-watch.ts'
import type { FoundCard } from './find-card.ts'

export type IdentityGuardServices = Pick<
  ApiServices,
  'readers' | 'cardAccess' | 'askForIdentity' | 'identityPermissions' | 'log'
> &
  AccessServices

/**
 * Reads when the data may be read, and answers what was read while they still may be; otherwise throws the problem for the
 * caller. The signal ends a read that waits for its turn, too. `data`: all that the permission is for, as the question names it.
 */
export type ReadWithPermission = <T>(
  context: Context<ApiEnv>,
  card: FoundCard,
  data: readonly HolderData[],
  read: (signal: AbortSignal) => Promise<T>,
) => Promise<T>

export function createIdentityGuard(services: IdentityGuardServices): ReadWithPermission {
  const { cardAccess, askForIdentity, identityPermissions, log } = services
  const watch = createDialogWatch(services)

  /** One that cannot be kept holds for this call. */
  const keep = ({ origin, consentId }: PageCaller, module: string): void => {
    try {
      identityPermissions.add(consentId, module)
    } catch (error) {
      log.error('identity permission not kept', { origin, module, reason: errorText(error) })
    }
  }

  const requirePermission = async (
    context: Context<ApiEnv>,
    card: FoundCard,
    data: readonly HolderData[],
    ended: DialogWatch,
  ): Promise<void> => {
    const { module, reader } = card
    const caller = context.get('caller')
    const origin = caller.kind === 'page' ? caller.origin : undefined
    const isPermitted = () => origin !== undefined && identityPermissions.has(origin, module.id)
    if (isPermitted()) return
    // Nobody is asked for a card of another kind; nothing is read yet.
    const probe = { kind: 'identity', module: module.id, parts: [] } as const
    await cardAccess.run(reader, probe, { requireWanted: ended.check })
    // Another call of the page may have been answered meanwhile.
    if (isPermitted()) return
    context.env.keepOpen()
    const answer = await askForIdentity({
      origin,
      module: module.id,
      data,
      card: module.cardName,
      reader,
      signal: ended.signal,
    })
    ended.check()
    log.info('identity data asked for', {
      origin: origin ?? 'a program',
      module: module.id,
      answer: answer === 'accepted' ? answer : answer.problem,
    })
    if (answer !== 'accepted') throw toProblem(answer)
    if (caller.kind === 'page') keep(caller, module.id)
  }

  return async (context, card, data, read) => {
    const ended = watch(context, card)
    try {
      await requirePermission(context, card, data, ended)
      const answer = await read(ended.signal)
      ended.check()
      return answer
    } finally {
      ended.stop()
    }
  }
}

type Refusal = Exclude<Awaited<ReturnType<ApiServices['askForIdentity']>>, 'accepted'>

const toProblem = ({ problem, reason, retryAfterS }: Refusal): Problem =>
  new Problem(problem, reason, retryAfterS === undefined ? {} : { retryAfterS })
