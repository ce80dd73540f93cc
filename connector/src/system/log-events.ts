/** Which events of the log are kept in a file of their own, and which are counted when they repeat. */

/** Consents, and what this connector and the browsers of its user trust: no other line may push these out of the log. */
export const auditedEvents: ReadonlySet<string> = new Set([
  'consent granted',
  'consent ended',
  'consents revoked',
  'created a root certificate',
  'the root certificate is replaced',
  'root certificate installed',
  'root certificate uninstalled',
  'a store trusts the root certificate',
  'a store may still trust an old root certificate',
  'removed the certificates',
  'keystore in force',
  'keystore removed because the service no longer has one',
  'registered',
  'registering again',
  'reply keys of the service are trusted from now on, the settings name none',
  'endorsed reply key trusted',
  'reply key of the settings trusted',
])

/** What pages, agents and other accounts can cause as often as they like. */
export const countedEvents: ReadonlySet<string> = new Set([
  'another user refused',
  // Whoever has found one can repeat it.
  'defect',
  'host refused',
  'origin refused',
  'page without origin',
  'token refused',
  'too many consent requests',
  'clipboard not read',
  'clipboard read too late',
  'code word used before',
  'code word found by several',
  'response refused',
  'agent registered',
  'agent does not respond',
  'agent queue full',
  'allowlist with entries that are not origins',
  'too many pending requests',
  'too many bodies at once',
  'too many registrations',
  'too many requests of the registry',
  'too many responses wait',
  'responses not delivered',
  'request failed',
])

/** The same of pages with the user's consent: one of them does not keep the lines of another out of the log. */
export const pageEvents: ReadonlySet<string> = new Set([
  // A page that has to wait after a refusal is refused at once, as often as it asks.
  'folder asked for',
  'identity data asked for',
  'use of a key asked for',
  'card process ended',
  'card process not started',
  'library not used',
  // Without room on the disk.
  'disk not usable',
  'a use is not counted',
  'identity permission not kept',
  'use of a consent not recorded',
])
