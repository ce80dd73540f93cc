/**
 * Who may call each operation of the distribution service: written by hand, as the specification and the threat model have it. Tests
 * compare the contract and the running service with it, so that changing only the contract changes no access.
 */

export const serviceRoles = ['viewer', 'publisher', 'administrator'] as const

export type ServiceRole = (typeof serviceRoles)[number]

export type ServiceAccess =
  | 'anyone'
  /** An administrator with at least this role. */
  | ServiceRole
  /** At least a viewer, or an application token. */
  | 'application'
  /** A label's API key. */
  | 'api-key'
  /** A version's installation key. */
  | 'registration'
  /** A trusted proxy, with its client's API key. */
  | 'gateway'
  /** A registered device's assertion. */
  | 'device'
  /** A program of this machine, or a viewer from anywhere. */
  | 'local'

type Row = readonly [
  method: string,
  path: `/${string}`,
  access: ServiceAccess,
  /** Without it a page gets no CORS headers, and no other answer than a program. */
  pages?: 'pages allowed' | 'pages refused',
]

/** The embedded identity provider, whose paths are those of the specification. */
const realm = '/auth/realms/cardwire'

export const serviceAccess: readonly Row[] = [
  ['GET', '/v3/tokens/application', 'api-key', 'pages refused'],
  ['GET', '/.well-known/jwks.json', 'anyone'],
  ['GET', '/v3/gateway/check', 'gateway'],
  ['GET', '/v3/gateway/check-registration', 'gateway'],
  ['GET', '/v3/downloads/installer', 'anyone', 'pages allowed'],
  ['GET', '/v3/downloads/installers/{os}', 'anyone', 'pages allowed'],
  ['GET', '/v3/downloads/installers/{os}/versions/{version}', 'anyone', 'pages allowed'],
  ['GET', '/v3/downloads/manifest', 'anyone', 'pages allowed'],
  ['GET', '/v3/downloads', 'viewer'],
  ['GET', '/v3/downloads/summary', 'viewer'],
  ['PUT', '/v3/versions', 'publisher'],
  ['GET', '/v3/versions', 'application'],
  ['GET', '/v3/versions/latest', 'application', 'pages allowed'],
  ['GET', '/v3/versions/{id}', 'application'],
  ['PATCH', '/v3/versions/{id}', 'publisher'],
  ['GET', '/v3/versions/{id}/reach', 'viewer'],
  ['GET', '/v3/versions/{id}/revisions', 'viewer'],
  ['GET', '/v3/versions/{id}/revisions/{revision}', 'viewer'],
  ['POST', '/v3/versions/{id}/revisions/{revision}/restore', 'publisher'],
  ['DELETE', '/v3/versions/{id}', 'publisher'],
  ['GET', '/v3/approvals', 'viewer'],
  ['DELETE', '/v3/approvals', 'publisher'],
  ['GET', '/v3/rollouts/reach', 'viewer'],
  ['POST', '/v3/rollouts/halt', 'publisher'],
  ['PUT', '/v3/rollouts/{id}', 'publisher'],
  ['GET', '/v3/rollouts', 'viewer'],
  ['GET', '/v3/rollouts/{id}', 'viewer'],
  ['GET', '/v3/rollouts/{id}/hours', 'viewer'],
  ['GET', '/v3/rollouts/{id}/reach', 'viewer'],
  ['PUT', '/v3/rollouts/{id}/state', 'publisher'],
  ['DELETE', '/v3/rollouts/{id}', 'publisher'],
  ['PUT', '/v3/groups/{id}', 'publisher'],
  ['GET', '/v3/groups', 'viewer'],
  ['GET', '/v3/groups/{id}', 'viewer'],
  ['GET', '/v3/groups/{id}/reach', 'viewer'],
  ['DELETE', '/v3/groups/{id}', 'publisher'],
  ['PUT', '/v3/installers/{name}', 'publisher'],
  ['GET', '/v3/installers', 'viewer'],
  ['GET', '/v3/installers/{name}', 'viewer'],
  ['DELETE', '/v3/installers/{name}', 'publisher'],
  ['PUT', '/v3/keystores/{name}', 'publisher'],
  ['GET', '/v3/keystores', 'viewer'],
  ['DELETE', '/v3/keystores/{name}', 'publisher'],
  ['PUT', '/v3/configurations', 'publisher'],
  ['GET', '/v3/configurations', 'viewer'],
  ['GET', '/v3/configurations/{id}', 'viewer'],
  ['PATCH', '/v3/configurations/{id}', 'publisher'],
  ['GET', '/v3/versions/{id}/configurations/reach', 'viewer'],
  ['GET', '/v3/configurations/{id}/reach', 'viewer'],
  ['GET', '/v3/configurations/{id}/revisions', 'viewer'],
  ['GET', '/v3/configurations/{id}/revisions/{revision}', 'viewer'],
  ['POST', '/v3/configurations/{id}/revisions/{revision}/restore', 'publisher'],
  ['DELETE', '/v3/configurations/{id}', 'publisher'],
  ['POST', '/v3/configurations/copy', 'publisher'],
  ['PUT', '/v3/organizations', 'administrator'],
  ['GET', '/v3/organizations', 'viewer'],
  ['GET', '/v3/organizations/{id}', 'viewer'],
  ['PATCH', '/v3/organizations/{id}', 'administrator'],
  ['GET', '/v3/organizations/{id}/reach', 'viewer'],
  ['DELETE', '/v3/organizations/{id}', 'administrator'],
  ['PUT', '/v3/labels', 'administrator'],
  ['GET', '/v3/labels', 'viewer'],
  ['GET', '/v3/labels/{id}', 'viewer'],
  ['PATCH', '/v3/labels/{id}', 'administrator'],
  ['GET', '/v3/labels/{id}/reach', 'viewer'],
  ['DELETE', '/v3/labels/{id}', 'administrator'],
  ['POST', '/v3/labels/{id}/key', 'administrator'],
  ['DELETE', '/v3/labels/{id}/key', 'administrator'],
  ['POST', '/v3/devices', 'registration', 'pages refused'],
  ['GET', '/v3/devices/installation-key', 'registration', 'pages refused'],
  ['POST', '/v3/devices/sync', 'device', 'pages refused'],
  ['GET', '/v3/devices/wait', 'device', 'pages refused'],
  ['GET', '/v3/devices/successions', 'anyone', 'pages refused'],
  ['GET', '/v3/devices/keystore', 'device', 'pages refused'],
  ['POST', '/v3/devices/logs', 'device', 'pages refused'],
  ['GET', '/v3/devices', 'viewer'],
  ['GET', '/v3/devices.csv', 'viewer'],
  ['GET', '/v3/devices/summary', 'viewer'],
  ['GET', '/v3/devices/refusals', 'viewer'],
  ['GET', '/v3/devices/reach', 'viewer'],
  ['GET', '/v3/device-changes', 'viewer'],
  ['GET', '/v3/device-changes/{id}', 'viewer'],
  ['PUT', '/v3/device-changes/{id}', 'administrator'],
  ['PUT', '/v3/tag-imports/{id}', 'administrator'],
  ['GET', '/v3/tag-imports/{id}', 'administrator'],
  ['GET', '/v3/devices/refusals/groups', 'viewer'],
  ['GET', '/v3/devices/{id}', 'viewer'],
  ['POST', '/v3/devices/{id}/block', 'administrator'],
  ['POST', '/v3/devices/{id}/unblock', 'administrator'],
  ['POST', '/v3/devices/{id}/approve', 'administrator'],
  ['PUT', '/v3/devices/{id}/tags', 'administrator'],
  ['POST', '/v3/devices/{id}/sync-now', 'administrator'],
  ['DELETE', '/v3/devices/{id}', 'administrator'],
  ['GET', '/v3/devices/{id}/logs', 'administrator'],
  ['GET', '/v3/counters', 'viewer'],
  ['GET', '/v3/counters/summary', 'viewer'],
  ['GET', '/v3/counters.csv', 'viewer'],
  ['GET', '/v3/counters/organizations', 'viewer'],
  ['GET', '/v3/counters/organizations.csv', 'viewer'],
  ['GET', '/v3/signing-keys', 'viewer'],
  ['POST', '/v3/signing-keys', 'administrator'],
  ['GET', '/v3/signing-keys/{id}/reach', 'viewer'],
  ['DELETE', '/v3/signing-keys/{id}', 'administrator'],
  ['PUT', '/v3/webhooks/{id}', 'administrator'],
  ['GET', '/v3/webhooks', 'administrator'],
  ['GET', '/v3/webhooks/{id}', 'administrator'],
  ['DELETE', '/v3/webhooks/{id}', 'administrator'],
  ['POST', '/v3/webhooks/{id}/secret', 'administrator'],
  ['POST', '/v3/webhooks/{id}/test', 'administrator'],
  ['GET', '/v3/webhooks/{id}/deliveries', 'administrator'],
  ['POST', '/v3/webhooks/{id}/deliveries/{delivery}/redeliver', 'administrator'],
  ['GET', '/v3/audit', 'viewer'],
  ['GET', '/v3/audit.csv', 'viewer'],
  ['GET', '/v3/account', 'viewer'],
  ['PUT', '/v3/account/password', 'viewer'],
  ['PUT', '/v3/account/second-factor', 'viewer'],
  ['POST', '/v3/account/second-factor/confirm', 'viewer'],
  ['POST', '/v3/account/recovery-codes', 'viewer'],
  ['POST', '/v3/account/second-factor/remove', 'viewer'],
  ['GET', '/v3/account/sessions', 'viewer'],
  ['DELETE', '/v3/account/sessions', 'viewer'],
  ['DELETE', '/v3/account/sessions/{id}', 'viewer'],
  ['GET', '/v3/administrators', 'administrator'],
  ['POST', '/v3/administrators', 'administrator'],
  ['GET', '/v3/administrators/{name}', 'administrator'],
  ['PUT', '/v3/administrators/{name}/role', 'administrator'],
  ['PUT', '/v3/administrators/{name}/password', 'administrator'],
  ['DELETE', '/v3/administrators/{name}/second-factor', 'administrator'],
  ['DELETE', '/v3/administrators/{name}', 'administrator'],
  ['GET', '/v3/administrators/{name}/sessions', 'administrator'],
  ['DELETE', '/v3/administrators/{name}/sessions', 'administrator'],
  ['GET', '/v3/api-clients', 'administrator'],
  ['POST', '/v3/api-clients', 'administrator'],
  ['GET', '/v3/api-clients/{id}', 'administrator'],
  ['PUT', '/v3/api-clients/{id}', 'administrator'],
  ['DELETE', '/v3/api-clients/{id}', 'administrator'],
  ['POST', '/v3/api-clients/{id}/credentials', 'administrator'],
  ['DELETE', '/v3/api-clients/{id}/credentials/{credential}', 'administrator'],
  ['POST', '/v3/oauth/token', 'anyone', 'pages refused'],
  ['GET', '/.well-known/oauth-authorization-server', 'anyone'],
  ['POST', `${realm}/protocol/openid-connect/token`, 'anyone', 'pages refused'],
  ['POST', `${realm}/protocol/openid-connect/logout`, 'anyone', 'pages refused'],
  ['GET', `${realm}/protocol/openid-connect/certs`, 'anyone'],
  ['GET', `${realm}/.well-known/openid-configuration`, 'anyone'],
  ['GET', '/v3/system/status', 'anyone', 'pages allowed'],
  ['GET', '/health', 'anyone'],
  ['GET', '/metrics', 'local'],
]

/** The least role that a row's access takes from a token of an administrator; undefined where no role helps. */
export function getNeededRole(access: ServiceAccess): ServiceRole | undefined {
  switch (access) {
    case 'viewer':
    case 'application':
    case 'local':
      return 'viewer'
    case 'publisher':
    case 'administrator':
      return access
    default:
      return undefined
  }
}

/** What each role may do: also what the roles before it may. */
export const roleIncludes: Readonly<Record<ServiceRole, readonly ServiceRole[]>> = {
  viewer: ['viewer'],
  publisher: ['viewer', 'publisher'],
  administrator: ['viewer', 'publisher', 'administrator'],
}

/** The path of an operation with values that name nothing that exists. */
export const fillPath = (path: string): string => path.replaceAll(/\{\w+\}/g, 'x')
