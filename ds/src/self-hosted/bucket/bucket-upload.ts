/** Stores a file in a bucket: it is there as a whole, or not at all. */
import { createHash, randomUUID } from 'node:crypto'
import type { Upload } from '../../packages/packages.ts'
import type { Log } from '../../ports.ts'
import type { BucketClient } from './bucket-client.ts'
import { BucketFault, createFault, readErrorCode, readText } from './bucket-fault.ts'
import { readElement, readElements, readKey, writeParts } from './bucket-xml.ts'

/** Held in memory for each upload. Parts but the last have 5 MiB or more, and there are at most 10,000. */
export const partBytes = 8 * 1024 * 1024

/** In milliseconds: a part at 140 kB/s. */
const partTimeoutMs = 60_000
/** A service puts the parts together while the request waits. */
const completeTimeoutMs = 120_000
const maxReplyBytes = 4 * 1024 * 1024

/** An upload ends before that: older ones are of a node that was killed. In milliseconds. */
const maxUploadMs = 3 * 3_600_000

/** The name of an upload in the object that it made, so that one whose end was not heard of is known again. */
const marker = 'x-amz-meta-cardwire-upload'

export interface BucketStore {
  readonly client: BucketClient
  readonly prefix: string
  readonly log: Log
}

export async function storeObject(
  store: BucketStore,
  { key, size, body, commit }: Upload,
): Promise<void> {
  const object = { key: store.prefix + key, name: randomUUID() }
  const whole = createHash('sha256')
  const parts = splitParts(body, Math.min(size, partBytes), (part) => whole.update(part))
  if (size > partBytes) return storeParts(store, object, parts, () => commit(whole.digest('hex')))
  for await (const part of parts) {
    // All bytes, because the file has no more.
    await commit(whole.digest('hex'))
    await confirm(store, object, () => putObject(store, object, part))
  }
}

interface NewObject {
  readonly key: string
  readonly name: string
}

const createHeaders = ({ name }: NewObject) => ({
  'content-type': 'application/octet-stream',
  [marker]: name,
})

const putObject = ({ client }: BucketStore, object: NewObject, body: Uint8Array<ArrayBuffer>) =>
  client.send(
    {
      method: 'PUT',
      key: object.key,
      headers: createHeaders(object),
      body,
      timeoutMs: partTimeoutMs,
    },
    drop,
  )

async function storeParts(
  store: BucketStore,
  object: NewObject,
  parts: AsyncIterable<Uint8Array<ArrayBuffer>>,
  commit: () => Promise<void>,
): Promise<void> {
  await removeAbandoned(store)
  const uploadId = await beginUpload(store, object)
  try {
    const etags: string[] = []
    for await (const part of parts)
      etags.push(await sendPart(store, object, { uploadId, number: etags.length + 1, part }))
    await commit()
    await confirm(store, object, () => completeUpload(store, object, uploadId, etags))
  } catch (error) {
    await abortUpload(store, object.key, uploadId)
    throw error
  }
}

async function beginUpload({ client }: BucketStore, object: NewObject): Promise<string> {
  const request = { method: 'POST', key: object.key, query: { uploads: '' } } as const
  const text = await client.send({ ...request, headers: createHeaders(object) }, (response) =>
    readText(response, maxReplyBytes),
  )
  const id = readElement(text, 'UploadId')
  if (id) return id
  throw new BucketFault('began no upload', 'refused')
}

const sendPart = (
  { client }: BucketStore,
  { key }: NewObject,
  {
    uploadId,
    number,
    part,
  }: {
    readonly uploadId: string
    readonly number: number
    readonly part: Uint8Array<ArrayBuffer>
  },
) =>
  client.send(
    {
      method: 'PUT',
      key,
      query: { partNumber: String(number), uploadId },
      body: part,
      timeoutMs: partTimeoutMs,
    },
    async (response) => {
      await drop(response)
      const etag = response.headers.get('etag') ?? ''
      // It goes into a document as it is.
      if (/^"?[\w-]{1,200}"?$/.test(etag)) return etag
      throw new BucketFault('took a part without an entity tag', 'refused')
    },
  )

const completeUpload = (
  { client }: BucketStore,
  { key }: NewObject,
  uploadId: string,
  etags: readonly string[],
) =>
  client.send(
    {
      method: 'POST',
      key,
      query: { uploadId },
      headers: { 'content-type': 'application/xml' },
      body: writeParts(etags),
      timeoutMs: completeTimeoutMs,
    },
    async (response) => {
      const text = await readText(response, maxReplyBytes)
      // It has begun to answer before it knew: a failure may come with 200.
      if (/<Error[\s>]/.test(text)) throw createFault(500, readErrorCode(text))
      if (!text.includes('<CompleteMultipartUploadResult')) throw createFault(500, undefined)
    },
  )

/** Throws what `act` throws, unless the object is there all the same: only the answer was lost then. */
async function confirm(
  { client }: BucketStore,
  { key, name }: NewObject,
  act: () => Promise<unknown>,
): Promise<void> {
  try {
    await act()
  } catch (error) {
    const found = await client
      .send({ method: 'HEAD', key, expected: [404] }, ({ headers }) => headers.get(marker))
      .catch(() => undefined)
    if (found !== name) throw error
  }
}

async function abortUpload({ client, log }: BucketStore, key: string, uploadId: string) {
  const request = { method: 'DELETE', key, query: { uploadId }, expected: [404] } as const
  try {
    await client.send(request, drop)
  } catch (error) {
    log.warn('upload not aborted', { key, error: String(error) })
  }
}

/** Uploads that no node is still sending: their parts are invisible, but take space. */
async function removeAbandoned(store: BucketStore): Promise<void> {
  const { client, prefix, log } = store
  const query = { uploads: '', prefix, 'encoding-type': 'url', 'max-uploads': '100' }
  try {
    const text = await client.send({ method: 'GET', query }, (response) =>
      readText(response, maxReplyBytes),
    )
    const isEncoded = readElement(text, 'EncodingType') === 'url'
    for (const upload of readElements(text, 'Upload')) {
      const key = readKey(upload, isEncoded)
      const id = readElement(upload, 'UploadId')
      const age = Date.now() - Date.parse(readElement(upload, 'Initiated') ?? '')
      if (key?.startsWith(prefix) && id && age > maxUploadMs) await abortUpload(store, key, id)
    }
  } catch (error) {
    log.warn('abandoned uploads not removed', { error: String(error) })
  }
}

/** Parts of this length, the last may be shorter; each is gone when the next one is asked for. */
async function* splitParts(
  body: ReadableStream<Uint8Array>,
  length: number,
  onPart: (part: Uint8Array) => void,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const buffer = new Uint8Array(length)
  let filled = 0
  for await (const chunk of body) {
    for (let at = 0; at < chunk.length; ) {
      const taken = chunk.subarray(at, at + length - filled)
      buffer.set(taken, filled)
      filled += taken.length
      at += taken.length
      if (filled < length) continue
      onPart(buffer)
      yield buffer
      filled = 0
    }
  }
  if (filled === 0) return
  onPart(buffer.subarray(0, filled))
  yield buffer.subarray(0, filled)
}

/** Reads the rest of a response, so that the connection can be used again. */
export const drop = async (response: Response): Promise<void> => {
  await readText(response, maxReplyBytes)
}
