/** The module remoteloading: commands of pages to cards; its operations are bound with those of cards. */
import type { Module } from './module.ts'

export const remoteLoadingModule: Module = {
  id: 'remoteloading',
  version: '1.0.0',
  // It handles no kind of card, and is no page's way to sign.
  describe: ({ atr }) =>
    atr === undefined
      ? {
          description: 'Commands to cards, for pages that the administrator allows',
          systems: ['windows', 'macos', 'linux'],
          cards: false,
        }
      : undefined,
}
