/** The size of a JPEG picture, from its frame header (ITU-T T.81 §B.2.2). */
import { TlvError } from './ber-tlv.ts'

/** SOF markers: C0 to CF, without those of tables, C4, C8 and CC (§B.1.1.3). */
const isFrame = (marker: number) =>
  marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc

/** Pixels. Throws TlvError when it is no JPEG. */
export function readJpegSize(picture: Uint8Array): {
  readonly width: number
  readonly height: number
} {
  const view = new DataView(picture.buffer, picture.byteOffset, picture.byteLength)
  // Each segment is a marker of two bytes, and a length of two that counts itself; the first marker has none.
  for (let at = 2; at + 9 <= view.byteLength && view.getUint8(at) === 0xff; ) {
    const marker = view.getUint8(at + 1)
    if (isFrame(marker)) {
      return { height: view.getUint16(at + 5), width: view.getUint16(at + 7) }
    }
    // A fill byte, as may stand before every marker (§B.1.1.2): the marker begins a byte later.
    if (marker === 0xff) at += 1
    else at += 2 + view.getUint16(at + 2)
  }
  throw new TlvError('the picture is not a JPEG')
}
