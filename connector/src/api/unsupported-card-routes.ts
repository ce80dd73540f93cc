/**
 * Calls for cards that this connector has no operation for, bound behind those that it has: problems with a code, where 404
 * would make legacy clients say that nothing is installed.
 */
import type { Operation } from '@cardwire/protocol/operation'
import { Problem } from '@cardwire/protocol/problem'
import type { Context, Hono } from 'hono'
import type { ApiEnv, Caller } from '../http/route-types.ts'
import { requireModuleName } from './find-card.ts'

type Authorize = (operation: Pick<Operation, 'access'>, context: Context<ApiEnv>) => Promise<Caller>

/** Tokens, payment cards, and sessions with a card from far. */
const families = ['token', 'payment', 'hsm'] as const

/** Modules of legacy clients that this connector does not have (docs/decisions/0099-modules-left-out.md). */
const leftOut = ['simplesign', 'wacom-stu', 'vdds'] as const

/** Throws for a module that is left out: clients from 3.8.4 on ask for information about simplesign with only its path. */
export function requireOfferedModule(id: string): void {
  if (leftOut.some((each) => each === id)) throw createLeftOutProblem(id)
}

const createLeftOutProblem = (module: string) =>
  new Problem('card-unsupported', `Cannot use module "${module}": this connector does not have it`)

export function bindUnsupportedCardRoutes(app: Hono<ApiEnv>, authorize: Authorize): void {
  const refuseLibrary = async (context: Context<ApiEnv>): Promise<never> => {
    await authorize({ access: 'consented' }, context)
    throw new Problem(
      'grant-missing',
      'Cannot use a library that a page names: its code would run on this computer; an administrator configures the card libraries',
    )
  }
  app.post('/v3/modules/:module/apps/token/config', refuseLibrary)
  app.patch('/v3/modules/:module/apps/token/config/reset', refuseLibrary)
  app.post('/v3/modules/:module/apps/payment/readers/:reader/sign', async (context) => {
    await authorize({ access: 'consented' }, context)
    throw new Problem(
      'card-unsupported',
      'Cannot sign with a payment card: what card and reader sign is a protocol of the bank, which is not public',
    )
  })
  for (const module of leftOut) {
    const refuse = async (context: Context<ApiEnv>): Promise<never> => {
      await authorize({ access: 'consented' }, context)
      throw createLeftOutProblem(module)
    }
    app.post(`/v3/modules/${module}`, refuse)
    app.all(`/v3/modules/${module}/:operation{.+}`, refuse)
  }
  for (const family of families) {
    app.all(`/v3/modules/:module/apps/${family}/*`, async (context) => {
      await authorize({ access: 'consented' }, context)
      const id = context.req.param('module')
      requireModuleName(id)
      throw new Problem(
        'card-unsupported',
        `Cannot do this with cards of module "${id}": the connector has no such operation for them`,
      )
    })
  }
}
