/** Whom the application trusts: the certificate authorities in a file, and what they say about revoked certificates. */
import { readFile } from 'node:fs/promises'
import { createRevocationChecker, type RevocationChecker } from '@cardwire/server'

/** What the checks of `@cardwire/server` take. */
export interface Trust {
  readonly roots: readonly string[]
  readonly revocation: RevocationChecker
}

export interface TrustFiles {
  /** Certificates, PEM. */
  readonly roots: string | undefined
  /** Revocation lists that the application has already, PEM; for all other certificates it asks their authorities. */
  readonly revocations: string | undefined
}

/** Resolves with undefined when there are no authorities. */
export function createTrust(files: TrustFiles): () => Promise<Trust | undefined> {
  // A card that may have been revoked signs no user in.
  const revocation = createRevocationChecker({
    onUnknown: 'refuse',
    lists: async () => [await read(files.revocations)],
  })
  return async () => {
    const roots = await read(files.roots)
    return roots === '' ? undefined : { roots: [roots], revocation }
  }
}

const read = async (file: string | undefined): Promise<string> =>
  file === undefined ? '' : readFile(file, 'utf8').catch(() => '')
