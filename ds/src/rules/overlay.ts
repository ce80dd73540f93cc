/** Bytes that are sent in place of those of a file, at one place of it. */

export interface Overlay {
  /** Where they begin, in the file. */
  readonly offset: number
  readonly bytes: Uint8Array
}

/** Whether any of the bytes stand in the part of a file that begins at `position`. */
export const isOverlaid = (length: number, position: number, { offset, bytes }: Overlay): boolean =>
  position < offset + bytes.length && offset < position + length

/** Overwrites what of them stands in `part`, which begins at `position`. */
export function applyOverlay(part: Uint8Array, position: number, overlay: Overlay): void {
  if (!isOverlaid(part.length, position, overlay)) return
  const { offset, bytes } = overlay
  const from = Math.max(position, offset)
  const to = Math.min(position + part.length, offset + bytes.length)
  part.set(bytes.subarray(from - offset, to - offset), from - position)
}
