/** What part of a file a request gets (RFC 9110 §13, §14). */

export interface FileInfo {
  readonly size: number
  /** A strong entity tag, quotes included. */
  readonly etag: string
}

export interface RangeRequest {
  readonly range: string | undefined
  readonly ifRange: string | undefined
  readonly ifNoneMatch: string | undefined
}

export type Part =
  | { readonly status: 200 }
  /** `end` is the last byte that is sent. */
  | { readonly status: 206; readonly start: number; readonly end: number }
  | { readonly status: 304 }
  | { readonly status: 416 }

/** Several ranges, and ranges that cannot be parsed, get the whole file, as §14.2 allows. */
export function selectPart({ size, etag }: FileInfo, request: RangeRequest): Part {
  if (request.ifNoneMatch !== undefined && listsTag(request.ifNoneMatch, etag))
    return { status: 304 }
  if (request.range === undefined || (request.ifRange !== undefined && request.ifRange !== etag)) {
    return { status: 200 }
  }
  const [, first = '', last = ''] = /^bytes=\s*(\d*)-(\d*)\s*$/i.exec(request.range) ?? []
  if (first === '' && last === '') return { status: 200 }
  if (first === '') {
    const length = Math.min(Number(last), size)
    return length === 0 ? { status: 416 } : { status: 206, start: size - length, end: size - 1 }
  }
  const start = Number(first)
  const end = last === '' ? size - 1 : Math.min(Number(last), size - 1)
  if (last !== '' && Number(last) < start) return { status: 200 }
  return start >= size ? { status: 416 } : { status: 206, start, end }
}

/** Whether the list of `If-None-Match` holds the tag; weak and strong compare alike there (§13.1.2). */
const listsTag = (header: string, etag: string) =>
  header.trim() === '*' || header.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag)
