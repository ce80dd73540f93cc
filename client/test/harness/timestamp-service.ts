/** A timestamp service (RFC 3161): openssl behind http, on loopback. */
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { onTestFinished } from 'vitest'
import type { Holder } from './authority.ts'

const run = promisify(execFile)

/** How the next response differs from that of a good service. */
export interface Reply {
  readonly status?: number
  /** By which its certificate is named; default: sha256. */
  readonly certificateHash?: string
  /** Changes the request before openssl reads it. */
  readonly request?: (request: Buffer) => Buffer
  /** Changes what openssl responds. */
  readonly response?: (response: Buffer) => Buffer | Promise<Buffer>
}

export interface TimestampServer {
  readonly url: string
  /** The last request, and its header. */
  readonly requests: { readonly body: Buffer; readonly contentType: string | undefined }[]
}

/** Ends with the test. */
export async function serveTimestamps(
  service: Holder,
  chain: readonly Holder[],
  reply: Reply = {},
): Promise<TimestampServer> {
  const folder = await mkdtemp(join(tmpdir(), 'cardwire-timestamps-'))
  const at = (name: string) => join(folder, name)
  await writeFile(at('chain.pem'), chain.map(({ certificate }) => certificate).join(''))
  await writeFile(at('serial'), '01')
  await writeFile(
    at('tsa.cnf'),
    `[tsa]\ndefault_tsa=own\n[own]\nserial=${at('serial')}\nsigner_cert=${service.certificateFile}\n` +
      `signer_key=${service.keyFile}\ncerts=${at('chain.pem')}\nsigner_digest=sha256\ndefault_policy=1.2.3.4.1\n` +
      'digests=sha256,sha384,sha512\naccuracy=secs:1\nordering=no\ntsa_name=yes\ness_cert_id_chain=no\n' +
      `ess_cert_id_alg=${reply.certificateHash ?? 'sha256'}\n`,
  )
  const requests: TimestampServer['requests'] = []
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part)
    const body = Buffer.concat(parts)
    requests.push({ body, contentType: request.headers['content-type'] })
    await writeFile(at('query'), reply.request?.(body) ?? body)
    await run('openssl', [
      ...['ts', '-reply', '-config', at('tsa.cnf'), '-queryfile', at('query')],
      ...['-out', at('reply')],
    ]).catch(() => undefined)
    const made = await readFile(at('reply')).catch(() => Buffer.alloc(0))
    response.writeHead(reply.status ?? 200, { 'content-type': 'application/timestamp-reply' })
    response.end((await reply.response?.(made)) ?? made)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, requests }
}

/** Extensions of a service's certificate. */
export const timestampExtensions = [
  'basicConstraints=critical,CA:FALSE',
  'keyUsage=critical,digitalSignature',
  'extendedKeyUsage=critical,timeStamping',
]
