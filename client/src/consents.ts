/** The consents that this page holds, kept where deployed clients keep theirs, and read whoever wrote them. */
import { addressOf, isPort, type Place, type Settings } from './configuration.ts'
import type { Storage } from './ports.ts'
import { either, list, number, object, parsed, text } from './shape.ts'

/** As many as a registry looks at, and no longer ones. */
const most = 32
const longest = 4096

export interface Consents {
  read(): string[]
  write(consents: readonly string[]): void
}

/**
 * A consent belongs to an origin and a connector, not to a library: both generations use one key and one form, so that
 * nobody consents twice. `undefined` stands in the key of an application without a domain.
 */
export function consentsOf(
  storage: Storage,
  { applicationDomain }: Settings,
  registry: Place,
): Consents {
  const key = `t1c-consent-${applicationDomain}::${addressOf(registry)}`
  return {
    read() {
      const stored = storage.read(key)
      const found = stored === undefined ? [] : listIn(stored)
      if (found === undefined) storage.write(key, undefined)
      return found?.filter((consent) => consent.length <= longest).slice(0, most) ?? []
    },
    write: (consents) => storage.write(key, JSON.stringify(consents.slice(0, most))),
  }
}

/** Clients up to 3.5.2 kept one consent, bare. */
function listIn(stored: string): string[] | undefined {
  if (apiPortOf(stored) !== undefined) return [stored]
  return parsed(list(text), stored)
}

const consentShape = object({ agent: object({ apiPort: either(text, number) }) })

/** The port of the connector that a consent is for: standard base64 of JSON in UTF-8. undefined: it is no consent. */
export function apiPortOf(consent: string): string | undefined {
  const port = parsed(consentShape, decoded(consent))?.agent.apiPort
  return isPort(port) ? String(port) : undefined
}

function decoded(base64: string): string {
  try {
    const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
    return new TextDecoder().decode(bytes)
  } catch {
    return ''
  }
}
