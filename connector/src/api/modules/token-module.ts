/** The module pkcs11: tokens of the libraries that the administrator names; its operations are bound with those of cards. */
import type { Module } from './module.ts'

export const tokenModuleId = 'pkcs11'

/** What legacy clients call the kinds of cards whose library an administrator can name. */
const cardNames = [
  'airbus',
  'aventra_myid_4',
  'camerfirma',
  'certigna',
  'certinomis',
  'chambersign',
  'diplad',
  'dnie',
  'eherkenning',
  'idemia_cosmo_82',
  'jcop3',
  'luxeid',
  'luxtrust',
  'oberthur_73',
  'safenet',
] as const

const names: ReadonlySet<string> = new Set([tokenModuleId, ...cardNames])

/** Whether a library answers for this module, where the administrator has named one for the card. */
export const isTokenModule = (id: string): boolean => names.has(id)

/** `isServed`: whether the administrator has named a library for cards with this ATR. */
export const createTokenModule = (isServed: (atr: string) => boolean): Module => ({
  id: tokenModuleId,
  version: '1.0.0',
  describe: ({ atr }) =>
    atr === undefined || isServed(atr)
      ? {
          description: 'Tokens of the PKCS #11 libraries that the administrator names',
          systems: ['windows', 'macos', 'linux'],
          cards: true,
        }
      : undefined,
})
