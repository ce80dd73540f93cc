/** The module truststore as the connector lists it; its operations are bound with the API, which asks the user. */
import type { Module } from './module.ts'

export const trustStoreModule: Module = {
  id: 'truststore',
  version: '1.0.0',
  describe: ({ system, atr }) =>
    system === 'windows' && atr === undefined
      ? {
          description: 'Certificates and signatures of the keys that Windows keeps for the user',
          systems: ['windows'],
          cards: false,
        }
      : undefined,
}
