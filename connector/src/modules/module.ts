/** The port of a module: what it is, where it works, and the operations it brings along. */
import type { ModuleSystem, Module as Shown } from '@cardwire/client/protocol'
import type { Bind } from '../api/bind.ts'

/** Where a module is asked to work. */
interface ModuleContext {
  readonly system: ModuleSystem
  /** The card it is asked for, as upper-case hex; without one the question is about the system alone. */
  readonly atr?: string
}

export interface Module {
  /** Part of the paths of its operations. */
  readonly id: string
  readonly version: string
  /** What it is there; undefined where it does not work. */
  describe(context: ModuleContext): Omit<Shown, 'id' | 'version'> | undefined
  /** Binds its operations. */
  readonly routes?: (bind: Bind) => void
}
