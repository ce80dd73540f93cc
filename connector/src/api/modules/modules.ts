/** The modules of this connector, filtered by system and card. */
import type { Module as ModuleDescription, ModuleSystem } from '@cardwire/protocol/module'
import { Problem } from '@cardwire/protocol/problem'
import type { Bind } from '../../http/route-types.ts'
import { fileExchangeModule } from './file-exchange-module.ts'
import { createCardModules } from './list-card-modules.ts'
import type { CountUse, Module } from './module.ts'
import { rawPrintModule } from './raw-print-module.ts'
import { remoteLoadingModule } from './remote-loading-module.ts'
import { trustStoreModule } from './trust-store-module.ts'
import { x509Module } from './x509-module.ts'

/** All modules, in the order in which they are listed. */
export const registeredModules: readonly Module[] = [
  x509Module,
  fileExchangeModule,
  rawPrintModule,
  trustStoreModule,
  ...createCardModules(),
  remoteLoadingModule,
]

export interface Modules {
  /** The modules that work on this system; with an ATR those that handle cards with this ATR. */
  list(atr?: string): readonly ModuleDescription[]
  /** One module of this system. Throws `module-unknown`. */
  get(id: string): ModuleDescription
  /** The ids of the modules that handle cards with this ATR, best first. */
  idsFor(atr: string): readonly string[]
  /** Binds the operations of every module that works on this system; `countFor` returns the counter of one module. */
  bindRoutes(bind: Bind, countFor: (module: string) => CountUse): void
}

/** `platform` as Node spells it. Any other system counts as Linux. */
export function toModuleSystem(platform: string): ModuleSystem {
  if (platform === 'win32') return 'windows'
  return platform === 'darwin' ? 'macos' : 'linux'
}

/** Throws when two modules share an id: their operations would shadow each other. */
export function createModules(modules: readonly Module[], system: ModuleSystem): Modules {
  const duplicate = modules.find(({ id }, at) => modules.findIndex((one) => one.id === id) < at)
  if (duplicate) {
    throw new Error(`Cannot register module "${duplicate.id}": it is registered already`)
  }

  const list = (atr?: string): readonly ModuleDescription[] =>
    modules.flatMap((module) => {
      const description = module.describe({
        system,
        ...(atr !== undefined && { atr: atr.toUpperCase() }),
      })
      return description ? [{ id: module.id, version: module.version, ...description }] : []
    })
  return {
    list,
    get: (id) => {
      const found = list().find((module) => module.id === id)
      if (found) return found
      throw new Problem('module-unknown', `Cannot find module "${id}": this connector has none`)
    },
    idsFor: (atr) => list(atr).map(({ id }) => id),
    bindRoutes: (bind, countFor) => {
      const working = new Set(list().map(({ id }) => id))
      for (const { id, routes } of modules) if (working.has(id)) routes?.(bind, countFor(id))
    },
  }
}
