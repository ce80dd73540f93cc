/** Verifies that a response has the signature of the connector at its address. */
import { abortable } from '@cardwire/protocol/abortable'
import type { CallResult } from '@cardwire/protocol/call'
import { abortedMessage, CardwireError, createCallError } from './error.ts'
import type { Ports } from './ports.ts'
import type { RequestTarget } from './request.ts'
import { createSignatureVerifier, type VerifySignature } from './signature.ts'

type VerifyResponse = (
  result: CallResult<unknown>,
  target: Pick<RequestTarget, 'address' | 'signal'>,
) => Promise<void>

/** `fetchKey`: the public key of the connector at an address. */
export function createResponseVerifier(
  { subtle, clock }: Pick<Ports, 'subtle' | 'clock'>,
  fetchKey: (address: string) => Promise<string | null>,
): VerifyResponse {
  const verifiers = new Map<string, VerifySignature>()

  return async (result, { address, signal }) => {
    if (!subtle) {
      throw createCallError(
        'page-insecure',
        'Cannot verify the responses of the connector: the page has to be served over https',
      )
    }
    const verify =
      verifiers.get(address) ?? createSignatureVerifier(subtle, clock, () => fetchKey(address))
    verifiers.set(address, verify)
    const isGenuine = await abortable(verify(result), signal).catch((error) => {
      if (CardwireError.is(error)) throw error
      if (signal?.aborted) throw createCallError('aborted', abortedMessage, error)
      throw createCallError(
        'signature-wrong',
        `Cannot read the key of the connector at ${address}`,
        error,
      )
    })
    if (!isGenuine) {
      throw createCallError(
        'signature-wrong',
        `Cannot trust the response of ${address}: its signature is wrong`,
      )
    }
  }
}
