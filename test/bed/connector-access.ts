/**
 * Who may call each operation of the connector: written by hand, as the specification and the threat model have it. Tests compare
 * the contract and the running program with it, so that changing only the contract changes no access.
 */

export type ConnectorAccess =
  | 'anyone'
  /** A token; from a page also the user's consent for its origin. */
  | 'consent'
  /** The same, and only pages with this grant of the administrator. */
  | 'grant raw'
  | 'grant print'
  /** The management token, and never a page. */
  | 'management'

type Row = readonly [method: string, path: `/${string}`, access: ConnectorAccess]

const token = '/v3/modules/{module}/apps/token'
const card = `${token}/readers/{reader}` as const
const payment = '/v3/modules/{module}/apps/payment'
const files = '/v3/modules/fileexchange/apps/file'
const raw = '/v3/modules/remoteloading/apps/hsm/readers/{reader}'
const store = '/v3/modules/truststore'

export const connectorAccess: readonly Row[] = [
  ['GET', '/info', 'anyone'],
  ['GET', '/v3/version', 'consent'],
  ['GET', '/device-key', 'anyone'],
  ['GET', '/v3/device/certificate', 'consent'],
  ['GET', '/v3/browser', 'consent'],
  ['GET', '/logs/push', 'management'],
  ['POST', '/v3/stop', 'management'],
  ['GET', '/v3/sync', 'management'],
  ['POST', '/v3/sync', 'management'],
  ['GET', '/ds/transactions', 'consent'],
  ['POST', '/v3/validate', 'anyone'],
  ['POST', '/v3/consent', 'anyone'],
  ['GET', '/consent', 'anyone'],
  ['GET', '/agents/consent/{codeWord}', 'anyone'],
  ['GET', '/v3/agents', 'consent'],
  ['GET', '/v3/readers', 'consent'],
  ['GET', '/v3/readers/{id}', 'consent'],
  ['GET', '/v3/readers/detect', 'consent'],
  ['GET', '/v3/readers/detect-card', 'consent'],
  ['GET', '/v3/readers/{id}/detect-card', 'consent'],
  ['GET', '/v3/readers/events', 'consent'],
  ['GET', '/atrs', 'consent'],
  ['GET', '/v3/modules', 'consent'],
  ['GET', '/v3/modules/{id}', 'consent'],
  ['POST', '/v3/modules/x509/pem', 'consent'],
  ['POST', '/v3/modules/x509/json', 'consent'],
  ['POST', '/v3/modules/x509/subject-cn', 'consent'],
  ['POST', '/v3/modules/x509/issuer-cn', 'consent'],
  ['GET', `${card}/cert-list`, 'consent'],
  ['GET', `${card}/authentication-cert`, 'consent'],
  ['GET', `${card}/nonrepudiation-cert`, 'consent'],
  ['GET', `${card}/encryption-cert`, 'consent'],
  ['GET', `${card}/root-cert`, 'consent'],
  ['GET', `${card}/intermediate-certs`, 'consent'],
  ['GET', `${card}/issuer-cert`, 'consent'],
  ['GET', `${card}/supported-algorithms`, 'consent'],
  ['GET', `${card}/all-data`, 'consent'],
  ['GET', `${card}/biometric`, 'consent'],
  ['GET', `${card}/address`, 'consent'],
  ['GET', `${card}/picture`, 'consent'],
  ['GET', `${card}/info`, 'consent'],
  ['GET', `${card}/version`, 'consent'],
  ['POST', `${card}/verify-pin`, 'consent'],
  ['POST', `${card}/authenticate`, 'consent'],
  ['POST', `${card}/sign`, 'consent'],
  ['POST', `${card}/sign_raw`, 'consent'],
  ['POST', `${card}/signatures`, 'consent'],
  ['POST', `${card}/validate`, 'consent'],
  ['POST', `${card}/authentication-token`, 'consent'],
  ['POST', `${token}/reset-bulk-pin`, 'consent'],
  ['GET', `${token}/reset-bulk-pin`, 'consent'],
  ['GET', `${token}/config`, 'consent'],
  ['POST', `${files}/create-type`, 'consent'],
  ['POST', `${files}/create-type-dirs`, 'consent'],
  ['POST', `${files}/update-type`, 'consent'],
  ['POST', `${files}/exist-type`, 'consent'],
  ['POST', `${files}/delete-type`, 'consent'],
  ['POST', `${files}/list-type`, 'consent'],
  ['POST', `${files}/list-types`, 'consent'],
  ['POST', `${files}/list-content`, 'consent'],
  ['POST', `${files}/list-type-content`, 'consent'],
  ['POST', `${files}/exist-file`, 'consent'],
  ['POST', `${files}/get-file-info`, 'consent'],
  ['POST', `${files}/get-access-mode`, 'consent'],
  ['POST', `${files}/create-dir`, 'consent'],
  ['POST', `${files}/copy-file`, 'consent'],
  ['POST', `${files}/move-file`, 'consent'],
  ['POST', `${files}/rename-file`, 'consent'],
  ['POST', `${files}/download`, 'consent'],
  ['POST', `${files}/upload`, 'consent'],
  ['GET', `${payment}/readers/{reader}/data`, 'consent'],
  ['GET', `${payment}/readers/{reader}/application-data`, 'consent'],
  ['POST', `${payment}/readers/{reader}/verify-pin`, 'consent'],
  ['POST', `${payment}/reset-bulk-pin`, 'consent'],
  ['GET', `${payment}/reset-bulk-pin`, 'consent'],
  ['GET', `${payment}/{aid}/readers/{reader}/cert-list`, 'consent'],
  ['GET', `${payment}/{aid}/readers/{reader}/issuer-cert`, 'consent'],
  ['GET', `${payment}/{aid}/readers/{reader}/icc-cert`, 'consent'],
  ['GET', `${payment}/{aid}/cert-list`, 'consent'],
  ['GET', `${payment}/{aid}/issuer-cert`, 'consent'],
  ['GET', `${payment}/{aid}/icc-cert`, 'consent'],
  ['POST', `${raw}/open-session`, 'grant raw'],
  ['POST', `${raw}/hold-session`, 'grant raw'],
  ['POST', `${raw}/close-session`, 'grant raw'],
  ['POST', `${raw}/card-present`, 'grant raw'],
  ['POST', `${raw}/atr`, 'grant raw'],
  ['POST', `${raw}/ccid-features`, 'grant raw'],
  ['POST', `${raw}/transmit`, 'grant raw'],
  ['POST', `${raw}/command`, 'grant raw'],
  ['POST', `${raw}/commands`, 'grant raw'],
  ['POST', `${raw}/apdu`, 'grant raw'],
  ['POST', `${raw}/apdus`, 'grant raw'],
  ['GET', '/v3/modules/rawprint/apps/print/printer-list', 'grant print'],
  ['POST', '/v3/modules/rawprint/apps/print/print', 'grant print'],
  ['GET', `${store}/certs-list`, 'consent'],
  ['GET', `${store}/certs-root`, 'consent'],
  ['GET', `${store}/certs-intermediate`, 'consent'],
  ['GET', `${store}/certs-authentication`, 'consent'],
  ['GET', `${store}/certs-non-repudiation`, 'consent'],
  ['GET', `${store}/certs-encryption`, 'consent'],
  ['POST', `${store}/certs`, 'consent'],
  ['GET', `${store}/certs/{id}/supported-algorithms`, 'consent'],
  ['POST', `${store}/verify-pin`, 'consent'],
  ['POST', `${store}/authenticate`, 'consent'],
  ['POST', `${store}/sign`, 'consent'],
  ['POST', `${store}/reset-bulk-pin`, 'consent'],
  ['GET', '/v3/certmgr/status', 'management'],
  ['GET', '/v3/certmgr/status/{domain}', 'management'],
  ['POST', '/v3/certmgr/install', 'management'],
  ['POST', '/v3/certmgr/renew', 'management'],
  ['POST', '/v3/certmgr/hosts', 'management'],
  ['DELETE', '/v3/certmgr/uninstall', 'management'],
]

