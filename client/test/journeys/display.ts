/** An X display of its own, with a clipboard of its own. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { environmentOf, type Settings, type Start } from './program.ts'
import { becomes } from './wait.ts'

export interface Display {
  /** What programs on it find in their environment. */
  readonly settings: Settings
  clipboard(): string
  /** Puts a text on the clipboard, where it stays until another comes. */
  copy(text: string): Promise<void>
  stop(): Promise<void>
}

export async function startDisplay({ account, home }: Start = {}): Promise<Display> {
  const person = {
    env: environmentOf(home),
    ...(account && { uid: account.uid, gid: account.gid }),
  }
  const options = ['-screen', '0', '1280x1024x24', '-nolisten', 'tcp', '-noreset']
  // setpriv(1) has it end with this process, however that ends.
  const command = ['--pdeathsig', 'KILL', 'Xvfb', '-displayfd', '3', ...options]
  const server: ChildProcess = spawn('setpriv', command, {
    ...person,
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  })
  const told = server.stdio[3]
  if (!told) throw new Error('Cannot hear of the display')
  const [part] = await once(told, 'data')
  const settings = { DISPLAY: `:${String(part).trim()}` }
  const env = { ...person.env, ...settings }

  const clipboard = (): string =>
    spawnSync('xclip', ['-selection', 'clipboard', '-out'], {
      ...person,
      env,
      timeout: 5000,
    }).stdout.toString()

  return {
    settings,
    clipboard,
    async copy(text) {
      // Stays in front until another program owns the clipboard, or the display goes.
      const owner = spawn('xclip', ['-selection', 'clipboard', '-in', '-quiet'], {
        ...person,
        env,
        stdio: ['pipe', 'ignore', 'ignore'],
      })
      owner.stdin?.end(text)
      await becomes(clipboard, text)
    },
    async stop() {
      const ended = once(server, 'exit')
      server.kill()
      await ended
    },
  }
}
