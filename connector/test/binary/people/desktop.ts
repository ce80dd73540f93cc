/** The desktop of one account: an X display that nobody else may open, and its clipboard. */
import { spawn, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { chmod, chown, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, vi } from 'vitest'
import type { Account } from '../accounts.ts'

export interface Desktop {
  /** What a program of the person finds in its environment. */
  readonly environment: { readonly DISPLAY: string; readonly XAUTHORITY: string }
  /** Puts a text on the clipboard, where it stays until another comes. */
  copy(text: string): Promise<void>
  /** What is on the clipboard, read as this account; undefined where the display does not let it. */
  clipboardAs(account: Account): string | undefined
  stop(): Promise<void>
}

export async function startDesktop(account: Account): Promise<Desktop> {
  const { uid, gid, home } = account
  // The sockets of every display lie here; the first server that root starts makes it.
  await mkdir(sockets, { recursive: true })
  await chmod(sockets, 0o1777)
  const authority = join(home, '.Xauthority')
  await writeFile(authority, cookie(), { mode: 0o600 })
  await chown(authority, uid, gid)
  const server = spawn(
    'Xvfb',
    [
      ...['-displayfd', '3', '-auth', authority, '-screen', '0', '1024x768x24'],
      ...['-nolisten', 'tcp', '-noreset'],
    ],
    {
      uid,
      gid,
      env: { PATH: '/usr/bin:/bin', HOME: home },
      stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
    },
  )
  const told = server.stdio[3]
  if (!told) throw new Error('Cannot hear of the display')
  const [part] = (await once(told, 'data')) as [Buffer]
  const environment = { DISPLAY: `:${part.toString().trim()}`, XAUTHORITY: authority }
  const clipboardAs = (reader: Account) => {
    const { status, stdout } = spawnSync('xclip', ['-selection', 'clipboard', '-out'], {
      uid: reader.uid,
      gid: reader.gid,
      env: { PATH: '/usr/bin:/bin', HOME: reader.home, ...environment },
      encoding: 'utf8',
      timeout: 10_000,
    })
    return status === 0 ? stdout : undefined
  }
  return {
    environment,
    clipboardAs,
    async copy(text) {
      // Ends when another program owns the clipboard, or with the display.
      const owner = spawn('xclip', ['-selection', 'clipboard', '-in', '-quiet'], {
        uid,
        gid,
        env: { PATH: '/usr/bin:/bin', HOME: home, ...environment },
        stdio: ['pipe', 'ignore', 'ignore'],
      })
      owner.stdin?.end(text)
      await vi.waitFor(() => expect(clipboardAs(account)).toBe(text), { timeout: 10_000 })
    },
    async stop() {
      const ended = once(server, 'exit')
      server.kill()
      await ended
    },
  }
}

const sockets = '/tmp/.X11-unix'

/** An entry of Xauthority for every address and display (libXau, Xauth.h): FamilyWild, and a cookie. */
function cookie(): Buffer {
  const counted = (bytes: Uint8Array) =>
    Buffer.concat([Buffer.from([bytes.length >> 8, bytes.length & 255]), bytes])
  const parts = [
    Buffer.alloc(0),
    Buffer.alloc(0),
    Buffer.from('MIT-MAGIC-COOKIE-1'),
    randomBytes(16),
  ]
  return Buffer.concat([Buffer.from([255, 255]), ...parts.map(counted)])
}
