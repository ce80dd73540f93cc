/** Opens the certificates and keys that the system keeps for the user: on Windows alone. */
import { Problem } from '@cardwire/protocol/problem'
import { scrubEnvironment } from '../../system/desktop/programs.ts'
import { createHelperProcess, type RunHelper } from '../../system/helper-process.ts'
import { type KeyRequest, KeyResponse } from './key-messages.ts'
import type { KeyFailure, KeyStore } from './key-store.ts'

/** Milliseconds that a list may take; bytes of one, which has two thousand certificates at most. */
const listMs = 15_000
const maxBytes = 16_777_216

/** `helper`: the command that starts this binary's role `keys`. undefined: this system keeps none that pages use. */
export const openKeyStore = (
  platform: string,
  helper: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): KeyStore | undefined =>
  platform === 'win32'
    ? createKeyStore(createHelperProcess(helper, scrubEnvironment(environment)))
    : undefined

function createKeyStore(runHelper: RunHelper): KeyStore {
  const send = async (request: KeyRequest, signal: AbortSignal): Promise<KeyResponse> => {
    const reply = await runHelper(request, { signal, maxBytes })
    if (reply !== undefined) return KeyResponse.parse(JSON.parse(reply))
    // The user is asked in windows of Windows: the time was over, or the page has gone.
    if (signal.aborted) return { kind: 'failed', reason: 'cancelled' }
    throw createUnavailable()
  }
  return {
    async list(store) {
      const response = await send({ act: 'list', store }, AbortSignal.timeout(listMs))
      if (response.kind === 'certificates') return response.certificates
      throw createUnavailable()
    },
    async sign(fingerprint, { hash, digest, isRsa, mayAuthenticate }, signal) {
      const base64 = Buffer.from(digest).toString('base64')
      const use = { hash, digest: base64, isRsa, mayAuthenticate }
      const request = { act: 'sign', fingerprint, ...use } as const
      const response = await send(request, signal)
      if (response.kind === 'signed') return Buffer.from(response.signature, 'base64')
      return toFailure(response)
    },
    async open(fingerprint, signal) {
      const response = await send({ act: 'open', fingerprint }, signal)
      return response.kind === 'opened' ? undefined : toFailure(response)
    },
  }
}

const toFailure = (response: KeyResponse): KeyFailure =>
  response.kind === 'failed' ? response.reason : 'unsupported'

const createUnavailable = () =>
  new Problem(
    'store-unavailable',
    'Cannot use the Windows certificates: Windows is not responding; try again',
  )
