/** Opens the keystore that a configuration names, before the configuration is saved: what connectors would refuse is refused here. */
import { type Configuration, type ConfigurationInput, Problem } from '@cardwire/protocol'
import { findPackage, isFileUri, type Package, requireRequest } from '../packages/packages.ts'
import type { OpenedKeystore } from '../ports.ts'
import type { Services } from '../services.ts'

type Input = Extract<ConfigurationInput, { type: 'SSL_KEYSTORE' }>['config']
type Stored = Extract<Configuration, { type: 'SSL_KEYSTORE' }>['config']

export type ExamineServices = Pick<Services, 'keystores' | 'openKeystore' | 'digest' | 'clock'> & {
  /** Aborted when the request has ended. */
  readonly signal: AbortSignal
}

/** The most certificates that a connector takes have less. Its parser takes 0.3 s for it, in which it gives no one a turn. */
const maxBytes = 512 * 1024

/** What is stored of it: the digest and the certificate of the file that is there now. The service reads no file that is elsewhere. */
export async function examineKeystore(
  services: ExamineServices,
  { uri, digest, password }: Input,
): Promise<Stored> {
  if (!isFileUri(uri)) return { uri, ...(digest !== undefined && { digest }) }
  const bytes = await readFile(services, uri)
  const found = await services.digest(bytes)
  if (digest !== undefined && digest !== found) throw createDigestProblem(uri, found)
  const { clock, signal } = services
  const opened = await services
    .openKeystore(bytes, password, { now: clock(), signal })
    .catch((error) => {
      requireRequest(signal)
      throw error
    })
  if (opened.kind === 'refused') throw createRefusedProblem(uri, opened)
  return { uri, digest: found, certificate: opened.certificate }
}

async function readFile({ keystores, signal }: ExamineServices, uri: string) {
  const file = await findPackage(keystores, uri)
  if (!file) {
    throw new Problem(
      'input-invalid',
      `Cannot read the keystore "${uri}": put the file into the keystores folder first`,
      { errors: [{ path: 'config.uri', message: 'No such file in the keystores folder' }] },
    )
  }
  if (file.size <= maxBytes) return readBytes(file, signal)
  const reason = `it has more than ${maxBytes} bytes`
  throw createRefusedProblem(uri, { problem: 'keystore-unreadable', reason })
}

async function readBytes(file: Package, signal: AbortSignal): Promise<Uint8Array<ArrayBuffer>> {
  if (file.size === 0) return new Uint8Array()
  const bytes = new Uint8Array(file.size)
  let length = 0
  for await (const part of await file.read(0, file.size - 1)) {
    requireRequest(signal)
    bytes.set(part, length)
    length += part.length
  }
  return bytes.subarray(0, length)
}

const createDigestProblem = (uri: string, found: string) =>
  new Problem(
    'input-invalid',
    `Cannot use the keystore "${uri}": its SHA-256 is ${found}, leave "digest" out or correct it`,
    { errors: [{ path: 'config.digest', message: `The SHA-256 of the file is ${found}` }] },
  )

/** What to do, by what is wrong. */
const remedies = {
  'keystore-locked': 'enter the password with which the file was made',
  'keystore-unreadable':
    'make it again with "openssl pkcs12 -export -inkey KEY.pem -in CERTIFICATE.pem -certfile CHAIN.pem -out KEYSTORE.p12"',
  'keystore-unusable': 'make it again from a certificate for servers with its private key',
  'keystore-expired': 'make it again from a certificate that is valid',
} as const

function createRefusedProblem(
  uri: string,
  { problem, reason }: Pick<Extract<OpenedKeystore, { kind: 'refused' }>, 'problem' | 'reason'>,
) {
  const path = problem === 'keystore-locked' ? 'config.password' : 'config.uri'
  const message = `${reason.charAt(0).toUpperCase()}${reason.slice(1)}`
  return new Problem(problem, `Cannot use the keystore "${uri}": ${reason}, ${remedies[problem]}`, {
    errors: [{ path, message }],
  })
}
