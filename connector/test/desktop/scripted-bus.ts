/** A message bus that answers as a test says: it greets any client, and then sends bytes of the test, or none. */
import { createServer, type Server, type Socket } from 'node:net'

/** What it sends for each thing that a client sends; undefined: nothing. */
export interface BusScript {
  readonly connection?: (client: Socket) => void
  readonly authentication?: (client: Socket) => void
  readonly hello?: (client: Socket) => void
  /** `received`: everything that came, a character for each byte. */
  readonly call?: (client: Socket, received: string) => void
}

const send = (bytes: Buffer | string) => (client: Socket) => void client.write(bytes)

/** Listens at a path; the returned function ends it with its connections. */
export async function startScriptedBus(path: string, script: BusScript): Promise<() => void> {
  const {
    authentication = send(`OK ${'0'.repeat(32)}\r\n`),
    hello = send(
      encodeReply({ replyTo: 1, signature: 's', body: Buffer.from('\x04\0\0\0:1.1\0') }),
    ),
    call = send(encodeReply({ replyTo: 2 })),
  } = script
  const server: Server = createServer((client) => {
    script.connection?.(client)
    const steps = [
      [/^\0AUTH EXTERNAL [0-9a-f]+\r\n/, authentication],
      [/BEGIN\r\n.*Hello\0/s, hello],
      [/Hello\0.*Notify\0/s, call],
    ] as const
    let done = 0
    let text = ''
    client.on('error', () => undefined)
    client.on('data', (chunk) => {
      text += chunk.toString('latin1')
      const step = steps[done]
      if (step?.[0].test(text)) {
        done += 1
        step[1](client, text)
      }
    })
  })
  const clients = new Set<Socket>()
  server.on('connection', (client) => clients.add(client))
  await new Promise<void>((listening) => server.listen(path, listening))
  return () => {
    for (const client of clients) client.destroy()
    server.close()
  }
}

export interface ReplyOptions {
  readonly replyTo: number
  /** 2: a reply, 3: an error, 4: a signal. */
  readonly type?: number
  readonly signature?: string
  readonly body?: Buffer
  readonly isBigEndian?: boolean
  /** Header fields in place of the serial and the signature. */
  readonly fields?: Buffer
  /** What the header says in place of the true lengths. */
  readonly bodyBytes?: number
  readonly fieldBytes?: number
}

/** A message as a bus sends it, of one-letter signatures; everything in it can be wrong. */
export function encodeReply(options: ReplyOptions): Buffer {
  const { replyTo, type = 2, signature = 'u', isBigEndian = false } = options
  const uint32 = (value: number) => {
    const bytes = Buffer.alloc(4)
    if (isBigEndian) bytes.writeUInt32BE(value)
    else bytes.writeUInt32LE(value)
    return bytes
  }
  const { body = uint32(7) } = options
  const serialField = Buffer.concat([Buffer.from('\x05\x01u\0'), uint32(replyTo)])
  const { fields = Buffer.concat([serialField, Buffer.from(`\x08\x01g\0\x01${signature}\0`)]) } =
    options
  return Buffer.concat([
    Buffer.from([isBigEndian ? 0x42 : 0x6c, type, 0, 1]),
    uint32(options.bodyBytes ?? body.length),
    uint32(1),
    uint32(options.fieldBytes ?? fields.length),
    fields,
    Buffer.alloc((8 - (fields.length % 8)) % 8),
    body,
  ])
}
