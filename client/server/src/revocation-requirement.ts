/** Whether a path may be used after its CAs were asked for revocations. */
import {
  findRevocationFailure,
  type RevocationChecker,
  type RevocationFailure,
  type RevocationResult,
} from './revocation/checker.ts'

export interface RevocationRequirement {
  readonly checker: RevocationChecker | undefined
  readonly at: Date
  /** Whether a trusted timestamp proves `at`: then a certificate that was revoked later counts. */
  readonly isProven?: boolean
  readonly createError: (reason: RevocationFailure, message: string) => Error
}

/** What the CAs said; undefined without a checker. Rejects with what `createError` makes of the reason. */
export async function requireNotRevoked(
  path: readonly Uint8Array[],
  { checker, at, isProven = false, createError }: RevocationRequirement,
): Promise<RevocationResult | undefined> {
  if (checker === undefined) return undefined
  const check = (part: readonly Uint8Array[]) =>
    checker
      .check(part, at)
      .catch((): RevocationResult => ({ status: 'unknown', cause: 'the checker failed' }))
  const isLater = ({ status, revokedAt }: RevocationResult) =>
    isProven && status === 'revoked' && revokedAt !== undefined && revokedAt > at
  const require = (result: RevocationResult) => {
    const failure = findRevocationFailure(result, checker)
    if (failure !== undefined && !isLater(result))
      throw createError(failure, describe(failure, result))
  }
  const result = await check(path)
  require(result)
  // The worst status of a path hides that of others in it.
  if (isLater(result))
    for (const [index] of path.slice(1).entries())
      require(await check(path.slice(index, index + 2)))
  return result
}

function describe(
  failure: RevocationFailure,
  { cause = 'no source has an answer', revokedAt, reason }: RevocationResult,
): string {
  if (failure === 'revocation-unknown')
    return `Cannot find out whether the certificate was revoked: ${cause}`
  const details = [revokedAt?.toISOString(), reason].filter((detail) => detail !== undefined)
  return `Cannot accept the certificate: it was revoked${details.length > 0 ? ` (${details.join(', ')})` : ''}`
}
