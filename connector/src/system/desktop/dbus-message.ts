/** Messages of D-Bus: method calls as bytes, and replies from bytes (dbus.freedesktop.org/doc/dbus-specification.html, Message Protocol). */

/** An argument of a method, after its type; arrays and dictionaries are empty. */
export type Argument =
  | readonly ['s', string]
  | readonly ['u', number]
  | readonly ['i', number]
  | readonly ['as']
  | readonly ['a{sv}']

export interface MethodCall {
  /** The name of the program that has the method. */
  readonly destination: string
  readonly path: string
  readonly interface: string
  readonly member: string
  readonly args: readonly Argument[]
}

export interface MessageHead {
  readonly type: number
  readonly isLittleEndian: boolean
  /** Bytes of the header fields, without what pads them. */
  readonly fieldBytes: number
  /** Bytes after the head. */
  readonly restBytes: number
}

export interface MessageFields {
  /** The serial number of the call that it replies to. */
  readonly replySerial: number | undefined
  /** The types of its body. */
  readonly signature: string
}

export const messageTypes = { call: 1, reply: 2, error: 3 } as const
/** Bytes of the fixed part of a header, with the length of its fields. */
export const headBytes = 16
const protocolVersion = 1
const fieldCodes = {
  path: 1,
  interface: 2,
  member: 3,
  replySerial: 5,
  destination: 6,
  signature: 8,
} as const

/** Texts become UTF-8; one with a zero in it makes the bus close the connection. */
export function encodeMethodCall(call: MethodCall, serial: number): Buffer {
  const fields = createWriter()
  const addField = (code: number, type: 'o' | 's' | 'g', value: string) => {
    fields.align(8)
    fields.byte(code)
    fields.signature(type)
    if (type === 'g') fields.signature(value)
    else fields.text(value)
  }
  addField(fieldCodes.path, 'o', call.path)
  addField(fieldCodes.interface, 's', call.interface)
  addField(fieldCodes.member, 's', call.member)
  addField(fieldCodes.destination, 's', call.destination)
  if (call.args.length > 0) {
    addField(fieldCodes.signature, 'g', call.args.map(([type]) => type).join(''))
  }
  const body = encodeArguments(call.args)
  const message = createWriter()
  for (const value of [0x6c, messageTypes.call, 0, protocolVersion]) message.byte(value)
  for (const value of [body.length, serial, fields.end().length]) message.uint32(value)
  message.bytes(fields.end())
  message.align(8)
  message.bytes(body)
  return message.end()
}

function encodeArguments(args: readonly Argument[]): Buffer {
  const body = createWriter()
  for (const argument of args) {
    if (argument[0] === 's') body.text(argument[1])
    else if (argument[0] === 'as') body.uint32(0)
    else if (argument[0] === 'a{sv}') {
      body.uint32(0)
      // What pads the first element is there without it, too.
      body.align(8)
    } else body.uint32(argument[1] >>> 0)
  }
  return body.end()
}

/** Writes values in little-endian order, each at its alignment. */
function createWriter() {
  const parts: Buffer[] = []
  let length = 0
  const bytes = (part: Buffer) => {
    parts.push(part)
    length += part.length
  }
  const byte = (value: number) => bytes(Buffer.of(value))
  const align = (size: number) => bytes(Buffer.alloc(pad(length, size) - length))
  const uint32 = (value: number) => {
    align(4)
    const part = Buffer.alloc(4)
    part.writeUInt32LE(value)
    bytes(part)
  }
  const terminated = (value: string) => Buffer.from(`${value}\0`)
  return {
    bytes,
    byte,
    align,
    uint32,
    text: (value: string) => {
      uint32(Buffer.byteLength(value))
      bytes(terminated(value))
    },
    signature: (value: string) => {
      byte(value.length)
      bytes(terminated(value))
    },
    end: () => Buffer.concat(parts),
  }
}

/** The first bytes of a message. Throws when they are of no message, or of one that is longer than `maxBytes`. */
export function decodeHead(head: Buffer, maxBytes: number): MessageHead {
  const isLittleEndian = head[0] === 0x6c
  if ((!isLittleEndian && head[0] !== 0x42) || head[3] !== protocolVersion) {
    throw new Error('Cannot read the message: it is not D-Bus version 1')
  }
  const [bodyBytes, fieldBytes] = [4, 12].map((offset) => readUint32(head, offset, isLittleEndian))
  const restBytes = pad(fieldBytes ?? 0, 8) + (bodyBytes ?? 0)
  if (restBytes > maxBytes) throw new Error(`Cannot read the message: it has ${restBytes} bytes`)
  return { type: head[1] ?? 0, isLittleEndian, fieldBytes: fieldBytes ?? 0, restBytes }
}

/** Bytes of the values of one type; they are aligned to their size. */
const fixedSizes: Readonly<Record<string, number>> = {
  ...{ y: 1, n: 2, q: 2, b: 4, i: 4, u: 4, h: 4, x: 8, t: 8, d: 8 },
}

/** The header fields, from the bytes after the head. Throws when they are malformed. */
export function decodeFields(
  rest: Buffer,
  { isLittleEndian, fieldBytes }: MessageHead,
): MessageFields {
  let at = 0
  const take = (size: number, alignment = 1) => {
    const begin = pad(at, alignment)
    at = begin + size
    if (at > fieldBytes) throw new Error('Cannot read the message: its fields are too short')
    return rest.subarray(begin, at)
  }
  const takeText = (size: number) => take(size + 1).toString('latin1', 0, size)
  const takeUint32 = () => readUint32(take(4, 4), 0, isLittleEndian)
  const takeSignature = () => takeText(take(1)[0] ?? 0)
  let replySerial: number | undefined
  let signature = ''
  while (at < fieldBytes) {
    const [code] = take(1, 8)
    const type = takeSignature()
    const size = fixedSizes[type]
    if (code === fieldCodes.replySerial && type === 'u') replySerial = takeUint32()
    else if (code === fieldCodes.signature && type === 'g') signature = takeSignature()
    else if (type === 's' || type === 'o') takeText(takeUint32())
    else if (type === 'g') takeSignature()
    else if (size !== undefined) take(size, size)
    else throw new Error('Cannot read the message: a field has an unknown type')
  }
  return { replySerial, signature }
}

const readUint32 = (buffer: Buffer, offset: number, isLittleEndian: boolean) =>
  isLittleEndian ? buffer.readUInt32LE(offset) : buffer.readUInt32BE(offset)

const pad = (length: number, alignment: number) => Math.ceil(length / alignment) * alignment
