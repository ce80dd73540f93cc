/** Packages in an R2 bucket, for Cloudflare Workers. */
import { bytesToHex } from '../rules/encoding.ts'
import { applyOverlay, isOverlaid, type Overlay } from '../rules/overlay.ts'
import {
  type ListedPackage,
  type Packages,
  requireRequest,
  toFileUri,
  toPackageKey,
  type Upload,
} from './packages.ts'

/** Cloudflare passes a request of 100 MB to a Worker (developers.cloudflare.com/workers/platform/limits). */
const maxBytes = 95_000_000

/** R2 refuses longer keys, in bytes of UTF-8 (developers.cloudflare.com/r2/platform/limits). */
const maxKeyBytes = 1024

export function createR2Packages(bucket: R2Bucket): Packages {
  return {
    maxBytes,
    list: () => listObjects(bucket),
    store: (upload) => storeObject(bucket, upload),
    remove: (key) => bucket.delete(key),
    async find(key) {
      if (new TextEncoder().encode(key).length > maxKeyBytes) return undefined
      const head = await bucket.head(key)
      if (!head) return undefined
      const read = async (offset: number, length: number): Promise<ReadableStream<Uint8Array>> => {
        // R2 refuses an empty range.
        if (length === 0) return new ReadableStream({ start: (controller) => controller.close() })
        const object = await bucket.get(key, {
          range: { offset, length },
          onlyIf: { etagMatches: head.etag },
        })
        if (!object || !('body' in object))
          throw new Error(`Cannot read "${key}": it was replaced during the download`)
        // The runtime sends a Content-Length only for a stream whose length it knows.
        return object.body.pipeThrough(new FixedLengthStream(length))
      }
      return {
        size: head.size,
        etag: head.httpEtag,
        async read(start, end, _, overlay) {
          const length = end - start + 1
          const stream = await read(start, length)
          if (!overlay || !isOverlaid(length, start, overlay)) return stream
          return stream
            .pipeThrough(createOverlay(start, overlay))
            .pipeThrough(new FixedLengthStream(length))
        },
        async digest(signal) {
          const stream = new crypto.DigestStream('SHA-256')
          const reading = (await read(0, head.size)).pipeTo(stream, signal && { signal })
          await reading.catch((error) => {
            requireRequest(signal)
            throw error
          })
          return bytesToHex(new Uint8Array(await stream.digest))
        },
      }
    },
  }
}

/** For a stream that begins at `start` of its file. */
function createOverlay(start: number, overlay: Overlay): TransformStream<Uint8Array, Uint8Array> {
  let position = start
  return new TransformStream({
    transform(part, controller) {
      const copy = part.slice()
      applyOverlay(copy, position, overlay)
      position += part.length
      controller.enqueue(copy)
    },
  })
}

async function listObjects(bucket: R2Bucket): Promise<readonly ListedPackage[]> {
  const found: ListedPackage[] = []
  for (let cursor: string | undefined, more = true; more; ) {
    const page = await bucket.list(cursor === undefined ? {} : { cursor })
    found.push(...page.objects.filter(isPackage).map(({ key, size }) => ({ key, size })))
    more = page.truncated
    cursor = page.truncated ? page.cursor : undefined
  }
  return found
}

/** Whether an address names it; a bucket can have any others. */
const isPackage = ({ key }: R2Object): boolean => toPackageKey(toFileUri(key)) === key

/** R2 shows an object when all of its bytes have come, so the last part is held back until the commit. */
async function storeObject(bucket: R2Bucket, { key, size, body, commit }: Upload): Promise<void> {
  const digest = new crypto.DigestStream('SHA-256')
  const writer = digest.getWriter()
  let held: Uint8Array | undefined
  const committed = new TransformStream<Uint8Array, Uint8Array>({
    async transform(part, controller) {
      await writer.write(part)
      if (held) controller.enqueue(held)
      held = part
    },
    async flush(controller) {
      await writer.close()
      await commit(bytesToHex(new Uint8Array(await digest.digest)))
      if (held) controller.enqueue(held)
    },
  })
  // R2 takes a stream only when it knows its length.
  const parts = body.pipeThrough(committed).pipeThrough(new FixedLengthStream(size))
  await bucket.put(key, parts)
}
