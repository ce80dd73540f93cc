/** What pages use of a connector: modules, which the API names in a word. */
import type { Texts } from '../../languages/en/catalog.ts'
import { readTexts } from '../frame/texts.ts'

/** The modules of this version's connector. */
const known: readonly (keyof Texts['use']['modules'])[] = [
  ...(['piv', 'beid', 'openpgp', 'emv', 'crelan', 'pkcs11'] as const),
  ...(['fileexchange', 'truststore', 'rawprint', 'remoteloading'] as const),
]

const findKnown = (id: string) => known.find((one) => one === id)

/** With its name in the API, as documents and programs have it; one that this service does not know has only that. */
export function nameModule(id: string): string {
  const found = findKnown(id)
  return found === undefined ? id : `${readTexts().use.modules[found]} (${id})`
}

/** The known ones, and the one that an address names. */
export const listModules = (chosen: string | undefined): readonly string[] =>
  chosen === undefined || findKnown(chosen) ? known : [...known, chosen]
