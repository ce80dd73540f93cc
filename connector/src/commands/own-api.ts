/** Asks the running API of this user, over TLS that is pinned to the certificate in this user's folder. */
import { X509Certificate } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { request } from 'node:http'
import { join } from 'node:path'
import { connect, type TLSSocket } from 'node:tls'
import type { Operation } from '@cardwire/client/protocol'
import * as z from 'zod/mini'
import { runtimeFiles } from '../api/run.ts'
import { keystoreFiles } from '../keystore/kept.ts'
import { fileNames } from '../pki/folder.ts'
import type { Folders } from '../system/folders.ts'

/** Why the API was not asked, or did not do it. */
export class ApiSilent extends Error {}

/** Milliseconds until there is TLS, and until there is an answer: a registration and a synchronisation at their longest. */
const patience = { connectMs: 5000, answerMs: 70_000 }

type Asked = Operation & { readonly reply: { readonly schema: z.ZodMiniType } }

/** Does an operation without a body, with the management token. Throws ApiSilent. */
export async function askOwnApi<const O extends Asked>(
  { runtime, certificates }: Pick<Folders, 'runtime' | 'certificates'>,
  operation: O,
): Promise<z.output<O['reply']['schema']>> {
  const read = (folder: string, name: string) =>
    readFile(join(folder, name), 'utf8').catch(() => {
      throw new ApiSilent('The connector is not running')
    })
  const port = Number(await read(runtime, runtimeFiles.port))
  const token = await read(runtime, runtimeFiles.token)
  const socket = await dial(port, [
    ...(await fingerprintIn(join(certificates, fileNames.leafCert))),
    // Shown for localhost where there is no local authority.
    ...(await fingerprintIn(join(runtime, keystoreFiles.pem))),
  ])
  const { status, text } = await ask(socket, operation, token)
  const answer = z.safeParse(Answer, JSON.parse(text))
  if (!answer.success) throw new ApiSilent(`The connector answered with status ${status}`)
  if (!answer.data.success) throw new ApiSilent(answer.data.description)
  return z.parse(operation.reply.schema, answer.data.data) as z.output<O['reply']['schema']>
}

async function fingerprintIn(path: string): Promise<readonly string[]> {
  try {
    return [new X509Certificate(await readFile(path, 'utf8')).fingerprint256]
  } catch {
    return []
  }
}

const Answer = z.discriminatedUnion('success', [
  z.object({ success: z.literal(true), data: z.unknown() }),
  z.object({ success: z.literal(false), description: z.string() }),
])

/** Bun's client refuses the constraints of our own root, so the certificate is compared before anything is written. */
async function dial(port: number, fingerprints: readonly string[]): Promise<TLSSocket> {
  const socket = connect({
    ...{ host: '127.0.0.1', port, servername: 'localhost', rejectUnauthorized: false },
  })
  const secure = Promise.withResolvers<void>()
  const timer = setTimeout(() => secure.reject(new Error('no answer')), patience.connectMs)
  socket.once('secureConnect', secure.resolve)
  socket.once('error', secure.reject)
  try {
    await secure.promise
  } catch {
    socket.destroy()
    throw new ApiSilent('The connector is not running')
  } finally {
    clearTimeout(timer)
  }
  if (fingerprints.includes(socket.getPeerCertificate().fingerprint256)) return socket
  socket.destroy()
  throw new ApiSilent(`Another program has port ${port}, where the connector was`)
}

function ask(
  socket: TLSSocket,
  { method, path }: Operation,
  token: string,
): Promise<{ readonly status: number; readonly text: string }> {
  return new Promise((resolve, reject) => {
    const headers = {
      host: 'localhost',
      connection: 'close',
      'x-csrf-token': 't1c-js',
      authorization: `Bearer ${token}`,
    }
    const sent = request({ createConnection: () => socket, method, path, headers })
    const fail = (error: Error) => {
      clearTimeout(timer)
      socket.destroy()
      reject(new ApiSilent(`The connector does not answer: ${error.message}`))
    }
    const timer = setTimeout(() => fail(new Error('it took too long')), patience.answerMs)
    sent.once('error', fail)
    sent.once('response', (response) => {
      let text = ''
      response.setEncoding('utf8')
      response.on('data', (part: string) => {
        text += part
      })
      response.once('error', fail)
      response.once('end', () => {
        clearTimeout(timer)
        resolve({ status: response.statusCode ?? 0, text })
      })
    })
    sent.end()
  })
}
