/** Packages in an R2 bucket, for Cloudflare Workers. */
import { bytesToHex } from '../rules/encoding.ts'
import type { Packages } from './packages.ts'

export function createR2Packages(bucket: R2Bucket): Packages {
  return {
    async find(key) {
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
        read: (start, end) => read(start, end - start + 1),
        async digest() {
          const stream = new crypto.DigestStream('SHA-256')
          await (await read(0, head.size)).pipeTo(stream)
          return bytesToHex(new Uint8Array(await stream.digest))
        },
      }
    },
  }
}
