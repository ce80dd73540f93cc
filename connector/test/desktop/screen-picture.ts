/** Pictures of what Xvfb has drawn, from its file of pixels, which is in the format of xwd(1). */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { crc32, deflateSync } from 'node:zlib'

export interface Rectangle {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

/** XWDFile.h: numbers of four bytes, the highest first. */
const field = { headerSize: 0, width: 16, height: 20, bytesPerLine: 48, colors: 76 } as const
const bytesPerColor = 12

/** The part of the screen inside the rectangle, as red, green and blue. `folder`: that of Xvfb, -fbdir. */
export function readPixels(folder: string, { x, y, width, height }: Rectangle): Buffer {
  const file = readFileSync(join(folder, 'Xvfb_screen0'))
  const read = (name: keyof typeof field) => file.readUInt32BE(field[name])
  const start = read('headerSize') + read('colors') * bytesPerColor
  const pixels = Buffer.alloc(width * height * 3)
  for (let row = 0; row < height; row += 1) {
    for (let column = 0; column < width; column += 1) {
      const from = start + (y + row) * read('bytesPerLine') + (x + column) * 4
      const to = (row * width + column) * 3
      for (const color of [0, 1, 2]) pixels[to + color] = file[from + 2 - color] ?? 0
    }
  }
  return pixels
}

/** Inside the screen. */
export function clip(folder: string, { x, y, width, height }: Rectangle): Rectangle {
  const file = readFileSync(join(folder, 'Xvfb_screen0'))
  const left = Math.max(x, 0)
  const top = Math.max(y, 0)
  return {
    x: left,
    y: top,
    width: Math.min(x + width, file.readUInt32BE(field.width)) - left,
    height: Math.min(y + height, file.readUInt32BE(field.height)) - top,
  }
}

/** RFC 2083: eight bits for each color, no filter. */
export function toPng(pixels: Buffer, { width, height }: Rectangle): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, 2], 8)
  const lines = Array.from({ length: height }, (_, row) =>
    Buffer.concat([Buffer.of(0), pixels.subarray(row * width * 3, (row + 1) * width * 3)]),
  )
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    toChunk('IHDR', header),
    toChunk('IDAT', deflateSync(Buffer.concat(lines))),
    toChunk('IEND', Buffer.alloc(0)),
  ])
}

function toChunk(type: string, data: Buffer): Buffer {
  const content = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const ends = Buffer.alloc(8)
  ends.writeUInt32BE(data.length, 0)
  ends.writeUInt32BE(crc32(content), 4)
  return Buffer.concat([ends.subarray(0, 4), content, ends.subarray(4)])
}
