/** An X display of its own, with a clipboard that a person could have filled. */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { expect, vi } from 'vitest'

export interface Display {
  /** As the variable DISPLAY wants it. */
  readonly name: string
  /** Puts a text on the clipboard; it stays there until another comes. */
  copy(text: string): Promise<void>
  stop(): Promise<void>
}

export async function startDisplay(): Promise<Display> {
  const server = spawn(
    'Xvfb',
    ['-displayfd', '3', '-screen', '0', '800x600x24', '-nolisten', 'tcp', '-noreset'],
    {
      stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
    },
  )
  const told = server.stdio[3]
  if (!told) throw new Error('Cannot hear of the display')
  const [part] = (await once(told, 'data')) as [Buffer]
  const name = `:${part.toString().trim()}`
  return {
    name,
    async copy(text) {
      const environment = { DISPLAY: name }
      // Stays in front until another program owns the clipboard, or the display goes.
      const owner = spawn('xclip', ['-selection', 'clipboard', '-in', '-quiet'], {
        env: environment,
        stdio: ['pipe', 'ignore', 'ignore'],
      })
      owner.stdin?.end(text)
      await vi.waitFor(
        () => {
          const read = spawnSync('xclip', ['-selection', 'clipboard', '-out'], { env: environment })
          expect(read.stdout.toString()).toBe(text)
        },
        { timeout: 10_000 },
      )
    },
    async stop() {
      const ended = once(server, 'exit')
      server.kill()
      await ended
    },
  }
}
