/** What each kind of access means in the OpenAPI document: its security schemes, and the problems of a refusal. */
import type { Access } from './operation.ts'
import type { ProblemName } from './problem.ts'

/** The security schemes, by name. */
export const securitySchemes = {
  administrator: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description:
      'An access token of an administrator, from the identity provider. It needs at least the named role, in the order viewer, publisher, administrator',
  },
  application: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description: 'An application token, from /v3/tokens/application',
  },
  management: {
    type: 'http',
    scheme: 'bearer',
    description: "The management token, from the runtime folder of the connector's user",
  },
  apiKey: { type: 'apiKey', in: 'header', name: 'apikey', description: "A label's API key" },
  installationKey: {
    type: 'apiKey',
    in: 'header',
    name: 'apikey',
    description: "A version's installation key",
  },
  device: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description: 'An assertion by the identity key of a device, for this request only',
  },
} as const
/** The schemes that each kind of access accepts: any one of its list. */
export const schemesByAccess: Record<Access, readonly (keyof typeof securitySchemes)[]> = {
  anyone: [],
  viewer: ['administrator'],
  publisher: ['administrator'],
  administrator: ['administrator'],
  application: ['administrator', 'application'],
  'api-key': ['apiKey'],
  registration: ['installationKey'],
  gateway: ['apiKey', 'installationKey'],
  device: ['device'],
  local: ['administrator'],
  consented: ['application'],
  management: ['management'],
}

const ofRoles = [
  'token-refused',
  'role-missing',
  'password-change-required',
  'second-factor-setup-required',
  'provider-unreachable',
] as const

/** The problems that every operation with that access may answer with. */
export const problemsByAccess: Record<Access, readonly ProblemName[]> = {
  anyone: [],
  viewer: ofRoles,
  publisher: ofRoles,
  administrator: ofRoles,
  application: ofRoles,
  'api-key': ['api-key-refused', 'too-many-requests'],
  registration: ['api-key-refused', 'too-many-requests'],
  gateway: ['gateway-refused', 'api-key-refused', 'too-many-requests'],
  device: [
    'assertion-refused',
    'assertion-replayed',
    'clock-skewed',
    'device-blocked',
    'device-unknown',
    'service-busy',
  ],
  local: ofRoles,
  consented: [
    'token-refused',
    'consent-required',
    'origin-refused',
    'csrf-header-missing',
    'policy-expired',
    'device-blocked',
  ],
  management: ['token-refused', 'management-refused', 'csrf-header-missing'],
}
