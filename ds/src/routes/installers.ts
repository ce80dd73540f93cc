/** The files of installers: administrators upload, list and remove them. */
import {
  deleteInstaller,
  getInstaller,
  listInstallers,
  Problem,
  putInstaller,
} from '@cardwire/client/protocol'
import type { Context } from 'hono'
import { describeError } from '../db/describe-error.ts'
import { findStorageFault } from '../db/storage-fault.ts'
import type { Bind } from '../http/bind.ts'
import { receiveUpload } from '../http/receive-upload.ts'
import { type ListedPackage, toFileUri, toPackageKey } from '../packages/packages.ts'
import { base64ToHex } from '../rules/encoding.ts'
import type { Services } from '../services.ts'
import { requireUnused } from './installer-uses.ts'

const auditedFields = ['content']

export function bindInstallerRoutes(bind: Bind, services: Services): void {
  const { packages, log, allowLongBody } = services

  bind(putInstaller, async ({ params: { name }, headers, body, audit }, context) => {
    const size = readSize(context, packages.maxBytes)
    const expected = readDigest(headers['content-digest'])
    await requireUnused(services, name, 'replace')
    const isKnown = (await packages.find(name)) !== undefined
    allowLongBody?.(context)
    let sha256 = ''
    const failures: unknown[] = []
    const isAudited = () => sha256 !== '' && failures.length === 0
    const commit = async (actual: string) => {
      try {
        if (expected !== undefined && expected !== actual) throw createDigestMismatch(name, actual)
        // A body may take hours: a version that was registered meanwhile may name the file.
        await requireUnused(services, name, 'replace')
        await audit.createEntry('installer', name, auditedFields).write()
        sha256 = actual
      } catch (error) {
        failures.push(error)
        throw error
      }
    }
    const received = receiveUpload(body, (problem) => failures.push(problem))
    try {
      await packages.store({ key: name, size, body: received, commit })
    } catch (error) {
      if (isAudited()) await audit.createUndoEntry('installer', name, auditedFields).write()
      throw failures[0] ?? toProblem(error, `store "${name}"`)
    }
    return { created: !isKnown, data: { ...toInstallerFile({ key: name, size }), sha256 } }
  })

  bind(listInstallers, async ({ query: { page, size, name = '' } }) => {
    const wanted = name.toLowerCase()
    const all = (await packages.list()).filter(({ key }) => key.toLowerCase().includes(wanted))
    const items = all.slice((page - 1) * size, page * size).map(toInstallerFile)
    return { data: { items, page, size, total: all.length } }
  })

  bind(getInstaller, async ({ params: { name } }) => {
    const file = await requireFile(name)
    return {
      data: { ...toInstallerFile({ key: name, size: file.size }), sha256: await file.digest() },
    }
  })

  bind(deleteInstaller, async ({ params: { name }, audit }) => {
    await requireFile(name)
    await requireUnused(services, name, 'remove')
    await audit.createEntry('installer', name, auditedFields).write()
    try {
      await packages.remove(name)
    } catch (error) {
      await audit.createUndoEntry('installer', name, auditedFields).write()
      throw toProblem(error, `remove "${name}"`)
    }
    return { data: { name } }
  })

  async function requireFile(name: string) {
    // A name that is no path in the packages finds nothing.
    const key = toPackageKey(toFileUri(name))
    const file = key === name ? await packages.find(key) : undefined
    if (!file) throw new Problem('installer-unknown', `Cannot find "${name}" in the packages`)
    return file
  }

  function toProblem(error: unknown, act: string): Problem {
    log.error('packages unavailable', { error: describeError(error) })
    const fault =
      findStorageFault(error) ?? 'its place cannot be written to, the log has the reason'
    return new Problem('packages-unavailable', `Cannot ${act}: ${fault}`)
  }
}

const toInstallerFile = ({ key, size }: ListedPackage) => ({
  name: key,
  uri: toFileUri(key),
  size,
})

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
    errors: [{ path: '', message: 'An installer has bytes' }],
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
