/** A reader with a key pad for a real pcscd: an IFD handler of our own asks a test what its card answers, and what is typed. */
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { startPcscd } from '../../../test/bed/pcscd.ts'
import type { EmulatedCard } from '../../src/sandbox/virtual-card/piv-card.ts'

const run = promisify(execFile)
const source = fileURLToPath(new URL('./ifd-handler.c', import.meta.url))

/** What the user does at the pad: the digits, or why there are none, as the status word of the reader (hex). */
export type PadEntry =
  | { readonly digits: string }
  | { readonly status: string }
  /** Nothing, until the next entry. */
  | 'wait'

export interface PadReader {
  readonly name: string
  /** Starts pcscd with this reader and those besides it, and with no other. */
  start(): Promise<{ close(): Promise<void> }>
  insert(
    card: Partial<EmulatedCard> & Pick<EmulatedCard, 'atr'>,
  ): Promise<{ remove(): Promise<void> }>
  /** What is done from now on, and where the pad waits. */
  enter(entry: PadEntry): void
  /** Each PIN_VERIFY structure that the reader was given, hex. */
  readonly verifications: readonly string[]
  stop(): Promise<void>
}

/** `besides`: a file with the configuration of further readers. */
export async function openPadReader({
  besides,
}: {
  readonly besides?: string
} = {}): Promise<PadReader> {
  const folder = await mkdtemp(join(tmpdir(), 'cardwire-pad-'))
  const library = join(folder, 'libpad.so')
  const strict = ['-std=gnu11', '-Wall', '-Wextra', '-Werror', '-O1']
  await run('cc', [...strict, '-shared', '-fPIC', '-I/usr/include/PCSC', '-o', library, source])
  const verifications: string[] = []
  let card: Parameters<PadReader['insert']>[0] | undefined
  let entry = Promise.withResolvers<Uint8Array>()
  let isWaiting = true

  const answer = async (letter: string, bytes: Uint8Array): Promise<Uint8Array> => {
    if (letter === 'V') {
      verifications.push(Buffer.from(bytes).toString('hex').toUpperCase())
      return entry.promise
    }
    if (!card) return new Uint8Array()
    if (letter === 'C') return Uint8Array.of(1)
    if (letter === 'T') return card.respond?.(bytes) ?? new Uint8Array()
    card.reset?.()
    return Buffer.from(card.atr, 'hex')
  }
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined)
    socket.setNoDelay()
    readRequests(socket, answer)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const config = join(folder, 'reader.conf')
  const lines = ['FRIENDLYNAME "Pad Reader"', `DEVICENAME /dev/null:${port}`, `LIBPATH ${library}`]
  const others = besides === undefined ? '' : await readFile(besides, 'utf8')
  await writeFile(config, [...lines, 'CHANNELID 1', '', others].join('\n'))

  return {
    name: 'Pad Reader 00 00',
    verifications,
    async start() {
      const pcscd = await startPcscd()
      await pcscd.stop()
      await pcscd.start('--config', config)
      return pcscd
    },
    async insert(inserted) {
      card = inserted
      return {
        async remove() {
          card = undefined
        },
      }
    },
    enter(next) {
      if (next === 'wait') {
        if (!isWaiting) entry = Promise.withResolvers()
        isWaiting = true
        return
      }
      const typed =
        'digits' in next
          ? Buffer.from(`D${next.digits}`)
          : Buffer.concat([Buffer.from('S'), Buffer.from(next.status, 'hex')])
      if (isWaiting) entry.resolve(typed)
      else entry = { ...Promise.withResolvers(), promise: Promise.resolve(typed) }
      isWaiting = false
    },
    async stop() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** A letter, two bytes of length, and so many bytes; the answer has no letter. The handler asks one thing at a time. */
function readRequests(
  socket: Socket,
  answer: (letter: string, bytes: Uint8Array) => Promise<Uint8Array>,
): void {
  let received = Buffer.alloc(0)
  socket.on('data', async (chunk) => {
    received = Buffer.concat([received, chunk])
    if (received.length < 3 || received.length < 3 + received.readUInt16BE(1)) return
    const [letter, bytes] = [received.toString('latin1', 0, 1), received.subarray(3)]
    received = Buffer.alloc(0)
    const answered = await answer(letter, bytes)
    const head = Buffer.alloc(2)
    head.writeUInt16BE(answered.length)
    socket.write(Buffer.concat([head, answered]))
  })
}
