/** Archives of xar, the outermost form of a package for macOS: a header, a table of contents in compressed XML, and the files one after the other. */
import { createHash } from 'node:crypto'
import { deflateSync } from 'node:zlib'

export interface XarFile {
  /** A name, or a path whose folders are in the archive too. */
  readonly path: string
  readonly content: Uint8Array
}

const headerBytes = 28
const sha1 = { id: 1, bytes: 20 } as const

/** Files are stored as they are: those that are long are compressed already. */
export function createXar(files: readonly XarFile[], writtenAt: number): Uint8Array {
  // The heap begins with the digest of the table.
  let offset: number = sha1.bytes
  const placed = files.map((file) => {
    const at = offset
    offset += file.content.length
    return { ...file, at }
  })
  const table = deflateSync(tableOf(placed, writtenAt))
  const header = Buffer.alloc(headerBytes)
  header.write('xar!', 0, 'latin1')
  header.writeUInt16BE(headerBytes, 4)
  header.writeUInt16BE(1, 6)
  header.writeBigUInt64BE(BigInt(table.length), 8)
  header.writeBigUInt64BE(BigInt(Buffer.byteLength(tableOf(placed, writtenAt))), 16)
  header.writeUInt32BE(sha1.id, 24)
  const digest = createHash('sha1').update(table).digest()
  return Buffer.concat([header, table, digest, ...files.map(({ content }) => content)])
}

type PlacedFile = XarFile & { readonly at: number }

function tableOf(files: readonly PlacedFile[], writtenAt: number): string {
  const created = new Date(writtenAt * 1000).toISOString().slice(0, 19)
  let id = 0
  const nextId = () => {
    id += 1
    return id
  }
  const fileXml = (name: string, { content, at }: PlacedFile): string => {
    const digest = createHash('sha1').update(content).digest('hex')
    const data = [
      `<length>${content.length}</length><offset>${at}</offset><size>${content.length}</size>`,
      '<encoding style="application/octet-stream"/>',
      `<extracted-checksum style="sha1">${digest}</extracted-checksum>`,
      `<archived-checksum style="sha1">${digest}</archived-checksum>`,
    ].join('')
    return `<file id="${nextId()}"><data>${data}</data><type>file</type><name>${name}</name></file>`
  }
  const alone = files.filter(({ path }) => !path.includes('/'))
  const folders = new Set(
    files.flatMap(({ path }) => (path.includes('/') ? (path.split('/')[0] ?? []) : [])),
  )
  const xml = [
    ...alone.map((file) => fileXml(file.path, file)),
    ...[...folders].map((folder) => {
      const own = nextId()
      const inside = files.filter(({ path }) => path.startsWith(`${folder}/`))
      const parts = inside.map((file) => fileXml(file.path.slice(folder.length + 1), file))
      return `<file id="${own}"><type>directory</type><name>${folder}</name>${parts.join('')}</file>`
    }),
  ]
  const checksum = `<checksum style="sha1"><offset>0</offset><size>${sha1.bytes}</size></checksum>`
  return `<?xml version="1.0" encoding="UTF-8"?>\n<xar><toc><creation-time>${created}</creation-time>${checksum}${xml.join('')}</toc></xar>\n`
}
