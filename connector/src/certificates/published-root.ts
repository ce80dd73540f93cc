/** The root that the registry service of this machine publishes for every account. */
import { maxCertificateFileBytes, readSmallFile } from '../small-file.ts'
import { ignoreMissing } from '../system/missing-file.ts'

/** PEM; undefined: there is none. Rejects when it cannot be read: the stores keep what they trust. */
export const readPublishedRoot = (path: string): Promise<string | undefined> =>
  readSmallFile(path, maxCertificateFileBytes).catch(ignoreMissing)
