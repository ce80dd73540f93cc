/** The icon of Cardwire: a drawing, and a picture of it in each size that a system asks for. */
import { readFileSync } from 'node:fs'

/** Widths of the pictures, in pixels: those of Windows, and of the icon themes of Linux. */
export const iconSizes = [16, 24, 32, 48, 64, 128, 256] as const

export type IconSize = (typeof iconSizes)[number]

/** The file of the drawing, or that of the picture of a size. */
export const findIcon = (form: IconSize | 'svg'): URL =>
  new URL(form === 'svg' ? 'cardwire.svg' : `cardwire-${form}.png`, import.meta.url)

/** Of the header, and of the entry of each picture. */
const [headerBytes, entryBytes] = [6, 16]

/** An icon file of Windows, with the pictures of all sizes (ICONDIR, ICONDIRENTRY; PNG in it since Windows Vista). */
export function createIco(): Buffer {
  const pictures = iconSizes.map((size) => ({ size, png: readFileSync(findIcon(size)) }))
  const directory = Buffer.alloc(headerBytes + pictures.length * entryBytes)
  directory.writeUInt16LE(1, 2) // an icon, no cursor
  directory.writeUInt16LE(pictures.length, 4)
  let offset = directory.length
  for (const [index, { size, png }] of pictures.entries()) {
    const at = headerBytes + index * entryBytes
    // 0 means 256.
    directory.set([size % 256, size % 256], at)
    directory.writeUInt16LE(1, at + 4) // planes
    directory.writeUInt16LE(32, at + 6) // bits of a pixel
    directory.writeUInt32LE(png.length, at + 8)
    directory.writeUInt32LE(offset, at + 12)
    offset += png.length
  }
  return Buffer.concat([directory, ...pictures.map(({ png }) => png)])
}

/** The kinds of pictures in an icon file of macOS, by their widths; PNG in each since Mac OS X 10.7. */
const icnsKinds = { 128: 'ic07', 256: 'ic08' } as const

/** An icon file of macOS: a header, and each picture behind its kind and length. */
export function createIcns(): Buffer {
  const pictures = ([128, 256] as const).map((size) =>
    createIcnsPart(icnsKinds[size], readFileSync(findIcon(size))),
  )
  return createIcnsPart('icns', Buffer.concat(pictures))
}

function createIcnsPart(kind: string, content: Buffer): Buffer {
  const header = Buffer.alloc(8)
  header.write(kind, 'latin1')
  header.writeUInt32BE(header.length + content.length, 4)
  return Buffer.concat([header, content])
}
