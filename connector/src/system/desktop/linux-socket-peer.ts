/** The account at the other end of a Unix socket on Linux, which the system knows (unix(7), SO_PEERCRED). */
import * as z from 'zod/mini'
import { getAddress, openSocketOptions } from './native.ts'

// Values of asm-generic/socket.h; struct ucred has the numbers of process, user and group.
const socketLevel = 1
const peerCredentials = 17
const credentialBytes = 12

/** Bun's sockets have it, and its types do not. */
const Socket = z.object({ fd: z.int().check(z.nonnegative()) })

/** The number of the user who began to listen at the socket that this one is connected to. Throws when it is not known. */
export function getPeerUser(socket: object): number {
  const { fd } = z.parse(Socket, { fd: Reflect.get(socket, 'fd') })
  const credentials = Buffer.alloc(credentialBytes)
  const size = Buffer.alloc(4)
  size.writeInt32LE(credentialBytes)
  const { getsockopt } = openSocketOptions()
  const status = getsockopt(
    fd,
    socketLevel,
    peerCredentials,
    getAddress(credentials),
    getAddress(size),
  )
  if (status !== 0 || size.readInt32LE() !== credentialBytes) {
    throw new Error('Cannot learn the account at the other end of the socket')
  }
  return credentials.readUInt32LE(4)
}
