/**
 * The signature of a macOS program, with the hardened runtime: of no developer ("ad hoc"), which the system asks of every program on Apple silicon, and
 * whose page hashes it checks wherever there are any. The compiler leaves the x64 program with the signature of Bun itself,
 * which its added pages no longer fit: the system ends such a program at once.
 *
 * Formats: `mach-o/loader.h` (load commands, little-endian) and `kern/cs_blobs.h` (signatures, big-endian) of Apple's xnu.
 */
import { createHash } from 'node:crypto'
import { signatureParts } from './mach-o-entitlements.ts'

/** MH_MAGIC_64 */
const machO64 = 0xfeedfacf
const headerBytes = 32
const commands = { segment64: 0x19, codeSignature: 0x1d, buildVersion: 0x32 } as const

const magic = { signature: 0xfade0cc0, directory: 0xfade0c02 } as const
/** A CodeDirectory that ends with the version of the hardened runtime. */
const directoryVersion = 0x20500
const directoryBytes = 96
/** CS_ADHOC and CS_RUNTIME: the loader takes no libraries from DYLD_ variables, and no debugger attaches. */
const adHocHardened = 0x10002
/** The slots of parts that a CodeDirectory has hashes of, up to the entitlements in DER. */
const specialSlots = 7
const sha256 = { type: 2, bytes: 32 } as const
const pageBytes = 4096
/** CS_EXECSEG_MAIN_BINARY */
const mainBinary = 1

interface MachO {
  readonly view: DataView
  /** Where the load command of the signature is, and that of __LINKEDIT, which holds the signature at its end. */
  readonly signatureCommand: number
  readonly linkEditCommand: number
  /** Where the signature begins: what is before it is signed. */
  readonly signedBytes: number
  readonly text: { readonly offset: bigint; readonly size: bigint }
  /** The SDK that it was built with: the hardened runtime of that macOS. */
  readonly sdk: number
}

/** The same program with an ad-hoc signature in the place of its own. Throws when it is no 64-bit program with one. */
export function signMachO(program: Uint8Array, identifier: string): Uint8Array<ArrayBuffer> {
  const { signedBytes } = readMachO(program)
  const pages = Math.ceil(signedBytes / pageBytes)
  const name = Buffer.from(`${identifier}\0`)
  const hashesAt = directoryBytes + name.length + specialSlots * sha256.bytes
  const headerLength = 12 + 8 * (1 + signatureParts.length)
  const directoryLength = hashesAt + pages * sha256.bytes
  const parts = Buffer.concat(signatureParts.map(({ blob }) => blob))
  const signatureBytes = headerLength + directoryLength + parts.length

  const signed = new Uint8Array(signedBytes + signatureBytes)
  signed.set(program.subarray(0, signedBytes))
  const { view, signatureCommand, linkEditCommand, text, sdk } = readMachO(signed)
  // The commands are signed too: they change before the pages are hashed.
  view.setUint32(signatureCommand + 12, signatureBytes, true)
  const linkEditBytes = BigInt(signed.length) - view.getBigUint64(linkEditCommand + 40, true)
  view.setBigUint64(linkEditCommand + 48, linkEditBytes, true)
  view.setBigUint64(linkEditCommand + 32, roundUp(linkEditBytes, pageBytes), true)

  const at = signedBytes
  const directoryAt = at + headerLength
  setUint32s(view, at, [
    magic.signature,
    signatureBytes,
    ...listParts(headerLength, directoryLength),
  ])
  signed.set(parts, directoryAt + directoryLength)
  setUint32s(view, directoryAt, [
    magic.directory,
    directoryLength,
    directoryVersion,
    adHocHardened,
    hashesAt,
    directoryBytes,
    specialSlots,
    pages,
    signedBytes,
  ])
  signed.set([sha256.bytes, sha256.type, 0, Math.log2(pageBytes)], directoryAt + 36)
  view.setBigUint64(directoryAt + 64, text.offset)
  view.setBigUint64(directoryAt + 72, text.size)
  view.setBigUint64(directoryAt + 80, BigInt(mainBinary))
  view.setUint32(directoryAt + 88, sdk)
  signed.set(name, directoryAt + directoryBytes)
  for (const { slot, blob } of signatureParts.filter(({ slot }) => slot <= specialSlots)) {
    // Before the hashes of the pages, the last slot first.
    const hash = createHash('sha256').update(blob).digest()
    signed.set(hash, directoryAt + hashesAt - slot * sha256.bytes)
  }
  for (let page = 0; page < pages; page += 1) {
    signed.set(hashPage(signed, page, signedBytes), directoryAt + hashesAt + page * sha256.bytes)
  }
  return signed
}

