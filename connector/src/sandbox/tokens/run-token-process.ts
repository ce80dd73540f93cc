/**
 * A token process: has one PKCS #11 library, and does operations with its tokens, one at a time, by calls that block. Whoever started
 * it kills it at a deadline; a library that ends its process ends no other.
 */
import { CardRequest } from '../../system/ipc/card-messages.ts'
import { createKeptPin } from '../kept-pin.ts'
import { createRequestRunner } from '../run-request.ts'
import { type Failure, sendMessage, serveRequests } from '../serve-requests.ts'
import { LibraryError, loadLibrary } from './load-library.ts'
import { createTokenWorker } from './token-worker.ts'

/** Serves standard input until it ends. */
export function runTokenProcess(): void {
  const keptPin = createKeptPin({ monotonic: () => performance.now(), wall: Date.now })
  try {
    const run = createRequestRunner(createTokenWorker(loadLibrary), keptPin)
    serveRequests(
      CardRequest,
      (request, pin) => {
        // Nobody can tell whether the library waits for the token, or the token is slow.
        sendMessage({ type: 'phase', phase: 'working' })
        return run(request, pin)
      },
      toFailure,
    )
  } finally {
    keptPin.forget()
  }
}

function toFailure(error: unknown): Failure | undefined {
  if (!(error instanceof LibraryError)) return undefined
  const message = 'Cannot use the library of this card: the log of the connector says why'
  return { type: 'failed', problem: 'card-unsupported', message, defect: error.message }
}
