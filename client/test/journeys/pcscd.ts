/** A real pcscd with a reader of vpcd, one a machine, and a card that goes into it. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { watch } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** As Debian configures vpcd's first reader, and the port on which it waits for its card. */
export const readerName = 'Virtual PCD 00 00'
const cardPort = 35_963

const folder = '/run/pcscd'
const socket = join(folder, 'pcscd.comm')

/** Takes the machine's lock, waiting for whoever has it, and starts pcscd; gives what ends both. */
export async function startPcscd(): Promise<() => Promise<void>> {
  // flock(1) holds the lock as long as its child reads, which ends with this process, however that ends.
  const file = join(tmpdir(), 'cardwire-pcscd.lock')
  const lock = spawn('sh', ['-c', `exec flock ${file} sh -c 'echo; cat'`], {
    stdio: ['pipe', 'pipe', 'ignore'],
  })
  await once(lock.stdout, 'data')
  let daemon: ChildProcess | undefined
  const stop = async () => {
    if (daemon && daemon.exitCode === null && daemon.signalCode === null) {
      const ended = once(daemon, 'exit')
      daemon.kill()
      await ended
    }
    const free = once(lock, 'exit')
    lock.stdin.end()
    await free
  }
  try {
    await mkdir(folder, { recursive: true })
    if (await accepts({ path: socket })) {
      throw new Error('Cannot start pcscd: one runs already that this test did not start')
    }
    // setpriv(1) has it end with this process, however that ends.
    daemon = spawn('setpriv', ['--pdeathsig', 'KILL', 'pcscd', '--foreground'], { stdio: 'ignore' })
    await untilAccepts(daemon)
    return stop
  } catch (error) {
    await stop()
    throw error
  }
}

/** The socket of a killed pcscd stays, and nobody answers it. */
async function untilAccepts(daemon: ChildProcess): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const look = async () => {
    if (await accepts({ path: socket })) resolve()
  }
  const watcher = watch(folder, () => void look())
  daemon.once('exit', (code) => reject(new Error(`Cannot start pcscd: it ended with ${code}`)))
  await look()
  await promise.finally(() => watcher.close())
}

const accepts = (address: { readonly path: string }): Promise<boolean> =>
  new Promise((resolve) => {
    const attempt = connect(address, () => {
      attempt.destroy()
      resolve(true)
    })
    attempt.once('error', () => resolve(false))
  })

/** Puts a card with this ATR into the reader; gives what takes it out. */
export async function insertCard(atr: string): Promise<() => Promise<void>> {
  const answer = Buffer.from(atr, 'hex')
  const line = connect(cardPort, '127.0.0.1')
  await once(line, 'connect')
  // Messages are a length of two bytes, big-endian, and a payload; one byte is a control (virtualsmartcard, vpcd.h).
  let received = Buffer.alloc(0)
  line.on('data', (chunk) => {
    received = Buffer.concat([received, chunk])
    while (received.length >= 2 && received.length >= 2 + received.readUInt16BE()) {
      const end = 2 + received.readUInt16BE()
      const message = received.subarray(2, end)
      received = received.subarray(end)
      if (message.length > 1) line.write(framed(Buffer.of(0x6d, 0x00)))
      else if (message[0] === giveAtr) line.write(framed(answer))
    }
  })
  return async () => {
    const closed = once(line, 'close')
    line.destroy()
    await closed
  }
}

const giveAtr = 4

function framed(payload: Buffer): Buffer {
  const length = Buffer.alloc(2)
  length.writeUInt16BE(payload.length)
  return Buffer.concat([length, payload])
}
