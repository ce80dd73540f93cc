/** The port of a module: what it is, where it works, and the operations it brings along. */
import type { ModuleSystem, Module as Shown, UseCase } from '@cardwire/client/protocol'
import type { Context } from 'hono'
import type { ApiEnv, Bind } from '../api/bind.ts'

/** Where a module is asked to work. */
interface ModuleContext {
  readonly system: ModuleSystem
  /** The card it is asked for, as upper-case hex; without one the question is about the system alone. */
  readonly atr?: string
}

/**
 * Counts one use of the module for the page that asks: called when it is done, and not before. What is none of the use
 * cases is not counted: a module that reads what the page itself sent has no use.
 */
export type Count = (context: Context<ApiEnv>, useCase: UseCase) => void

export interface Module {
  /** Part of the paths of its operations. */
  readonly id: string
  readonly version: string
  /** What it is there; undefined where it does not work. */
  describe(context: ModuleContext): Omit<Shown, 'id' | 'version'> | undefined
  /** Binds its operations. */
  readonly routes?: (bind: Bind, count: Count) => void
}
