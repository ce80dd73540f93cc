/** What the factories of legacy clients call: the module in the path, and the operations that each offers. */

export interface Call {
  readonly method: 'GET' | 'POST' | 'PATCH'
  /** Behind `/v3/modules/{module}/apps/`; `{reader}` stands for the id of the reader. */
  readonly path: string
  readonly body?: Readonly<Record<string, unknown>>
  /** What a page without a grant is told; default: that the card is not supported. */
  readonly code?: string
}

const grantMissing = '104007'

export interface Factory {
  readonly module: string
  readonly calls: readonly Call[]
}

const digest = Buffer.alloc(32, 7).toString('base64')
const signing = { algorithm: 'sha256', data: digest, base64Encoded: true }

const inReader = (path: string) => `token/readers/{reader}/${path}`
const get = (path: string): Call => ({ method: 'GET', path: inReader(path) })
const post = (path: string, body: Call['body'] = {}): Call => ({
  method: 'POST',
  path: inReader(path),
  body,
})

/** Of every factory for tokens. */
const common: readonly Call[] = [
  get('authentication-cert'),
  get('nonrepudiation-cert'),
  get('cert-list'),
  get('supported-algorithms'),
  post('verify-pin', { base64Encoded: true }),
  post('authenticate', signing),
  post('sign', signing),
  post('sign?bulk=true', signing),
  { method: 'GET', path: 'token/reset-bulk-pin' },
  { method: 'POST', path: 'token/reset-bulk-pin' },
]
const raw = post('sign_raw', signing)
const validate = post('validate', { algorithm: 'sha256', hash: digest, signedHash: digest })
const identity = ['all-data', 'biometric', 'address', 'picture'].map(get)
const info = get('info')
const root = get('root-cert')
const encryption = get('encryption-cert')
const issuer = get('issuer-cert')
const pki = [...common, raw, info, root, encryption, issuer, validate]
const signer = [...common, raw, validate]

/** Factories for which this connector has no module. */
export const otherFactories: readonly Factory[] = [
  {
    module: 'luxeid',
    calls: [...common, raw, ...identity, info, root],
  },
  {
    module: 'diplad',
    calls: [...common, ...identity, info, root, encryption, get('intermediate-certs')],
  },
  { module: 'luxtrust', calls: [...common, raw, root] },
  {
    module: 'aventra_myid_4',
    calls: [...pki, post('reset-pin', { puk: '12345678', resetOnly: true, base64Encoded: true })],
  },
  { module: 'oberthur_73', calls: pki },
  { module: 'idemia_cosmo_82', calls: pki },
  { module: 'certigna', calls: [...signer, info] },
  { module: 'certinomis', calls: [...signer, info] },
  { module: 'dnie', calls: signer },
  { module: 'safenet', calls: [...common, info, validate] },
  { module: 'eherkenning', calls: signer },
  { module: 'jcop3', calls: [...signer, encryption] },
  { module: 'airbus', calls: [...signer, root, encryption, issuer] },
  { module: 'camerfirma', calls: [...signer, info] },
  { module: 'chambersign', calls: [...signer, info] },
  {
    module: 'pkcs11',
    calls: [
      ...common,
      info,
      validate,
      { method: 'PATCH', path: 'token/config/reset', code: grantMissing },
    ],
  },
  ...['emv', 'crelan'].map((module) => ({ module, calls: createPaymentCalls() })),
  {
    module: 'remoteloading',
    calls: ['open-session', 'apdu', 'close-session'].map((path) => ({
      method: 'POST' as const,
      path: `hsm/readers/{reader}/${path}`,
      body: { apdu: { cla: '00', ins: 'A4', p1: '04', p2: '00', data: 'A0000000041010' } },
      code: grantMissing,
    })),
  },
]

function createPaymentCalls(): readonly Call[] {
  const paid = 'payment/readers/{reader}'
  const application = 'payment/A0000000041010'
  const certificates = [
    { path: 'cert-list?filter=issuerPublicCertificate' },
    { path: 'issuer-cert' },
    { path: 'icc-cert', code: grantMissing },
  ]
  return [
    { method: 'GET', path: `${paid}/data` },
    { method: 'GET', path: `${paid}/application-data` },
    // Some versions leave the reader out.
    ...certificates.flatMap(({ path, ...call }): readonly Call[] => [
      { method: 'GET', path: `${application}/readers/{reader}/${path}`, ...call },
      { method: 'GET', path: `${application}/${path}`, ...call },
    ]),
    { method: 'POST', path: `${paid}/verify-pin`, body: { base64Encoded: true } },
    { method: 'POST', path: `${paid}/sign`, body: { txId: '1', language: 'nl', data: digest } },
  ]
}
