/** Opens a keystore in a thread of its own, which is ended when it takes too long or is not wanted any more. */
import * as z from 'zod/mini'
import { KeystoreRefused } from '../../../../pkcs12/keystore-refused.ts'
import { OpenedKeystore, type OpenRequest } from './keystore-worker-messages.ts'
import type { ServerMaterial } from './server-material.ts'

/** Throws KeystoreRefused, and the reason of the signal as soon as that is aborted. */
export type OpenKeystoreFile = (
  request: OpenRequest,
  signal: AbortSignal,
) => Promise<ServerMaterial>

/** Milliseconds; the work that a file may take needs ten seconds of a slow machine. */
const defaultTimeoutMs = 60_000

/** `worker` is the file of the thread, `keystore-worker.ts`. */
export const createKeystoreOpener =
  (worker: URL, timeoutMs = defaultTimeoutMs): OpenKeystoreFile =>
  async (request, signal) => {
    signal.throwIfAborted()
    const thread = new Worker(worker.href)
    const timeout = AbortSignal.timeout(timeoutMs)
    const end = AbortSignal.any([signal, timeout])
    try {
      const reply = new Promise<unknown>((resolve, reject) => {
        thread.addEventListener('message', ({ data }) => resolve(data))
        thread.addEventListener('error', ({ message }) => reject(malformedError(message)))
        end.addEventListener('abort', () => reject(signal.aborted ? signal.reason : lateError()))
      })
      thread.postMessage(request)
      const opened = z.parse(OpenedKeystore, await reply)
      if (opened.kind === 'opened') return opened.material
      throw opened.kind === 'refused'
        ? new KeystoreRefused(opened.reason)
        : malformedError(opened.reason)
    } finally {
      thread.terminate()
    }
  }

const lateError = () =>
  new KeystoreRefused('it takes too long to open: make it with fewer iterations')
const malformedError = (reason: string) => new KeystoreRefused(`it cannot be read: ${reason}`)
