/** How the legacy client libraries differ on the wire, one row a version. */
import { isWholeRun } from '../../../../test/bed/amounts.ts'

export interface Generation {
  readonly version: string
  /** Where consents are kept, and how they are asked for. */
  readonly consent: 'cookie' | 'string' | 'list'
  /** `always`: `Bearer` with nothing behind it where there is no token. */
  readonly authorization: 'always' | 'with-token'
  readonly billingTag: boolean
  readonly contentType: string
  /** What a consent request carries as `consents` when none are stored. */
  readonly noConsents: 'omitted' | 'null'
  /** Requests in all when one fails, and the pause after a failed validation. */
  readonly tries: number
  readonly pauseMs: number
  /** Where `/info` is read: at the top, or in `data` where that is. */
  readonly info: 'top' | 'data'
  readonly infoRequests: 1 | 2
  /** Milliseconds for `/info` and `/device-key`. */
  readonly infoTimeoutMs?: number
  /** When `/device-key` of the registry is asked for. */
  readonly registryKey: 'before-info' | 'after-info' | 'never'
  /** Whether signatures are verified. */
  readonly signatures: boolean
  /** What stays of a 401 and of a 404. */
  readonly unauthorized: 'body' | '112999' | '104025'
  readonly notFound: 'body' | '112999'
  /** An error without a JSON body leaves the promise of these pending for ever. */
  readonly hangsOnEmptyErrors: boolean
  /** A second initialisation with the same configuration begins at the port of the API. */
  readonly keepsPort: boolean
  /** What is read of a certificate: `certificate` of the answer, or the first of its `certificates`. */
  readonly certificate: 'only' | 'first-of-list'
  /** Whether bodies with a PIN say that it may be base64. */
  readonly flagsBase64: boolean
  /** Whether a ciphertext loses its first byte where that is zero. */
  readonly dropsZero: boolean
  /** The code for "consent is needed". */
  readonly consentNeeded: string
}

const old = {
  authorization: 'always',
  billingTag: false,
  contentType: 'application/json;charset=UTF-8',
  noConsents: 'omitted',
  tries: 1,
  pauseMs: 0,
  info: 'top',
  infoRequests: 1,
  registryKey: 'never',
  signatures: false,
  unauthorized: 'body',
  notFound: 'body',
  hangsOnEmptyErrors: true,
  keepsPort: true,
  certificate: 'only',
  flagsBase64: true,
  dropsZero: true,
  consentNeeded: '814501',
} as const

const list = { ...old, consent: 'list' } as const
const retrying = {
  ...list,
  authorization: 'with-token',
  billingTag: true,
  tries: 3,
  pauseMs: 1000,
  certificate: 'first-of-list',
} as const
const signing = {
  ...retrying,
  info: 'data',
  registryKey: 'before-info',
  signatures: true,
  dropsZero: false,
  unauthorized: '112999',
  notFound: '112999',
} as const
const modern = {
  ...signing,
  contentType: 'application/json',
  unauthorized: '104025',
  hangsOnEmptyErrors: false,
} as const
const listing = {
  ...modern,
  infoRequests: 2,
  registryKey: 'after-info',
  keepsPort: false,
} as const

export const newest: Generation = {
  ...listing,
  version: '3.8.8',
  infoTimeoutMs: 1000,
}

export const generations: readonly Generation[] = [
  { ...old, version: '3.3.0', consent: 'cookie', flagsBase64: false },
  { ...old, version: '3.4.2', consent: 'cookie' },
  { ...old, version: '3.5.0', consent: 'string', consentNeeded: '814501' },
  { ...old, version: '3.5.2', consent: 'string', consentNeeded: '814501' },
  { ...list, version: '3.5.3', noConsents: 'null' },
  {
    ...list,
    version: '3.5.5',
    authorization: 'with-token',
    billingTag: true,
    unauthorized: '112999',
  },
  {
    ...list,
    version: '3.6.1',
    authorization: 'with-token',
    billingTag: true,
    unauthorized: '112999',
    certificate: 'first-of-list',
  },
  { ...retrying, version: '3.6.2', unauthorized: '112999' },
  { ...signing, version: '3.7.1' },
  { ...signing, version: '3.7.4', unauthorized: 'body' },
  { ...modern, version: '3.7.6' },
  { ...modern, version: '3.7.11' },
  { ...listing, version: '3.8.0' },
  newest,
]

/** Together these have each value of each column: `npm test` runs them, and `npm run test:all` every version. */
export const differing: readonly string[] = ['3.3.0', '3.5.2', '3.5.3', '3.6.1', '3.7.4', '3.8.8']

export const testedGenerations: readonly Generation[] = isWholeRun()
  ? generations
  : generations.filter(({ version }) => differing.includes(version))
