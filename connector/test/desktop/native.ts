/** Memory as a function of the system sees it. */
import { type Pointer, toArrayBuffer } from 'bun:ffi'

/** The bytes at an address that such a function was given; not a copy. */
export const viewMemory = (address: unknown, bytes: number): Uint8Array =>
  new Uint8Array(toArrayBuffer(address as Pointer, 0, bytes))
