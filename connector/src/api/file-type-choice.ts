/** Creates a file type: the user chooses a folder for the page. */
import { Problem } from '@cardwire/protocol/problem'
import type { Context } from 'hono'
import type { ApiEnv } from '../http/route-types.ts'
import type { OriginFileType } from '../user/consent/file-types.ts'
import type { AccessServices } from './access-watch.ts'
import type { ApiServices } from './api-services.ts'
import { requireOrigin, requirePage, requireType } from './file-origin.ts'
import { createPageWatch } from './page-watch.ts'

export type TypeChoiceServices = Pick<
  ApiServices,
  'fileTypes' | 'fileExchange' | 'askForFolder' | 'log'
> &
  AccessServices

export interface TypeRequest {
  readonly entity: string
  readonly type: string
  /** Where the window begins, below the folder of the user. */
  readonly initPath?: readonly string[] | undefined
  /** Seconds. */
  readonly timeout?: number | undefined
}

/** Each throws problems. */
export interface TypeChoice {
  /** A type that has a folder; undefined: the user has to choose one. */
  find(context: Context<ApiEnv>, request: TypeRequest): Promise<OriginFileType | undefined>
  /** A type that has a folder as it is, else one that the user chooses. */
  obtain(context: Context<ApiEnv>, request: TypeRequest): Promise<OriginFileType>
  /** The user chooses, whether the type has a folder or not. */
  choose(context: Context<ApiEnv>, request: TypeRequest): Promise<OriginFileType>
}

const defaultTimeoutS = 120

export function createTypeChoice(services: TypeChoiceServices): TypeChoice {
  const { fileTypes, fileExchange, askForFolder, log } = services
  const watch = createPageWatch(services)

  const choose: TypeChoice['choose'] = async (context, request) => {
    const { entity, type, initPath: start = [], timeout = defaultTimeoutS } = request
    const caller = requirePage(context.get('caller'))
    const { origin, consentId } = caller
    const ended = watch(context)
    try {
      context.env.keepOpen()
      const { signal } = ended
      const answer = await askForFolder({ origin, start, timeoutMs: timeout * 1000, signal })
      ended.check()
      const word = 'path' in answer ? 'chosen' : answer.problem
      log.info('folder asked for', { origin, entity, type, answer: word })
      if ('problem' in answer) throw toProblem(answer)
      fileTypes.save(consentId, { entity, type, path: answer.path })
      return requireType(services, caller, entity, type)
    } finally {
      ended.stop()
    }
  }

  const find: TypeChoice['find'] = async (context, { entity, type }) => {
    const found = fileTypes.find(requireOrigin(context.get('caller')), entity, type)
    return found && (found.isManaged || (await isThere(fileExchange, found))) ? found : undefined
  }

  return {
    find,
    choose,
    obtain: async (context, request) => (await find(context, request)) ?? choose(context, request),
  }
}

const isThere = (exchange: ApiServices['fileExchange'], type: OriginFileType): Promise<boolean> =>
  exchange.exists({ type }).catch(() => false)

type Refusal = Extract<
  Awaited<ReturnType<ApiServices['askForFolder']>>,
  { readonly problem: unknown }
>

const toProblem = ({ problem, reason, retryAfterS }: Refusal): Problem =>
  new Problem(problem, reason, retryAfterS === undefined ? {} : { retryAfterS })
