/** Archives of cpio in the portable form "odc", which the installer of macOS reads (IEEE Std 1003.1-2001, pax, "cpio Interchange Format"). */
import type { Entry } from './payload.ts'

/** Everything in it is root's. `writtenAt`: seconds since 1970, the time of each entry. */
export function createCpio(entries: readonly Entry[], writtenAt: number): Uint8Array {
  const parts = entries.flatMap(({ path, mode, content }, index) => [
    // Inodes tell hard links apart: each entry has its own.
    header({
      inode: index + 1,
      mode,
      writtenAt,
      nameBytes: nameOf(path).length,
      bytes: content.length,
    }),
    nameOf(path),
    content,
  ])
  const end = 'TRAILER!!!'
  const last = header({ inode: 0, mode: 0, writtenAt: 0, nameBytes: nameOf(end).length, bytes: 0 })
  return Buffer.concat([...parts, last, nameOf(end)])
}

const nameOf = (path: string) => Buffer.from(`${path}\0`)

interface Header {
  readonly inode: number
  readonly mode: number
  readonly writtenAt: number
  readonly nameBytes: number
  readonly bytes: number
}

function header({ inode, mode, writtenAt, nameBytes, bytes }: Header): Uint8Array {
  const [device, owner, group, links, special] = [0, 0, 0, 1, 0]
  const fields = [device, inode, mode, owner, group, links, special]
  return Buffer.from(
    [
      '070707',
      ...fields.map((field) => octal(field, 6)),
      octal(writtenAt, 11),
      octal(nameBytes, 6),
      octal(bytes, 11),
    ].join(''),
  )
}

function octal(value: number, digits: number): string {
  const text = value.toString(8)
  if (text.length > digits)
    throw new Error(`Cannot pack: ${value} does not fit in ${digits} octal digits`)
  return text.padStart(digits, '0')
}
