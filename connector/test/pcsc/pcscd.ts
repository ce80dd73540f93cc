/** A real pcscd for tests: one a machine, because its socket and vpcd's ports are fixed. */
import { watch } from 'node:fs'
import { mkdir, readFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'

/** vpcd's two readers, as Debian configures them. */
export const readerNames = ['Virtual PCD 00 00', 'Virtual PCD 00 01'] as const
/** The ports on which they wait for their cards. */
export const cardPorts = [35963, 35964] as const

export interface Pcscd {
  /** Starts it again, with other options for once. Throws when one runs that is not ours. */
  start(...options: readonly string[]): Promise<void>
  /** Ends it as a crash would, or as its service manager does. */
  stop(signal?: 'SIGKILL' | 'SIGTERM'): Promise<void>
  /** Stops it, and lets the next test run have the machine. */
  close(): Promise<void>
}

const folder = '/run/pcscd'
const socket = join(folder, 'pcscd.comm')

/** Takes the machine's lock, waiting for whoever has it, and starts pcscd. Throws when one runs that is not ours. */
export async function startPcscd(): Promise<Pcscd> {
  // flock(1) holds the lock as long as its child reads, which ends with this process, however that ends.
  const lock = Bun.spawn(
    ['flock', join(tmpdir(), 'cardwire-pcscd.lock'), 'sh', '-c', 'echo; cat'],
    {
      stdin: 'pipe',
      stdout: 'pipe',
    },
  )
  await lock.stdout.getReader().read()
  await mkdir(folder, { recursive: true })
  let daemon: Bun.Subprocess | undefined

  const pcscd: Pcscd = {
    async start(...options) {
      if (await accepts({ path: socket })) {
        throw new Error('Cannot start pcscd: one runs already that this test did not start')
      }
      for (;;) {
        // setpriv(1) has it end with this process, however that ends.
        daemon = Bun.spawn(
          ['setpriv', '--pdeathsig', 'KILL', 'pcscd', '--foreground', ...options],
          {
            stdout: 'ignore',
            stderr: 'ignore',
          },
        )
        await untilAccepts(daemon)
        if (options.length > 0 || (await cardPortsListen())) return
        // Its ports are among those that the system lends: for a minute one may be somebody's who is gone.
        await pcscd.stop()
        await setTimeout(500)
      }
    },
    async stop(signal = 'SIGTERM') {
      daemon?.kill(signal)
      await daemon?.exited
      daemon = undefined
    },
    async close() {
      await pcscd.stop()
      lock.stdin.end()
      await lock.exited
    },
  }
  try {
    await pcscd.start()
  } catch (error) {
    await pcscd.close()
    throw error
  }
  return pcscd
}

/** Waits for the socket to appear and to be answered; a killed pcscd leaves one behind that nobody answers. */
async function untilAccepts(daemon: Bun.Subprocess): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const look = async () => {
    if (await accepts({ path: socket })) resolve()
  }
  const watcher = watch(folder, () => void look())
  void daemon.exited.then((code) => reject(new Error(`Cannot start pcscd: it ended with ${code}`)))
  await look()
  await promise.finally(() => watcher.close())
}

/** Whether vpcd got its ports: it opens them, on every address, before pcscd answers (proc_net_tcp(5)). */
async function cardPortsListen(): Promise<boolean> {
  const sockets = await readFile('/proc/net/tcp', 'utf8')
  return cardPorts.every((port) => {
    const address = `:${port.toString(16).toUpperCase()}`
    return sockets.split('\n').some((line) => {
      const [, local, , state] = line.trim().split(/ +/)
      return local?.endsWith(address) === true && state === listening
    })
  })
}
const listening = '0A'

/** Whether somebody answers at an address. */
const accepts = (address: { readonly path: string }) =>
  new Promise<boolean>((resolve) => {
    const attempt = connect(address.path)
    attempt.once('connect', () => resolve(true))
    attempt.once('error', () => resolve(false))
    attempt.once('connect', () => attempt.destroy())
  })
