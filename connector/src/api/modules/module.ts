/** A module: its description per system and card, and the API operations that it adds. */
import type { UseCase } from '@cardwire/protocol/counter'
import type { Module as ModuleDescription, ModuleSystem } from '@cardwire/protocol/module'
import type { Context } from 'hono'
import type { ApiEnv, Bind } from '../../http/route-types.ts'

/** The system and the card that a module describes itself for. */
interface ModuleContext {
  readonly system: ModuleSystem
  /** The ATR of the card, upper-case hex; absent: only the system matters. */
  readonly atr?: string
}

/**
 * Counts one use of the module for the page that sent the request; called after the operation has succeeded. Only use
 * cases are counted: reading data that the page itself sent is none.
 */
export type CountUse = (context: Context<ApiEnv>, useCase: UseCase) => void

export interface Module {
  /** Appears in the paths of its operations. */
  readonly id: string
  readonly version: string
  /** undefined: it does not work on this system or with this card. */
  describe(context: ModuleContext): Omit<ModuleDescription, 'id' | 'version'> | undefined
  /** Binds its operations. */
  readonly routes?: (bind: Bind, count: CountUse) => void
}
