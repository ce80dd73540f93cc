/** Prints on Windows by its spooler, winspool.drv, in the helper's process: the calls wait for printers of the network. */
import { getAddress, openWinspool, toUtf16, type Winspool } from './native.ts'

/** PRINTER_INFO_4W of winspool.h for 64 bits, and DOC_INFO_1W: sizes and offsets in bytes. */
const printerInfo = { level: 4, size: 24, name: 0 } as const
const documentInfo = { level: 1, size: 24, name: 0, type: 16 } as const

/** PRINTER_ENUM_LOCAL and PRINTER_ENUM_CONNECTIONS of winspool.h: those of the machine, and those of the user. */
const ofMachineAndUser = 0x2 | 0x4

/** The names of the printers; undefined when the spooler does not tell them. */
export function readPrinters(winspool: Winspool = openWinspool()): readonly string[] | undefined {
  const [needed, count] = [Buffer.alloc(4), Buffer.alloc(4)]
  const read = (address: bigint, size: number): boolean =>
    winspool.EnumPrintersW(
      ofMachineAndUser,
      0n,
      printerInfo.level,
      address,
      size,
      getAddress(needed),
      getAddress(count),
    )
  if (read(0n, 0)) return []
  // A printer that has come meanwhile needs more: the next request finds it.
  const buffer = Buffer.alloc(needed.readUInt32LE())
  if (buffer.length === 0) return undefined
  // Asked for once: the engine moves the bytes of a short array when a part of it is taken.
  const address = BigInt(getAddress(buffer))
  if (!read(address, buffer.length)) return undefined
  return Array.from({ length: count.readUInt32LE() }, (_, at) =>
    readText(buffer, address, at * printerInfo.size + printerInfo.name),
  ).filter((name) => name !== '')
}

/** The text that the pointer at `at` leads to: Windows puts texts behind the structures, in the same buffer. */
function readText(buffer: Buffer, address: bigint, at: number): string {
  if (at + 8 > buffer.length) return ''
  const start = Number(buffer.readBigUInt64LE(at) - address)
  if (start < 0 || start >= buffer.length) return ''
  const [text = ''] = buffer.toString('utf16le', start).split('\0', 1)
  return text
}

/** Whether the spooler has the whole job. */
export function printJob(
  { printer, title, data }: { printer: string; title: string; data: Uint8Array },
  winspool: Winspool = openWinspool(),
): boolean {
  const [handle, name] = [Buffer.alloc(8), toUtf16(printer)]
  if (!winspool.OpenPrinterW(getAddress(name), getAddress(handle), 0n)) return false
  const opened = handle.readBigUInt64LE()
  try {
    return writeDocument(winspool, opened, title, data)
  } finally {
    winspool.ClosePrinter(opened)
  }
}

function writeDocument(
  winspool: Winspool,
  printer: bigint,
  title: string,
  data: Uint8Array,
): boolean {
  const [name, type, info] = [toUtf16(title), toUtf16('RAW'), Buffer.alloc(documentInfo.size)]
  info.writeBigUInt64LE(BigInt(getAddress(name)), documentInfo.name)
  info.writeBigUInt64LE(BigInt(getAddress(type)), documentInfo.type)
  if (winspool.StartDocPrinterW(printer, documentInfo.level, getAddress(info)) === 0) return false
  if (writePage(winspool, printer, data) && winspool.EndDocPrinter(printer)) return true
  winspool.AbortPrinter(printer)
  return false
}

function writePage(winspool: Winspool, printer: bigint, data: Uint8Array): boolean {
  if (!winspool.StartPagePrinter(printer)) return false
  const written = Buffer.alloc(4)
  for (let from = 0; from < data.length; from += written.readUInt32LE()) {
    const rest = data.slice(from)
    const isWritten = winspool.WritePrinter(
      printer,
      getAddress(rest),
      rest.length,
      getAddress(written),
    )
    if (!isWritten || written.readUInt32LE() === 0) return false
  }
  return winspool.EndPagePrinter(printer)
}
