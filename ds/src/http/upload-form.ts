/**
 * Reads a form with one file (multipart/form-data, RFC 7578) as it comes: its fields at once, its file as a stream. The size
 * of the file follows from the length of the request, because the file is the last part, and what comes behind it is known.
 */
import { Problem } from '@cardwire/protocol'
import { receiveUpload } from './receive-upload.ts'

export interface UploadForm {
  /** The fields before the file. */
  readonly fields: URLSearchParams
  readonly file: UploadedFile
}

export interface UploadedFile {
  /** As the browser gives it, without folders; empty when nobody chose a file. */
  readonly name: string
  /** Bytes. */
  readonly size: number
  /**
   * Fails with `body-malformed` when anything but the end of the form comes behind the file: whoever stores the bytes has
   * stored a file only when the stream has ended.
   */
  readonly body: ReadableStream<Uint8Array>
}

/** The fields, and the headers of the file: names, a digest and a password need 2 KiB. */
const maxHeadBytes = 16 * 1024

/** Throws `content-type-unsupported`, `length-required`, `body-malformed`, `request-too-slow`. */
export async function readUploadForm(request: Request): Promise<UploadForm> {
  const type = request.headers.get('content-type') ?? ''
  const boundary = readBoundary(type)
  const length = readLength(request.headers)
  const reader = receiveUpload(request.body ?? new Blob().stream(), () => undefined).getReader()
  const { head, rest } = await readHead(reader, boundary)
  const { fields, name } = await parseHead(head, type, boundary)
  const end = toBytes(`\r\n--${boundary}--\r\n`)
  const size = length - head.length - end.length
  if (size < 0) throw createMalformed('it ends before its file')
  return { fields, file: { name, size, body: readFile(reader, rest, size, end) } }
}

// The characters of RFC 2046 §5.1.1 that need no quotes; browsers use no others.
const boundaryPattern =
  /^multipart\/form-data\s*;(?:.*;)?\s*boundary="?([\w'()+./:=?-]{1,70})"?\s*$/i

function readBoundary(type: string): string {
  const boundary = boundaryPattern.exec(type)?.[1]
  if (boundary !== undefined) return boundary
  throw new Problem(
    'content-type-unsupported',
    'Cannot read the form: its content type is not "multipart/form-data" with a boundary',
  )
}

function readLength(headers: Headers): number {
  const length = headers.get('content-length')
  if (length !== null && !headers.has('transfer-encoding')) return Number(length)
  throw new Problem(
    'length-required',
    'Cannot store a file of unknown size: send the length of the form in the header "Content-Length"',
  )
}

/** The form up to the first byte of its file, and what was read behind it. */
async function readHead(reader: ReadableStreamDefaultReader<Uint8Array>, boundary: string) {
  const findFile = createFileFinder(boundary)
  const parts: Uint8Array[] = []
  let text = ''
  for (;;) {
    const { value } = await reader.read()
    if (!value) throw createMalformed('it ends before its file')
    parts.push(value)
    text += toText(value.subarray(0, maxHeadBytes))
    const start = findFile(text)
    if (start !== undefined) {
      const all = new Uint8Array(await new Blob(parts as Uint8Array<ArrayBuffer>[]).arrayBuffer())
      return { head: all.subarray(0, start), rest: all.subarray(start) }
    }
    if (text.length >= maxHeadBytes) {
      throw createMalformed(`its fields take more than ${maxHeadBytes} bytes`)
    }
  }
}

/**
 * Creates a function that gets the form as far as it has come, each time longer, one character for a byte. It returns where
 * the bytes of the first part with a file name begin, or undefined when that has not come yet.
 */
