/** The consents of this page in the browser's storage: under the key, and in the form, that legacy clients use. */
import { decodeBase64 } from '@cardwire/protocol/base64'
import { array, number, object, safeParseJson, string, union } from '@cardwire/protocol/validators'
import { type Endpoint, isPort, type Settings, toAddress } from './configuration.ts'
import { maxItems } from './max-items.ts'
import type { Storage } from './ports.ts'

/** A registry looks at no more consents than these, and at no longer ones. */
const maxConsents = 32
const maxConsentLength = 4096

export interface ConsentStorage {
  read(): string[]
  write(consents: readonly string[]): void
}

/**
 * A consent belongs to an origin and a connector, not to a library: legacy clients and this one share one key and one
 * form, so that nobody consents twice. The key of an application without a domain has the text `undefined` in it.
 */
export function openConsentStorage(
  storage: Storage,
  { applicationDomain }: Settings,
  registry: Endpoint,
): ConsentStorage {
  const key = `t1c-consent-${applicationDomain}::${toAddress(registry)}`
  return {
    read() {
      const stored = storage.read(key)
      const consents = stored === undefined ? [] : parseConsents(stored)
      if (!consents) storage.write(key, undefined)
      return (
        consents?.filter(({ length }) => length <= maxConsentLength).slice(0, maxConsents) ?? []
      )
    },
    write: (consents) => storage.write(key, JSON.stringify(consents.slice(0, maxConsents))),
  }
}

function parseConsents(stored: string): string[] | undefined {
  // Clients up to 3.5.2 stored one consent as it is, not in a list.
  if (readApiPort(stored) !== undefined) return [stored]
  return safeParseJson(array(string, maxItems.consents), stored)
}

const validateConsent = object<{ agent: { apiPort: string | number } }>({
  agent: object({ apiPort: union(string, number) }),
})

/** The port of the connector that a consent is for: standard base64 of JSON in UTF-8. undefined: it is no consent. */
export function readApiPort(consent: string): string | undefined {
  const json = new TextDecoder().decode(decodeBase64(consent))
  const port = safeParseJson(validateConsent, json)?.agent.apiPort
  return isPort(port) ? String(port) : undefined
}
