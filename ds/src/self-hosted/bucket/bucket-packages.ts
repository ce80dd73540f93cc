/** Files in a bucket that all nodes share, for Node and Deno (docs/decisions/0204). */
import { Problem } from '@cardwire/protocol'
import {
  type ListedPackage,
  type Package,
  type Packages,
  toFileUri,
  toPackageKey,
} from '../../packages/packages.ts'
import type { Log } from '../../ports.ts'
import { createFileDigests, type DigestFile } from '../file-digests.ts'
import { createDownloadCounter, maxFileBytes } from '../file-packages.ts'
import type { BucketClient } from './bucket-client.ts'
import { BucketFault, readText } from './bucket-fault.ts'
import { createObjectStream } from './bucket-stream.ts'
import { type BucketStore, drop, storeObject } from './bucket-upload.ts'
import { readElement, readElements, readKey } from './bucket-xml.ts'
import { createNextFlight } from './next-flight.ts'

/** S3 refuses longer keys, in bytes of UTF-8. */
const maxKeyBytes = 1024
const maxListBytes = 8 * 1024 * 1024
/** Of 1000 files each. */
const maxListPages = 100

/** How long an address of the bucket itself can be used to begin a download, in seconds. */
const presignedS = 300

export interface BucketFiles {
  readonly client: BucketClient
  /** What the keys of these files begin with in the bucket. */
  readonly prefix: string
  readonly log: Log
  /** How many files an address downloads at once. */
  readonly maxDownloads: number
  /** Whether clients may get addresses of the bucket itself. */
  readonly redirects: boolean
}

export function createBucketPackages(given: BucketFiles): Packages {
  const { client, prefix, log } = given
  const store: BucketStore = { client, prefix, log }
  const parts: PackageParts = {
    ...given,
    begin: createDownloadCounter(given.maxDownloads),
    digestFile: createFileDigests(),
    act: createActs(log),
  }
  const { act } = parts
  const joinFind = createNextFlight<Package | undefined>()
  return {
    maxBytes: maxFileBytes,
    list: () => act('list the files', () => listObjects(store)),
    store: (upload) => act(`store "${upload.key}"`, () => storeObject(store, upload)),
    remove: (key) =>
      act(`remove "${key}"`, () =>
        client.send({ method: 'DELETE', key: prefix + key, expected: [404] }, drop),
      ),
    async find(key) {
      const object = prefix + key
      if (new TextEncoder().encode(object).length > maxKeyBytes || !isKey(key)) return undefined
      return act('read the files', () => joinFind(key, () => findObject(parts, object)))
    },
  }
}

/** Whether an address names it; a bucket can have any others. */
const isKey = (key: string): boolean => toPackageKey(toFileUri(key)) === key

interface PackageParts extends BucketFiles {
  readonly begin: (client: string) => () => void
  readonly digestFile: DigestFile
  readonly act: Act
}

type Act = <T>(words: string, work: () => Promise<T>) => Promise<T>

/** How long a bucket that did not respond is not asked again, in milliseconds: each request would wait for its timeout. */
const restMs = 2000

/** Runs work on the bucket: its fault is a problem, and in the log. */
function createActs(log: Log): Act {
  let rest: { readonly until: number; readonly fault: BucketFault } | undefined
  return async (words, work) => {
    try {
      if (rest && performance.now() < rest.until) throw rest.fault
      return await work()
    } catch (error) {
      if (!(error instanceof BucketFault)) throw error
      if (error !== rest?.fault) log.error('packages unavailable', { error: error.message })
      if (error.kind === 'unreachable' && error !== rest?.fault)
        rest = { until: performance.now() + restMs, fault: error }
      throw new Problem('packages-unavailable', `Cannot ${words}: ${error.message}`, {
        retryAfterS: 5,
      })
    }
  }
}

async function findObject(parts: PackageParts, object: string): Promise<Package | undefined> {
  const { client, begin, digestFile, act } = parts
  const found = await client.send(
    { method: 'HEAD', key: object, expected: [404] },
    ({ status, headers }) =>
      status === 404
        ? undefined
        : { size: Number(headers.get('content-length') ?? Number.NaN), etag: headers.get('etag') },
  )
  if (!found) return undefined
  const { size, etag } = found
  if (!Number.isSafeInteger(size) || !etag || !/^"[^"\s]{1,200}"$/.test(etag))
    throw new BucketFault('says neither size nor entity tag of a file', 'refused')
  const file: Package = {
    size,
    etag,
    async read(start, end, downloader, overlay) {
      const finish = downloader === undefined ? () => undefined : begin(downloader)
      try {
        const length = end - start + 1
        const body = await act('read the file', () =>
          readObject(client, object, { etag, start, length, size }),
        )
        return createObjectStream(body, { start, length, overlay, onClose: finish })
      } catch (error) {
        finish()
        throw error
      }
    },
    digest: (signal) => digestFile(object, file, signal),
    ...(parts.redirects && {
      presign: (name: string) =>
        client.presign(
          object,
          {
            'response-content-disposition': name,
            'response-content-type': 'application/octet-stream',
          },
          presignedS,
        ),
    }),
  }
  return file
}

interface Range {
  readonly etag: string
  readonly start: number
  readonly length: number
  readonly size: number
}

/** The bytes of this very object, and no others. */
const readObject = (client: BucketClient, key: string, range: Range) =>
  client.send(
    {
      method: 'GET',
      key,
      headers: {
        range: `bytes=${range.start}-${range.start + range.length - 1}`,
        'if-match': range.etag,
      },
      expected: [404, 412],
    },
    async (response) => {
      const { status, headers, body } = response
      if (status === 404 || status === 412) {
        await drop(response)
        throw new Problem(
          'packages-unavailable',
          'Cannot read the file: another one has come in its place, try again',
          { retryAfterS: 1 },
        )
      }
      const last = range.start + range.length - 1
      const isPart = headers.get('content-range') === `bytes ${range.start}-${last}/${range.size}`
      const isWhole = status === 200 && range.length === range.size
      if (body && (isPart || isWhole) && Number(headers.get('content-length')) === range.length)
        return body as ReadableStream<Uint8Array<ArrayBuffer>>
      await body?.cancel()
      throw new BucketFault('sent another part of a file than it was asked for', 'refused')
    },
  )

async function listObjects({ client, prefix }: BucketStore): Promise<readonly ListedPackage[]> {
  const found: ListedPackage[] = []
  let token: string | undefined
  for (let page = 0; page < maxListPages; page += 1) {
    const query = {
      'list-type': '2',
      prefix,
      'encoding-type': 'url',
      ...(token !== undefined && { 'continuation-token': token }),
    }
    const text = await client.send({ method: 'GET', query }, (response) =>
      readText(response, maxListBytes),
    )
    if (!text.includes('<ListBucketResult')) throw new BucketFault('sent no list', 'refused')
    found.push(...readListed(text, prefix))
    token = readElement(text, 'NextContinuationToken')
    if (readElement(text, 'IsTruncated') !== 'true' || !token) break
  }
  return found.toSorted((one, other) => (one.key < other.key ? -1 : 1))
}

function readListed(text: string, prefix: string): readonly ListedPackage[] {
  const isEncoded = readElement(text, 'EncodingType') === 'url'
  return readElements(text, 'Contents').flatMap((entry) => {
    const object = readKey(entry, isEncoded)
    const size = Number(readElement(entry, 'Size') ?? Number.NaN)
    const key = object?.startsWith(prefix) ? object.slice(prefix.length) : ''
    return isKey(key) && Number.isSafeInteger(size) ? [{ key, size }] : []
  })
}
