/** Calls methods over the user's message bus, without a program whose arguments other accounts could read. */
import { findSessionBus } from './dbus-address.ts'
import {
  decodeFields,
  decodeHead,
  encodeMethodCall,
  headBytes,
  type MethodCall,
  messageTypes,
} from './dbus-message.ts'
import { type Connection, connectToOwnSocket } from './unix-connection.ts'

/** Bytes that a bus may send for one call: it sends two replies and a signal, of some hundred bytes together. */
const maxBytes = 65_536

const hello: MethodCall = {
  destination: 'org.freedesktop.DBus',
  path: '/org/freedesktop/DBus',
  interface: 'org.freedesktop.DBus',
  member: 'Hello',
  args: [],
}

/** The types of the values in the reply. Rejects when no bus can be used, when it refuses the call, and at the signal. */
export async function callSessionBus(
  environment: Readonly<Record<string, string | undefined>>,
  call: MethodCall,
  signal: AbortSignal,
): Promise<string> {
  for (const name of findSessionBus(environment)) {
    const connection = await connectToOwnSocket(name, { signal, maxBytes }).catch(() => undefined)
    if (connection === undefined) continue
    try {
      await authenticate(connection)
      connection.write(encodeMethodCall(hello, 1))
      await receiveReply(connection, 1)
      connection.write(encodeMethodCall(call, 2))
      return await receiveReply(connection, 2)
    } finally {
      connection.close()
    }
  }
  throw new Error('Cannot connect to the message bus')
}

/** By the account of this process, which the system shows to the bus (Authentication Protocol, EXTERNAL). */
async function authenticate(connection: Connection): Promise<void> {
  const user = Buffer.from(String(process.getuid?.())).toString('hex')
  connection.write(`\0AUTH EXTERNAL ${user}\r\n`)
  const reply = await connection.readLine()
  if (!reply.startsWith('OK ')) throw new Error('Cannot use the message bus: it knows no EXTERNAL')
  connection.write('BEGIN\r\n')
}

/** Skips messages that are no reply to this call. */
async function receiveReply(connection: Connection, serial: number): Promise<string> {
  for (;;) {
    const head = decodeHead(await connection.read(headBytes), maxBytes)
    const { replySerial, signature } = decodeFields(await connection.read(head.restBytes), head)
    if (replySerial !== serial) continue
    if (head.type === messageTypes.reply) return signature
    if (head.type === messageTypes.error) throw new Error('Cannot call: the message bus refuses it')
  }
}
