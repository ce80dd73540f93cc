/** A real pcscd with the two readers of vpcd. A machine, or a pair of mount and network namespaces, has one: its socket and their ports are fixed. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'

/** vpcd's readers, as Debian configures them. */
export const readerNames = ['Virtual PCD 00 00', 'Virtual PCD 00 01'] as const
/** The ports on which they wait for their cards. */
export const cardPorts = [35_963, 35_964] as const

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

/** Takes the machine's lock, waiting for a test that has it, and starts pcscd. Throws when one runs that is not ours. */
export async function startPcscd(): Promise<Pcscd> {
  await mkdir(folder, { recursive: true })
  // flock(1) holds the lock as long as its child reads, which ends with this process, however that ends.
  const file = join(folder, 'test.lock')
  const lock = spawn('flock', [file, 'sh', '-c', 'echo; cat'], {
    stdio: ['pipe', 'pipe', 'ignore'],
  })
  await once(lock.stdout, 'data')
  let daemon: ChildProcess | undefined

  const pcscd: Pcscd = {
    async start(...options) {
      if (await acceptsConnections()) {
        throw new Error('Cannot start pcscd: one runs already that this test did not start')
      }
      for (;;) {
        // setpriv(1) has it end with this process, however that ends.
        const command = ['--pdeathsig', 'KILL', 'pcscd', '--foreground', ...options]
        daemon = spawn('setpriv', command, { stdio: 'ignore' })
        await waitUntilAccepting(daemon)
        if (options.length > 0 || (await cardPortsListen())) return
        // Its ports are among those that the system lends: for a minute one may be somebody's who is gone.
        await pcscd.stop()
        await setTimeout(500)
      }
    },
    async stop(signal = 'SIGTERM') {
      if (daemon && daemon.exitCode === null && daemon.signalCode === null) {
        const ended = once(daemon, 'exit')
        daemon.kill(signal)
        await ended
      }
      daemon = undefined
    },
    async close() {
      await pcscd.stop()
      const ended = once(lock, 'exit')
      lock.stdin.end()
      await ended
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
async function waitUntilAccepting(daemon: ChildProcess): Promise<void> {
  // Not by watching the folder: the socket appears a moment before it is listened on, and nothing changes there then.
  while (!(await acceptsConnections())) {
    if (daemon.exitCode !== null) {
      throw new Error(`Cannot start pcscd: it ended with ${daemon.exitCode}`)
    }
    await setTimeout(10)
  }
}

/** Whether vpcd got its ports: it opens them, on every address, before pcscd answers (proc_net_tcp(5)). */
async function cardPortsListen(): Promise<boolean> {
  const lines = (await readFile('/proc/net/tcp', 'utf8')).split('\n')
  return cardPorts.every((port) => {
    const address = `:${port.toString(16).toUpperCase()}`
    return lines.some((line) => {
      const [, local, , state] = line.trim().split(/ +/)
      return local?.endsWith(address) === true && state === listeningState
    })
  })
}
const listeningState = '0A'

/** Whether a pcscd answers at the socket. */
const acceptsConnections = () =>
  new Promise<boolean>((resolve) => {
    const attempt = connect({ path: socket }, () => {
      attempt.destroy()
      resolve(true)
    })
    attempt.once('error', () => resolve(false))
  })
