/** The structures of PKCS #11 in buffers: written for the library, and read as it left them. */
import type { Layout } from './layout.ts'
import { getAddress } from './native.ts'

/**
 * Memory that a library may write to. With a buffer from the start it stays where it is: the engine moves short arrays when one is
 * needed (JSC, slowDownAndWasteMemory).
 */
export const allocate = (length: number): Uint8Array<ArrayBuffer> =>
  new Uint8Array(new ArrayBuffer(length))

/** A CK_ULONG at this offset. */
export function readUlong({ ulong }: Layout, bytes: Uint8Array, at = 0): bigint {
  const view = new DataView(bytes.buffer, bytes.byteOffset)
  return ulong === 8 ? view.getBigUint64(at, true) : BigInt(view.getUint32(at, true))
}

/** Several of them, one after the other. */
export function packUlongs({ ulong }: Layout, ...values: readonly bigint[]): Uint8Array {
  const bytes = allocate(ulong * values.length)
  values.forEach((value, index) => {
    setUlong(bytes, ulong, index * ulong, value)
  })
  return bytes
}

/** One field of CK_ATTRIBUTE or CK_MECHANISM: a type, and the memory of its value. */
export interface Field {
  readonly type: number
  /** null: only the length is asked for. */
  readonly value: Uint8Array | null
}

/** The structures one after the other. What they point to has to be held by the caller. */
export function packFields({ ulong, attribute }: Layout, fields: readonly Field[]): Uint8Array {
  const bytes = allocate(attribute.size * fields.length)
  const view = new DataView(bytes.buffer)
  fields.forEach(({ type, value }, index) => {
    const at = attribute.size * index
    const isEmpty = value === null || value.length === 0
    setUlong(bytes, ulong, at + attribute.type, BigInt(type))
    view.setBigUint64(at + attribute.value, isEmpty ? 0n : getAddress(value), true)
    setUlong(bytes, ulong, at + attribute.length, BigInt(value?.length ?? 0))
  })
  return bytes
}

/** The length that the library has left in the structure at this index; undefined: the attribute is not there. */
export function readFieldLength(layout: Layout, bytes: Uint8Array, index: number) {
  const { size, length } = layout.attribute
  const value = readUlong(layout, bytes, size * index + length)
  // CK_UNAVAILABLE_INFORMATION: all bits.
  return value === (1n << BigInt(8 * layout.ulong)) - 1n ? undefined : value
}

/** Filled with blanks; some libraries end it with a zero. */
export function readText(bytes: Uint8Array, at: number, length: number): string {
  const text = new TextDecoder().decode(bytes.subarray(at, at + length))
  return (text.split('\0')[0] ?? '').replaceAll(/\p{Cc}/gu, ' ').trim()
}

function setUlong(bytes: Uint8Array, ulong: Layout['ulong'], at: number, value: bigint): void {
  const view = new DataView(bytes.buffer, bytes.byteOffset)
  if (ulong === 8) view.setBigUint64(at, value, true)
  else view.setUint32(at, Number(value), true)
}
