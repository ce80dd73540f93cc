/** Calls the running API of this user, over TLS that is pinned to the certificate in this user's folder. */
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { TLSSocket } from 'node:tls'
import type { Operation } from '@cardwire/protocol/operation'
import * as z from 'zod/mini'
import { runtimeFiles } from '../api/run-api.ts'
import { keystoreFiles } from '../distribution/keystore/keystore-file.ts'
import { fileNames } from '../pki/certificate-folder.ts'
import { errorText } from '../system/error-text.ts'
import type { Folders } from '../system/folders.ts'
import {
  connectPinned,
  type PinnedCertificate,
  type PinnedResponse,
  PinnedTlsError,
  readFingerprint,
  sendRequest,
} from '../system/ipc/pinned-tls.ts'
import { isPresent } from '../system/missing-file.ts'
import type { LoopbackAddress } from '../system/server.ts'
import { tryLockFile } from '../system/single-instance.ts'

/** Why the API could not be called, or did not do what it was asked. */
export class ApiUnavailable extends Error {
  /** Whether an API is running that could have answered. */
  readonly isRunning: boolean
  /** Whether it runs with certificates whose files were uninstalled. */
  readonly isUninstalled: boolean
  /** Whether the connection ended before the answer: the API may have ended. */
  readonly isCutOff: boolean

  constructor(
    message: string,
    {
      isRunning,
      isUninstalled = false,
      isCutOff = false,
    }: { isRunning: boolean; isUninstalled?: boolean; isCutOff?: boolean },
  ) {
    super(message)
    this.isRunning = isRunning
    this.isUninstalled = isUninstalled
    this.isCutOff = isCutOff
  }

  /** What to do about it. */
  get remedy(): string {
    return this.isRunning
      ? 'end the process "cardwire run" and start it again'
      : 'start it: cardwire run'
  }
}

/** The file in the runtime folder that a running connector has locked. */
export const lockFileName = 'connector.lock'

/** Milliseconds until TLS is established, and until the answer: a registration and a synchronization at their longest. */
const timeouts = { connectMs: 5000, answerMs: 70_000 }

type ReplyOperation = Operation & { readonly reply: { readonly schema: z.ZodMiniType } }

const notRunning = () => new ApiUnavailable('The connector is not running', { isRunning: false })

/** The port on which the API of this user last listened. Throws ApiUnavailable. */
export const readOwnApiPort = async ({ runtime }: Pick<Folders, 'runtime'>): Promise<number> =>
  Number(await readRuntimeFile(runtime, runtimeFiles.port))

const readRuntimeFile = (folder: string, name: string) =>
  readFile(join(folder, name), 'utf8').catch(() => {
    throw notRunning()
  })

/** Calls an operation without a body, with the management token. `answerMs`: milliseconds. Throws ApiUnavailable. */
export async function callOwnApi<const O extends ReplyOperation>(
  { runtime, certificates }: Pick<Folders, 'runtime' | 'certificates'>,
  operation: O,
  answerMs: number = timeouts.answerMs,
): Promise<z.output<O['reply']['schema']>> {
  const port = await readOwnApiPort({ runtime })
  const token = await readRuntimeFile(runtime, runtimeFiles.token)
  const socket = await connectOwnApi(port, runtime, listCertificates(runtime, certificates))
  const { status, text } = await requestOwnApi(socket, operation, { token, answerMs })
  const answer = z.safeParse(ApiAnswer, JSON.parse(text))
  if (!answer.success)
    throw new ApiUnavailable(`The connector responded with status ${status}`, { isRunning: true })
  if (!answer.data.success) {
    throw new ApiUnavailable(answer.data.description, { isRunning: true })
  }
  return z.parse(operation.reply.schema, answer.data.data) as z.output<O['reply']['schema']>
}

/** Whether the API of this user answers on this address. */
export async function answersOn(
  { runtime, certificates }: Pick<Folders, 'runtime' | 'certificates'>,
  host: LoopbackAddress,
): Promise<boolean> {
  try {
    const port = await readOwnApiPort({ runtime })
    const socket = await connectOwnApi(port, runtime, listCertificates(runtime, certificates), host)
    socket.destroy()
    return true
  } catch (error) {
    if (error instanceof ApiUnavailable) return false
    throw error
  }
}

const listCertificates = (runtime: string, certificates: string) => [
  join(certificates, fileNames.leafCert),
  // Served for localhost where there is no local authority.
  join(runtime, keystoreFiles.pem),
]

async function readPinned(paths: readonly string[]): Promise<readonly PinnedCertificate[]> {
  const fingerprints = await Promise.all(paths.map(readFingerprint))
  return fingerprints.flatMap((fingerprint) => (fingerprint === undefined ? [] : { fingerprint }))
}

const ApiAnswer = z.discriminatedUnion('success', [
  z.object({ success: z.literal(true), data: z.unknown() }),
  z.object({ success: z.literal(false), description: z.string() }),
])

/** `certificates`: the files with those that the API may show. Throws ApiUnavailable. */
async function connectOwnApi(
  port: number,
  runtime: string,
  certificates: readonly string[],
  host: LoopbackAddress = '127.0.0.1',
): Promise<TLSSocket> {
  try {
    const { socket } = await connectPinned({
      port,
      host,
      connectMs: timeouts.connectMs,
      readPinned: () => readPinned(certificates),
    })
    return socket
  } catch (error) {
    const failure = error instanceof PinnedTlsError ? error.failure : undefined
    if (failure === 'certificate-unknown') {
      if (!certificates.some((path) => existsSync(path)) && isLocked(runtime)) {
        throw new ApiUnavailable(
          `Cannot recognize the connector on port ${port}, because its certificates were uninstalled`,
          { isRunning: true, isUninstalled: true },
        )
      }
      const message = `Another program uses port ${port}, which the connector used before`
      throw new ApiUnavailable(message, { isRunning: false })
    }
    if (failure === 'no-tls') {
      const message = `The program on port ${port} does not speak TLS`
      throw new ApiUnavailable(message, { isRunning: true })
    }
    throw notRunning()
  }
}

/** Whether a connector of this user runs, whatever certificate it shows. Throws when its lock cannot be read. */
export function isLocked(runtime: string): boolean {
  if (!isPresent(join(runtime, lockFileName))) return false
  const release = tryLockFile(runtime, lockFileName)
  release?.()
  return release === undefined
}

async function requestOwnApi(
  socket: TLSSocket,
  { method, path }: Operation,
  { token, answerMs }: { readonly token: string; readonly answerMs: number },
): Promise<PinnedResponse> {
  try {
    const headers = { connection: 'close', authorization: `Bearer ${token}` }
    return await sendRequest(socket, { method, path, headers, timeoutMs: answerMs })
  } catch (error) {
    socket.destroy()
    const isTimeout = error instanceof PinnedTlsError && error.failure === 'timeout'
    const reason = isTimeout ? 'it took too long' : errorText(error)
    const message = `The connector is not responding: ${reason}`
    throw new ApiUnavailable(message, { isRunning: true, isCutOff: !isTimeout })
  }
}
