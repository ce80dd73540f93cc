/** The card modules as the connector lists them; the operations of all of them are bound once, with the readers. */
import { cardModules } from '../../sandbox/card-modules/card-modules.ts'
import type { Module } from './module.ts'

export const createCardModules = (): readonly Module[] =>
  cardModules.map(({ id, version, description, atrs }) => ({
    id,
    version,
    describe: ({ atr }) =>
      atr === undefined || atrs.some((pattern) => pattern.test(atr))
        ? { description, systems: ['windows', 'macos', 'linux'], cards: true }
        : undefined,
  }))
