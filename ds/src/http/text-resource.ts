/** A text that is the same for every caller: made once, sent compressed, and not again to those who have it. */
import type { Context } from 'hono'
import type { Digest } from '../ports.ts'

interface Content {
  readonly plain: Uint8Array<ArrayBuffer>
  readonly gzip: Uint8Array<ArrayBuffer>
  readonly tag: string
}

interface TextResource {
  /** The media type, without a charset: all is UTF-8. */
  readonly media: string
  readonly headers?: Readonly<Record<string, string>>
  readonly write: () => string | Promise<string>
}

export function createTextResource(
  { media, headers, write }: TextResource,
  digest: Digest,
): (context: Context) => Promise<Response> {
  // The content, not the promise of it: on Workers a promise ends with the request that made it.
  let content: Content | undefined
  return async (context) => {
    // Made with the first request: the document takes longer than all else of a start together.
    content ??= await createContent(await write(), digest)
    const { plain, gzip, tag } = content
    const cacheHeaders = {
      ...headers,
      etag: tag,
      'cache-control': 'no-cache',
      vary: 'accept-encoding',
    }
    if (includesTag(context.req.header('if-none-match'), tag)) {
      return new Response(null, { status: 304, headers: cacheHeaders })
    }
    const type = { 'content-type': `${media}; charset=utf-8` }
    if (!acceptsGzip(context.req.header('accept-encoding'))) {
      return new Response(plain, { headers: { ...cacheHeaders, ...type } })
    }
    return new Response(gzip, {
      headers: { ...cacheHeaders, ...type, 'content-encoding': 'gzip' },
      // Workers would compress it again; the other runtimes do not know it.
      encodeBody: 'manual',
    } as ResponseInit)
  }
}

async function createContent(text: string, digest: Digest): Promise<Content> {
  const plain = new TextEncoder().encode(text)
  const compressed = new Blob([plain]).stream().pipeThrough(new CompressionStream('gzip'))
  const gzip = new Uint8Array(await new Response(compressed).arrayBuffer())
  // Weak: it stands for both encodings (RFC 9110 §8.8.1).
  return { plain, gzip, tag: `W/"${(await digest(text)).slice(0, 32)}"` }
}

/** By RFC 9110 §12.5.3; without the header, anything is accepted, but few such programs can decompress. */
function acceptsGzip(header = ''): boolean {
  const weights = new Map(
    header.split(',').map((part) => {
      const [name = '', ...parameters] = part.split(';').map((text) => text.trim().toLowerCase())
      const weight = parameters.find((text) => text.startsWith('q='))?.slice(2)
      return [name, Number(weight ?? 1)]
    }),
  )
  return (weights.get('gzip') ?? weights.get('*') ?? 0) > 0
}

const includesTag = (header = '', tag: string): boolean =>
  header.split(',').some((part) => part.trim() === tag || part.trim() === '*')
