/** The modules of this connector, by system and card. */
import { type ModuleSystem, Problem, type Module as Shown } from '@cardwire/client/protocol'
import type { Bind } from '../api/bind.ts'
import type { Count, Module } from './module.ts'
import { x509Module } from './x509-module.ts'

/** Every module there is; the order is the one they are offered in. */
export const registeredModules: readonly Module[] = [x509Module]

export interface Modules {
  /** The modules that work on this system; with an ATR those that handle such cards. */
  list(atr?: string): readonly Shown[]
  /** One module of this system. Throws `module-unknown`. */
  get(id: string): Shown
  /** The ids of the modules that handle cards with this ATR, best first. */
  handling(atr: string): readonly string[]
  /** Binds the operations of every module that works on this system; `countFor` has the uses of one counted. */
  bindRoutes(bind: Bind, countFor: (module: string) => Count): void
}

/** Node's name of the system, as modules spell it; anything else runs what Linux runs. */
export function moduleSystemOf(platform: string): ModuleSystem {
  if (platform === 'win32') return 'windows'
  return platform === 'darwin' ? 'macos' : 'linux'
}

/** Throws when two modules share an id: their operations would shadow each other. */
export function createModules(modules: readonly Module[], system: ModuleSystem): Modules {
  const twice = modules.find(({ id }, at) => modules.findIndex((other) => other.id === id) < at)
  if (twice) throw new Error(`Cannot register module "${twice.id}": it is registered already`)

  const list = (atr?: string): readonly Shown[] =>
    modules.flatMap((module) => {
      const shown = module.describe(atr === undefined ? { system } : { system, atr: upper(atr) })
      return shown ? [{ id: module.id, version: module.version, ...shown }] : []
    })
  return {
    list,
    get: (id) => {
      const found = list().find((module) => module.id === id)
      if (found) return found
      throw new Problem('module-unknown', `Cannot find module "${id}": this connector has none`)
    },
    handling: (atr) => list(atr).map(({ id }) => id),
    bindRoutes: (bind, countFor) => {
      const working = new Set(list().map(({ id }) => id))
      for (const { id, routes } of modules) if (working.has(id)) routes?.(bind, countFor(id))
    },
  }
}

const upper = (atr: string) => atr.toUpperCase()
