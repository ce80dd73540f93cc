/**
 * The bill of materials of a package for macOS ("Bom"): the paths, modes, sizes and checksums of what it installs, from which
 * the system makes the receipt. A store of numbered blocks, some of which have names; numbers are big-endian. Apple has not
 * published the form; it is known from readers and writers of others.
 */
import { type Entry, fileTypes, typeOf } from './payload.ts'

const headerBytes = 512
const nodeBytes = { paths: 4096, others: 128 } as const
/** Entries of a node of 4096 bytes. */
const maxNodeEntries = 256

/** Throws when there are more paths than one node holds: a package of ours has some dozens. */
export function createBillOfMaterials(entries: readonly Entry[], writtenAt: number): Uint8Array {
  if (entries.length > maxNodeEntries) {
    throw new Error(`Cannot write the bill of materials: more than ${maxNodeEntries} paths`)
  }
  // The first block is none: 0 names no block.
  const blocks: Uint8Array[] = [new Uint8Array()]
  const add = (block: Uint8Array): number => blocks.push(block) - 1
  const addTree = (node: Uint8Array, nodeSize: number, count: number): number => {
    const padded = new Uint8Array(Math.max(nodeSize, node.length))
    padded.set(node)
    return add(pack('tree', u32(1), u32(add(padded)), u32(nodeSize), u32(count), u8(0)))
  }
  const addEmptyTree = (nodeSize: number) => addTree(node([]), nodeSize, 0)

  const numbers = new Map(entries.map(({ path }, index) => [path, index + 1]))
  const pairs = entries.map((entry, index): readonly [number, number] => {
    const slash = entry.path.lastIndexOf('/')
    const parent = slash < 0 ? 0 : (numbers.get(entry.path.slice(0, slash)) ?? 0)
    const metadata = add(describe(entry, writtenAt))
    const key = add(pack(u32(index + 1), u32(metadata)))
    return [key, add(pack(u32(parent), `${entry.path.slice(slash + 1)}\0`))]
  })
  const bytes = entries.reduce((sum, { content }) => sum + content.length, 0)
  const names = {
    // One entry of sizes: that of all processors.
    BomInfo: add(pack(u32(1), u32(entries.length), u32(1), u32(0), u32(0), u32(bytes), u32(0))),
    Paths: addTree(node(pairs), nodeBytes.paths, pairs.length),
    HLIndex: addEmptyTree(nodeBytes.paths),
    VIndex: add(pack(u32(1), u32(addEmptyTree(nodeBytes.others)), u32(0), u8(0))),
    Size64: addEmptyTree(nodeBytes.paths),
  }
  return assemble(blocks, names)
}

/** A leaf without neighbours. */
const node = (pairs: readonly (readonly [number, number])[]): Uint8Array =>
  pack(u16(1), u16(pairs.length), u32(0), u32(0), ...pairs.flat().map(u32))

function describe(entry: Entry, writtenAt: number): Uint8Array {
  const type = typeOf(entry)
  const [kind] = kinds.get(type) ?? []
  if (kind === undefined) throw new Error(`Cannot list "${entry.path}": unknown type of file`)
  const isLink = type === fileTypes.link
  const checksum = type === fileTypes.folder ? 0 : computeChecksum(entry.content)
  return pack(
    u8(kind),
    u8(1),
    // Paths with everything that is known of them.
    u16(0x000f),
    u16(entry.mode),
    u32(0),
    u32(0),
    u32(writtenAt),
    u32(entry.content.length),
    u8(1),
    u32(checksum),
    u32(isLink ? entry.content.length + 1 : 0),
    ...(isLink ? [entry.content, u8(0)] : []),
  )
}

const kinds = new Map<number, readonly [number]>([
  [fileTypes.file, [1]],
  [fileTypes.folder, [2]],
  [fileTypes.link, [3]],
])

/** Header, blocks, the index of blocks with an empty list of free ones, the names. */
function assemble(
  blocks: readonly Uint8Array[],
  names: Readonly<Record<string, number>>,
): Uint8Array {
  let at = headerBytes
  const places = blocks.map((block) => {
    const place = block.length === 0 ? [0, 0] : [at, block.length]
    at += block.length
    return place
  })
  const index = pack(u32(blocks.length), ...places.flat().map(u32), u32(0))
  const named = Object.entries(names)
  const list = pack(
    u32(named.length),
    ...named.flatMap(([name, block]) => [u32(block), u8(name.length), name]),
  )
  const header = new Uint8Array(headerBytes)
  const used = blocks.filter((block) => block.length > 0).length
  header.set(
    pack(
      'BOMStore',
      u32(1),
      u32(used),
      u32(at),
      u32(index.length),
      u32(at + index.length),
      u32(list.length),
    ),
  )
  return Buffer.concat([header, ...blocks, index, list])
}

/** That of cksum (IEEE Std 1003.1): CRC of the bytes and then of their number, with the polynomial 04C11DB7. */
export function computeChecksum(content: Uint8Array): number {
  let crc = 0
  const take = (byte: number) => {
    crc = (crc << 8) ^ (table[((crc >>> 24) ^ byte) & 0xff] ?? 0)
  }
  for (const byte of content) take(byte)
  for (let left = content.length; left > 0; left = Math.floor(left / 256)) take(left & 0xff)
  return ~crc >>> 0
}

const table = Uint32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte << 24
  for (let bit = 0; bit < 8; bit += 1)
    crc = (crc << 1) ^ ((crc & 0x80000000) === 0 ? 0 : 0x04c11db7)
  return crc
})

const u8 = (value: number) => Uint8Array.of(value)
function u16(value: number): Uint8Array {
  const bytes = Buffer.alloc(2)
  bytes.writeUInt16BE(value)
  return bytes
}
function u32(value: number): Uint8Array {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}
const pack = (...parts: readonly (Uint8Array | string)[]): Uint8Array =>
  Buffer.concat(
    parts.map((part) => (typeof part === 'string' ? Buffer.from(part, 'latin1') : part)),
  )