/** What the API answers without an operation of the contract, for legacy clients: always a refusal, and only after this access. */
export const unsupportedAccess: readonly Row[] = [
  ['POST', `${token}/config`, 'consent'],
  ['PATCH', `${token}/config/reset`, 'consent'],
  ['DELETE', `${card}/anything`, 'consent'],
  ['POST', `${payment}/readers/{reader}/sign`, 'consent'],
  ['GET', `${payment}/anything`, 'consent'],
  ['GET', '/v3/modules/{module}/apps/hsm/anything', 'consent'],
  ['POST', '/v3/modules/simplesign', 'consent'],
  ['GET', '/v3/modules/simplesign/anything', 'consent'],
  ['POST', '/v3/modules/wacom-stu', 'consent'],
  ['GET', '/v3/modules/wacom-stu/anything', 'consent'],
  ['POST', '/v3/modules/vdds', 'consent'],
  ['GET', '/v3/modules/vdds/anything', 'consent'],
]

type RegistryRow = readonly [method: string, path: `/${string}`, access: 'pages' | 'agents']

/**
 * Who may call the registry. `pages`: pages of allowed origins and programs, without token or consent; what needs more is asked of the
 * API. `agents`: programs, and never a browser.
 */
export const registryAccess: readonly RegistryRow[] = [
  ['GET', '/info', 'pages'],
  ['GET', '/device-key', 'pages'],
  ['GET', '/v3/agents', 'pages'],
  ['POST', '/v3/validate', 'pages'],
  ['POST', '/v3/consent', 'pages'],
  ['GET', '/consent', 'pages'],
  ['GET', '/agents/consent/{codeWord}', 'pages'],
  ['POST', '/agent/register', 'agents'],
  ['POST', '/agent/poll', 'agents'],
  ['POST', '/agent/responses', 'agents'],
]
