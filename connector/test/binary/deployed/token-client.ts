/** What legacy clients do with the card in a reader: their calls, and what they make of the answers. */
import { constants, publicEncrypt } from 'node:crypto'
import type { Json } from '../../../../test/bed/service-request.ts'
import { type DeployedClient, Rejected } from './client.ts'
import type { Generation } from './generations.ts'

/** One certificate, as a call that is not "extended" gives it to a page. */
export interface ReadCertificate {
  readonly certificate: string
  readonly certificateType: string
  readonly id: string
}

export interface TokenClient {
  certificate(path: string): Promise<ReadCertificate>
  /** `query` has the filter as the factory encodes it. */
  certificates(query?: string): Promise<Readonly<Record<string, ReadCertificate>>>
  algorithms(): Promise<readonly string[]>
  /** POST of a body with the PIN of a form of the page, encrypted as this version does it. */
  post(path: string, body: object, pin?: string): Promise<Json>
  resetBulkPin(verb: 'GET' | 'POST'): Promise<Json>
}

export function openToken(
  client: DeployedClient,
  { certificate, flagsBase64, dropsZero }: Generation,
  {
    module,
    reader,
    family = 'token',
  }: { readonly module: string; readonly reader: string; readonly family?: 'token' | 'payment' },
): TokenClient {
  const base = `/v3/modules/${module}/apps/${family}`
  const inReader = `${base}/readers/${reader}`

  function readCertificate(answer: Json): ReadCertificate {
    if (certificate === 'only') return pick(answer)
    if (!answer.certificates) throw new Rejected('302102', 'No certificates in the answer')
    const [first] = answer.certificates
    // The versions read members of it without a look: an empty list is an exception.
    return pick(first)
  }

  /** No longer than the modulus; versions up to 3.6.3 leave a leading zero out. */
  function encrypt(pin: string): string {
    const key = client.deviceKey()
    if (!key) throw new Error('Expected a device key')
    const encrypted = publicEncrypt({ key, padding: constants.RSA_PKCS1_PADDING }, Buffer.from(pin))
    return encrypted.subarray(dropsZero && encrypted[0] === 0 ? 1 : 0).toString('base64')
  }

  return {
    certificate: async (path) => readCertificate(await client.get(`${inReader}/${path}`)),
    async certificates(query = '') {
      const list = await client.get(`${inReader}/cert-list${query}`)
      return Object.fromEntries(
        Object.entries<Json>(list).map(([name, answer]) => [name, readCertificate(answer)]),
      )
    },
    algorithms: async () => (await client.get(`${inReader}/supported-algorithms`)).ref,
    post: (path, body, pin) =>
      client.request('POST', `${inReader}/${path}`, {
        body: {
          ...body,
          ...(pin !== undefined && { pin: encrypt(pin) }),
          ...(flagsBase64 && { base64Encoded: true }),
        },
      }),
    resetBulkPin: (verb) => client.request(verb, `${base}/reset-bulk-pin`),
  }
}

const pick = ({ certificate, certificateType, id }: ReadCertificate): ReadCertificate => ({
  certificate,
  certificateType,
  id,
})
