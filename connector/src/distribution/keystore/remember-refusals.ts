/** Opens a keystore file once: one that was refused would take the same work at every synchronization. */
import { KeystoreRefused } from '../../../../pkcs12/keystore-refused.ts'
import type { OpenRequest } from './keystore-worker-messages.ts'
import type { OpenKeystoreFile } from './open-keystore-file.ts'

/** Milliseconds until a file that was refused is opened again, without being another one: clocks are corrected. */
const refusalMs = 3_600_000

export function rememberRefusals({
  openFile,
  clock,
}: {
  readonly openFile: OpenKeystoreFile
  /** Milliseconds since 1970. */
  readonly clock: () => number
}) {
  let refusal: { readonly file: string; readonly at: number; readonly error: unknown } | undefined
  /** `digest`: SHA-256 of the file. Throws what the last attempt with the same request threw. */
  return async (request: Omit<OpenRequest, 'now'>, digest: string, signal: AbortSignal) => {
    const file = `${digest} ${request.needsMac} ${request.password}`
    const now = clock()
    if (refusal?.file === file && Math.abs(now - refusal.at) < refusalMs) throw refusal.error
    try {
      return await openFile({ ...request, now }, signal)
    } catch (error) {
      if (error instanceof KeystoreRefused) refusal = { file, at: now, error }
      throw error
    }
  }
}
