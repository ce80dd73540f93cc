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
export class ApiSilent extends Error {
  /** Whether there is an API that might have answered. */
  readonly isRunning: boolean

  constructor(sentence: string, isRunning: boolean) {
    super(sentence)
    this.isRunning = isRunning
  }
}

/** Milliseconds until there is TLS, and until there is an answer: a registration and a synchronisation at their longest. */
const patience = { connectMs: 5000, answerMs: 70_000 }

type Asked = Operation & { readonly reply: { readonly schema: z.ZodMiniType } }

const notRunning = () => new ApiSilent('The connector is not running', false)

/** Where the API of this user was the last time. Throws ApiSilent. */
export const ownApiPort = async ({ runtime }: Pick<Folders, 'runtime'>): Promise<number> =>
  Number(await textIn(runtime, runtimeFiles.port))

const textIn = (folder: string, name: string) =>
  readFile(join(folder, name), 'utf8').catch(() => {
    throw notRunning()
  })

/** Does an operation without a body, with the management token. `answerMs`: milliseconds. Throws ApiSilent. */
export async function askOwnApi<const O extends Asked>(
  { runtime, certificates }: Pick<Folders, 'runtime' | 'certificates'>,
  operation: O,
  answerMs: number = patience.answerMs,
): Promise<z.output<O['reply']['schema']>> {
  const port = await ownApiPort({ runtime })
  const token = await textIn(runtime, runtimeFiles.token)
  const socket = await dial(port, [
    ...(await fingerprintIn(join(certificates, fileNames.leafCert))),
    // Shown for localhost where there is no local authority.
    ...(await fingerprintIn(join(runtime, keystoreFiles.pem))),
  ])
  const { status, text } = await ask(socket, operation, { token, answerMs })
  const answer = z.safeParse(Answer, JSON.parse(text))
  if (!answer.success) throw new ApiSilent(`The connector answered with status ${status}`, true)
  if (!answer.data.success) throw new ApiSilent(answer.data.description, true)
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
  const silent = new ApiSilent(`Nothing that speaks TLS answers on port ${port}`, true)
  const timer = setTimeout(() => secure.reject(silent), patience.connectMs)
  socket.once('secureConnect', secure.resolve)
  socket.once('error', secure.reject)
  try {
    await secure.promise
  } catch (error) {
    socket.destroy()
    throw error === silent ? silent : notRunning()
  } finally {
    clearTimeout(timer)
  }
  if (fingerprints.includes(socket.getPeerCertificate().fingerprint256)) return socket
  socket.destroy()
  throw new ApiSilent(`Another program has port ${port}, where the connector was`, false)
}

function ask(
  socket: TLSSocket,
  { method, path }: Operation,
  { token, answerMs }: { readonly token: string; readonly answerMs: number },
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
      reject(new ApiSilent(`The connector does not answer: ${error.message}`, true))
    }
    const timer = setTimeout(() => fail(new Error('it took too long')), answerMs)
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
