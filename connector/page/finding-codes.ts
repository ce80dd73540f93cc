/** What the doctor can find, each by a name that scripts and the texts of the local page have in common. */
export const findingCodes = [
  // In order.
  'card-service-good',
  'readers-good',
  'root-good',
  'leaf-good',
  'trust-good',
  'keystore-good',
  'api-good',
  'registry-good',
  'registry-port-free',
  'clipboard-good',
  'service-none',
  'service-good',
  'registered',
  'synchronized',
  // Card service and readers.
  'card-service-down',
  'card-service-forbidden',
  'card-service-missing',
  'readers-none',
  // Certificates.
  'root-broken',
  'leaf-broken',
  'files-open',
  'trust-missing',
  'trust-none',
  'trust-unreadable',
  'keystore-expired',
  'keystore-missing',
  // The connector and the registry.
  'not-running',
  'not-running-no-port',
  'api-silent',
  'registry-down',
  'registry-foreign',
  'registry-port-taken',
  // The machine.
  'clipboard-unreadable',
  'clock-jumped',
  'file-damaged',
  // What pages may do.
  'no-pages-allowed',
  'tokens-off',
  'token-keys-missing',
  // The distribution service.
  'service-unreachable',
  'unregistered',
  'never-synchronized',
  'not-synchronized',
  'policy-ending',
  'policy-expired',
  'version-recommended',
  'version-forbidden',
  'version-unknown',
  'key-missing',
  'key-refused',
  'key-used-up',
  'device-blocked',
  'clock-skewed',
  // The doctor itself.
  'settings-invalid',
  'check-failed',
  'check-late',
] as const

export type FindingCode = (typeof findingCodes)[number]
