/** The module rawprint as the connector lists it; its operations are bound with the API, which knows the grants of a page. */
import type { Module } from './module.ts'

export const rawPrintModule: Module = {
  id: 'rawprint',
  version: '1.0.0',
  describe: ({ atr }) =>
    atr === undefined
      ? {
          description:
            'Prints data in the language of a printer, for pages that the administrator allows',
          systems: ['windows', 'macos', 'linux'],
          cards: false,
        }
      : undefined,
}
