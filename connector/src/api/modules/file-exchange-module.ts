/** The module fileexchange as the connector lists it; its operations are bound with the API, which knows the origin of a page. */
import type { Module } from './module.ts'

export const fileExchangeModule: Module = {
  id: 'fileexchange',
  version: '1.0.0',
  describe: ({ atr }) =>
    atr === undefined
      ? {
          description: 'Reads and writes files in folders that the user has chosen for a page',
          systems: ['windows', 'macos', 'linux'],
          cards: false,
        }
      : undefined,
}
