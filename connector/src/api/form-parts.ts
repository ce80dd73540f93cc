/** Watches the parts of a form as they come: how many there are, and the bytes of each field and of all of them. */
import { Problem } from '@cardwire/protocol/problem'

/** Bytes of a field with its head: a path of 32 names, 255 bytes each, needs half of them. The head of a file has as many. */
export const maxFieldBytes = 16 * 1024

/** Bytes of all parts together, but for what a file holds. */
export const maxFormBytes = 64 * 1024

/** More than the fields and the segments of a path: a million parts of nothing keep the whole connector busy for a second. */
const maxParts = 64

const headEnd = '\r\n\r\n'

/**
 * Returns a function that is called with all that has come so far, and looks at each byte once; it throws problems. It looks only
 * for the border, which is quick; what is no border is the parser's business, which takes one within a line, too.
 */
export function createPartWatch(boundary: string): (received: Buffer) => void {
  const border = `--${boundary}`
  // The first border stands before the first part.
  let parts = -1
  let part = createPart(0)
  let searched = 0
  /** Bytes of the parts that have ended, but for what a file holds. */
  let formBytes = 0

  return (received) => {
    for (;;) {
      const at = received.indexOf(border, searched)
      // The last bytes may be the beginning of a border.
      const end = at < 0 ? Math.max(searched, received.length - border.length + 1) : at
      const bytes = part.measure(received.subarray(0, end))
      if (bytes > maxFieldBytes) throw createTooLong(part.readName(received))
      if (formBytes + bytes > maxFormBytes) {
        throw createMalformed(`its fields have more than ${maxFormBytes} bytes together`)
      }
      searched = end
      if (at < 0) return
      formBytes += bytes
      parts += 1
      if (parts > maxParts) throw createMalformed(`it has more than ${maxParts} parts`)
      searched = at + border.length
      part = createPart(searched)
    }
  }
}

interface OpenPart {
  /** Its bytes, but for what a file holds. */
  measure(received: Buffer): number
  /** undefined: it belongs to no field. */
  readName(received: Buffer): string | undefined
}

function createPart(start: number): OpenPart {
  let searched = start
  let fileStart: number | undefined
  let hasHead = false
  const readName = (received: Buffer) => {
    const head = received.subarray(start, start + maxFieldBytes).toString()
    return /^content-disposition:.*?[;\s]name="?([\w-]{1,64})/im.exec(head)?.[1]
  }
  return {
    measure(received) {
      if (!hasHead) {
        const at = received.indexOf(headEnd, searched)
        hasHead = at >= 0
        searched = Math.max(start, received.length - headEnd.length + 1)
        if (hasHead && readName(received.subarray(0, at)) === 'file') fileStart = at
      }
      return (fileStart ?? received.length) - start
    },
    readName,
  }
}

const createTooLong = (field: string | undefined) =>
  field === undefined
    ? createMalformed(`it has more than ${maxFieldBytes} bytes that belong to no field`)
    : createFieldInvalid(field, `expected at most ${maxFieldBytes} bytes`)

const createMalformed = (why: string) =>
  new Problem('body-malformed', `Cannot read the body: ${why}`)

/** Of a field that is named by what it is, or that only has letters, digits, `_` and `-`. */
export const createFieldInvalid = (path: string, message: string) =>
  new Problem('input-invalid', `Cannot accept the body: "${path}": ${message}`, {
    errors: [{ path, message }],
  })
