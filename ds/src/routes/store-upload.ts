/** Stores an uploaded file with its entry in the audit, which is there exactly when the file is. */
import { type Input, Problem, type putInstaller } from '@cardwire/protocol'
import type { Context } from 'hono'
import type { Caller } from '../auth/authorize.ts'
import type { OperationAudit } from '../db/audit.ts'
import { describeError } from '../db/describe-error.ts'
import { findStorageFault } from '../db/storage-fault.ts'
import { receiveLongBody } from '../http/long-body.ts'
import { receiveUpload } from '../http/receive-upload.ts'
import type { Packages } from '../packages/packages.ts'
import { base64ToHex } from '../rules/encoding.ts'
import type { Services } from '../services.ts'

export const auditedFields = ['content']

/** A folder of files, and what is known of them. */
export interface FileStore {
  readonly files: Packages
  readonly kind: 'installer' | 'keystore'
  /** Throws a problem where something names the file, or where another one would affect more devices than `maxReach`. */
  requireUnused(name: string, act: 'replace' | 'remove', maxReach?: number): Promise<void>
}

export type Upload = Omit<Input<typeof putInstaller>, 'query'> & {
  readonly query?: Input<typeof putInstaller>['query']
  readonly caller: Caller
  readonly audit: OperationAudit
}

/** What storing a file needs. */
export type UploadServices = Pick<
  Services,
  'db' | 'clock' | 'settings' | 'identity' | 'browserSessions' | 'log' | 'allowLongBody'
>

interface StoredUpload {
  /** Whether it replaced a file. */
  readonly isKnown: boolean
  /** In bytes. */
  readonly size: number
  readonly sha256: string
}

export async function storeUpload(
  services: UploadServices,
  { files, kind, requireUnused }: FileStore,
  { params: { name }, query, headers, body, caller, audit }: Upload,
  context: Context,
): Promise<StoredUpload> {
  const size = readSize(context, files.maxBytes)
  const expected = readDigest(headers['content-digest'])
  await requireUnused(name, 'replace', query?.maxReach)
  const isKnown = (await files.find(name)) !== undefined
  let sha256 = ''
  const failures: unknown[] = []
  const isAudited = () => sha256 !== '' && failures.length === 0
  const commitWhen = (requireAllowed: () => Promise<void>) => async (actual: string) => {
    try {
      if (expected !== undefined && expected !== actual) throw createDigestMismatch(name, actual)
      // A body may take hours, in which an account is removed, and something names the file.
      await requireAllowed()
      await requireUnused(name, 'replace', query?.maxReach)
      await audit.createEntry(kind, name, auditedFields).write()
      sha256 = actual
    } catch (error) {
      failures.push(error)
      throw error
    }
  }
  const received = receiveUpload(body, (problem) => failures.push(problem))
  try {
    await receiveLongBody(services, caller, 'publisher', context, (requireAllowed) =>
      files.store({ key: name, size, body: received, commit: commitWhen(requireAllowed) }),
    )
  } catch (error) {
    if (isAudited()) await audit.createUndoEntry(kind, name, auditedFields).write()
    throw failures[0] ?? createUnavailableProblem(services, error, `store "${name}"`)
  }
  return { isKnown, size, sha256 }
}

/** For a folder that cannot be written to. */
export function createUnavailableProblem(
  { log }: Pick<Services, 'log'>,
  error: unknown,
  act: string,
): Problem {
  if (error instanceof Problem) return error
  log.error('packages unavailable', { error: describeError(error) })
  const fault = findStorageFault(error) ?? 'its place cannot be written to, the log has the reason'
  return new Problem('packages-unavailable', `Cannot ${act}: ${fault}`)
}

/** The Content-Length, which every HTTP parser enforces. */
function readSize({ req }: Context, maxBytes: number): number {
  const length = req.header('content-length')
  if (length === undefined || req.header('transfer-encoding') !== undefined) {
    throw new Problem(
      'length-required',
      'Cannot store a file of unknown size: send its length in the header "Content-Length"',
    )
  }
  const size = Number(length)
  if (size > maxBytes) {
    throw new Problem(
      'body-too-large',
      `Cannot store the file: it is larger than ${maxBytes} bytes, register its address online`,
    )
  }
  if (size > 0) return size
  throw new Problem('input-invalid', 'Cannot accept the body: the file is empty', {
    errors: [{ path: '', message: 'expected at least one byte' }],
  })
}

function readDigest(header: string | undefined): string | undefined {
  const base64 = /(?:^|[,\s])sha-256=:([^:]*):/.exec(header ?? '')?.[1]
  return base64 === undefined ? undefined : base64ToHex(base64)
}

const createDigestMismatch = (name: string, actual: string) =>
  new Problem(
    'digest-mismatch',
    `Cannot store "${name}": the SHA-256 of what came is ${actual}, send it again`,
  )