/** How many parts there are, and the slot and the place of each: the CodeDirectory is in slot 0. */
function listParts(headerLength: number, directoryLength: number): readonly number[] {
  let place = headerLength + directoryLength
  const others = signatureParts.flatMap(({ slot, blob }) => {
    place += blob.length
    return [slot, place - blob.length]
  })
  return [1 + signatureParts.length, 0, headerLength, ...others]
}

/** The pages that the signature has no hash of, or another one. Throws when there is no signature that can be read. */
export function findWrongPages(program: Uint8Array): readonly number[] {
  const { view, signedBytes } = readMachO(program)
  const directoryAt = signedBytes + findDirectory(view, signedBytes)
  const hashesAt = directoryAt + view.getUint32(directoryAt + 16)
  const hashed = view.getUint32(directoryAt + 28)
  const [hashBytes, hashType, , pageExponent = 0] = program.subarray(directoryAt + 36)
  if (hashBytes !== sha256.bytes || hashType !== sha256.type || 1 << pageExponent !== pageBytes) {
    throw new Error('Cannot check the signature: expected SHA-256 of pages of 4096 bytes')
  }
  const pages = Array.from({ length: Math.ceil(signedBytes / pageBytes) }, (_, page) => page)
  return pages.filter((page) => {
    const at = hashesAt + page * sha256.bytes
    const hash = program.subarray(at, at + sha256.bytes)
    return page >= hashed || !hashPage(program, page, signedBytes).equals(hash)
  })
}

function readMachO(program: Uint8Array): MachO {
  const view = new DataView(program.buffer, program.byteOffset, program.byteLength)
  if (program.length < headerBytes || view.getUint32(0, true) !== machO64) {
    throw new Error('Cannot sign: this is not a 64-bit program for macOS')
  }
  let found: Partial<Omit<MachO, 'view'>> = {}
  const count = view.getUint32(16, true)
  for (let index = 0, at = headerBytes; index < count; index += 1) {
    const command = view.getUint32(at, true)
    if (command === commands.codeSignature)
      found = { ...found, signatureCommand: at, signedBytes: view.getUint32(at + 8, true) }
    else if (command === commands.buildVersion)
      found = { ...found, sdk: view.getUint32(at + 16, true) }
    else if (command === commands.segment64) found = { ...found, ...readSegment(program, view, at) }
    at += view.getUint32(at + 4, true)
  }
  const { signatureCommand, linkEditCommand, signedBytes, text, sdk } = found
  if (
    signatureCommand === undefined ||
    linkEditCommand === undefined ||
    signedBytes === undefined ||
    text === undefined ||
    sdk === undefined
  ) {
    throw new Error('Cannot sign: the program has no place for a signature')
  }
  return { view, signatureCommand, linkEditCommand, signedBytes, text, sdk }
}

function readSegment(program: Uint8Array, view: DataView, at: number): Partial<MachO> {
  const name = Buffer.from(program.subarray(at + 8, at + 24)).toString('latin1')
  if (name.startsWith('__LINKEDIT\0')) return { linkEditCommand: at }
  if (!name.startsWith('__TEXT\0')) return {}
  const [offset, size] = [view.getBigUint64(at + 40, true), view.getBigUint64(at + 48, true)]
  return { text: { offset, size } }
}

/** The distance of the CodeDirectory from the signature's begin. */
function findDirectory(view: DataView, at: number): number {
  const count = view.getUint32(at) === magic.signature ? view.getUint32(at + 8) : 0
  for (let part = 0; part < count; part += 1) {
    const offset = view.getUint32(at + 16 + 8 * part)
    if (view.getUint32(at + offset) === magic.directory) return offset
  }
  throw new Error('Cannot check the signature: there is none')
}

const hashPage = (program: Uint8Array, page: number, limit: number): Buffer =>
  createHash('sha256')
    .update(program.subarray(page * pageBytes, Math.min((page + 1) * pageBytes, limit)))
    .digest()

function setUint32s(view: DataView, at: number, values: readonly number[]): void {
  for (const [index, value] of values.entries()) view.setUint32(at + 4 * index, value)
}

const roundUp = (value: bigint, unit: number): bigint =>
  ((value + BigInt(unit) - 1n) / BigInt(unit)) * BigInt(unit)
