/** An X display of its own, with a clipboard of its own. */
import { spawn, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { chmod, chown, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Account } from './accounts.ts'
import { createEnvironment, type Settings } from './program.ts'
import { waitFor } from './wait-for.ts'

export interface Display {
  /** What programs on it find in their environment. */
  readonly settings: Settings
  /** What is on the clipboard, read as this account; undefined where the display does not let it. */
  readClipboard(reader?: Account): string | undefined
  /** Puts a text on the clipboard, where it stays until another comes. */
  copy(text: string): Promise<void>
  stop(): Promise<void>
}

export interface Screen {
  /** In pixels, such as `1280x720`. */
  readonly size?: string
  /** The folder of the file with all pixels (Xvfb, -fbdir). */
  readonly pixels?: string
}

/** With an account it is that account's, and nobody else may open it. */
export async function startDisplay(
  owner?: Account,
  { size = '1280x1024', pixels }: Screen = {},
): Promise<Display> {
  const authority = owner && (await createAuthority(owner))
  const options = ['-screen', '0', `${size}x24`, '-nolisten', 'tcp', '-noreset']
  // Without -noreset it starts anew whenever its last client goes, and refuses those that come meanwhile.
  const command = [
    'Xvfb',
    '-displayfd',
    '3',
    ...options,
    ...(authority ? ['-auth', authority] : []),
    ...(pixels === undefined ? [] : ['-fbdir', pixels]),
  ]
  // setpriv(1) has it end with this process, however that ends.
  const server = spawn('setpriv', ['--pdeathsig', 'KILL', ...command], {
    ...toSpawnOptions(owner),
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  })
  const number = server.stdio[3]
  if (!number) throw new Error('Cannot learn the number of the display')
  const [part] = await once(number, 'data')
  const settings: Settings = {
    DISPLAY: `:${String(part).trim()}`,
    ...(authority !== undefined && { XAUTHORITY: authority }),
  }
  const startXclip = (account: Account | undefined) => {
    const options = toSpawnOptions(account)
    return { ...options, env: { ...options.env, ...settings } }
  }
  const readClipboard: Display['readClipboard'] = (reader = owner) => {
    const { status, stdout } = spawnSync('xclip', ['-selection', 'clipboard', '-out'], {
      ...startXclip(reader),
      encoding: 'utf8',
      timeout: 60_000,
    })
    return status === 0 ? stdout : undefined
  }
  return {
    settings,
    readClipboard,
    async copy(text) {
      // Stays in front until another program owns the clipboard, or the display goes.
      const holder = spawn('xclip', ['-selection', 'clipboard', '-in', '-quiet'], {
        ...startXclip(owner),
        stdio: ['pipe', 'ignore', 'ignore'],
      })
      holder.stdin.end(text)
      await waitFor(() => readClipboard() === text)
    },
    async stop() {
      const ended = once(server, 'exit')
      server.kill()
      await ended
    },
  }
}

const toSpawnOptions = (account: Account | undefined) => ({
  env: createEnvironment(account?.home),
  ...(account && { uid: account.uid, gid: account.gid }),
})

/** The file without which nobody opens the display. */
async function createAuthority({ home, uid, gid }: Account): Promise<string> {
  // The sockets of every display lie here; the first server that root starts makes it.
  await mkdir('/tmp/.X11-unix', { recursive: true })
  await chmod('/tmp/.X11-unix', 0o1777)
  const path = join(home, '.Xauthority')
  await writeFile(path, createCookie(), { mode: 0o600 })
  await chown(path, uid, gid)
  return path
}

/** An entry of Xauthority for every address and display (libXau, Xauth.h): FamilyWild, and a cookie. */
function createCookie(): Buffer {
  const withLength = (bytes: Uint8Array) =>
    Buffer.concat([Buffer.from([bytes.length >> 8, bytes.length & 255]), bytes])
  const empty = Buffer.alloc(0)
  const parts = [empty, empty, Buffer.from('MIT-MAGIC-COOKIE-1'), randomBytes(16)]
  return Buffer.concat([Buffer.from([255, 255]), ...parts.map(withLength)])
}