function createFileFinder(boundary: string) {
  const delimiter = `\r\n--${boundary}\r\n`
  // The first delimiter has no line break before it.
  let [at, isHeader] = [0, false]
  return (text: string): number | undefined => {
    for (;;) {
      if (isHeader) {
        const end = text.indexOf('\r\n\r\n', at)
        if (end < 0) return undefined
        if (/^content-disposition:.*;\s*filename\*?=/im.test(text.slice(at, end)))
          return (
            end + 4
            // A part without content has its delimiter right behind its headers.
          )
        ;[at, isHeader] = [end + 2, false]
      } else {
        const skipped = at === 0 ? delimiter.slice(2) : delimiter
        const start = text.indexOf(skipped, at)
        if (start < 0) return undefined
        if (at === 0 && start > 0) throw createMalformed('it does not begin with its boundary')
        ;[at, isHeader] = [start + skipped.length, true]
      }
    }
  }
}

/** The runtime parses the fields, as a form whose file is empty. */
async function parseHead(head: Uint8Array, type: string, boundary: string) {
  const form = new Blob([head as Uint8Array<ArrayBuffer>, `\r\n--${boundary}--\r\n`])
  const response = new Response(form, { headers: { 'content-type': type } })
  const entries = [...(await response.formData().catch(() => [])).entries()]
  const file = entries.pop()?.[1]
  const fields = entries.filter((entry) => typeof entry[1] === 'string') as [string, string][]
  if (file === undefined || fields.length < entries.length) {
    throw createMalformed('its file has no name of a field, or is not its last part')
  }
  // For workerd a file without a name is a text.
  const name = file instanceof Blob ? file.name : ''
  // Some browsers have sent the path.
  return { fields: new URLSearchParams(fields), name: name.replace(/^.*[/\\]/s, '') }
}

/** The bytes up to `end`, which has to come after `size` of them, and at no place before. */
function readFile(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  first: Uint8Array,
  size: number,
  end: Uint8Array,
): ReadableStream<Uint8Array> {
  const findDelimiter = createFinder(end.subarray(0, -4))
  let [position, isFound] = [0, false]
  const check = (part: Uint8Array) => {
    const behind = isFound ? -1 : findDelimiter(part)
    if (behind >= 0) isFound = true
    const start = behind < 0 ? size : position + behind - (end.length - 4)
    const tail = part.subarray(Math.max(0, size - position))
    const expected = end.subarray(Math.max(0, position - size))
    if (start !== size || tail.length > expected.length || !tail.every((b, i) => b === expected[i]))
      throw createMalformed('its length is wrong, or something comes behind its file')
  }
  let rest: Uint8Array | undefined = first
  return new ReadableStream<Uint8Array>(
    {
      // Enqueues something, closes, or throws: a pull that does nothing is not repeated.
      async pull(controller) {
        for (;;) {
          const part: Uint8Array | undefined = rest ?? (await reader.read()).value
          rest = undefined
          if (!part) break
          check(part)
          const content = part.subarray(0, Math.max(0, size - position))
          position += part.length
          if (content.length === 0) continue
          controller.enqueue(content)
          return
        }
        if (position < size + end.length) throw createMalformed('it ends before its file')
        controller.close()
      },
    },
    { highWaterMark: 0 },
  )
}

/** Finds bytes, of which the first occurs once, across parts: where they end in this part, or -1. */
function createFinder(wanted: Uint8Array): (part: Uint8Array) => number {
  const [first = 0] = wanted
  let matched = 0
  return (part) => {
    for (let at = 0; at < part.length; at += 1) {
      if (matched === 0) at = part.indexOf(first, at)
      if (at < 0) return -1
      matched = part[at] === wanted[matched] ? matched + 1 : part[at] === first ? 1 : 0
      if (matched === wanted.length) {
        matched = 0
        return at + 1
      }
    }
    return -1
  }
}

const toBytes = (text: string) => Uint8Array.from(text, (char) => char.charCodeAt(0))
const toText = (bytes: Uint8Array) => String.fromCharCode(...bytes)

const createMalformed = (reason: string) =>
  new Problem('body-malformed', `Cannot read the form: ${reason}`)
