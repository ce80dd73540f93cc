/** Desktop sessions for tests, without a screen: Xvfb for X11, sway for Wayland. */
import { chmodSync, chownSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export interface Session {
  /** What a program of the session finds in its environment; no other session shines through. */
  readonly environment: Readonly<Record<string, string>>
  /** Runs a program in the session to its end; what it printed. Throws when it fails. */
  run(command: readonly string[], input?: string | Uint8Array): Promise<string>
  /** Starts a program that ends with the session at the latest. */
  start(
    command: readonly string[],
    input?: string | Uint8Array,
  ): Bun.Subprocess<'pipe', 'pipe', 'pipe'>
  stop(): Promise<void>
}

/** An X server on a display that was free, with nothing on it. */
export async function startX11(variables: Readonly<Record<string, string>> = {}): Promise<Session> {
  const home = mkdtempSync(join(tmpdir(), 'cardwire-x11-'))
  // Without -noreset it starts anew whenever its last client goes, and refuses those that come meanwhile.
  const args = ['-screen', '0', '1024x768x24', '-nolisten', 'tcp', '-displayfd', '1', '-noreset']
  const server = spawn(['Xvfb', ...args], { PATH: path })
  const number = (await firstLine(server)).trim()
  return session(home, server, { DISPLAY: `:${number}`, ...variables })
}

/** A Wayland compositor that draws nowhere. */
export async function startWayland(): Promise<Session> {
  const home = mkdtempSync(join(tmpdir(), 'cardwire-wayland-'))
  const config = join(home, 'config')
  writeFileSync(config, 'xwayland disable\nexec echo "$WAYLAND_DISPLAY"\n')
  chmodSync(home, 0o700)
  // sway refuses to run as root.
  const nobody = 65_534
  const asNobody = ['setpriv', `--reuid=${nobody}`, `--regid=${nobody}`, '--clear-groups']
  const isRoot = process.getuid?.() === 0
  if (isRoot) chownSync(home, nobody, nobody)
  const server = spawn([...(isRoot ? asNobody : []), 'sway', '--config', config], {
    PATH: path,
    HOME: home,
    XDG_RUNTIME_DIR: home,
    WLR_BACKENDS: 'headless',
    WLR_RENDERER: 'pixman',
    WLR_LIBINPUT_NO_DEVICES: '1',
  })
  const display = (await firstLine(server)).trim()
  return session(home, server, { WAYLAND_DISPLAY: display, XDG_RUNTIME_DIR: home })
}

const path = process.env['PATH'] ?? '/usr/bin:/bin'

function session(
  home: string,
  server: Bun.Subprocess,
  variables: Readonly<Record<string, string>>,
): Session {
  const environment = {
    PATH: path,
    HOME: home,
    LANG: 'C.UTF-8',
    // Nobody starts a bus on the quiet, or reads windows aloud over it.
    DBUS_SESSION_BUS_ADDRESS: 'disabled:',
    NO_AT_BRIDGE: '1',
    ...variables,
  }
  const started: Bun.Subprocess[] = []
  const start: Session['start'] = (command, input = '') => {
    const child = spawn(command, environment, input)
    started.push(child)
    return child
  }
  return {
    environment,
    start,
    async run(command, input) {
      const child = start(command, input)
      const [output, said, status] = await Promise.all([
        new Response(child.stdout).text(),
        new Response(child.stderr).text(),
        child.exited,
      ])
      if (status !== 0) throw new Error(`${command[0]} ended with ${status}: ${said}`)
      return output
    },
    async stop() {
      for (const child of started) child.kill('SIGKILL')
      await Promise.all(started.map((child) => child.exited))
      server.kill()
      await server.exited
      rmSync(home, { recursive: true, force: true })
    },
  }
}

function spawn(
  command: readonly string[],
  env: Readonly<Record<string, string>>,
  input: string | Uint8Array = '',
) {
  // setpriv(1) has it end with this process, however that ends.
  const child = Bun.spawn(['setpriv', '--pdeathsig', 'KILL', ...command], {
    env,
    stdin: 'pipe',
    stdout: 'pipe',
    stderr: 'pipe',
  })
  child.stdin.write(input)
  // A program that reads nothing may have ended before.
  void Promise.resolve(child.stdin.end()).catch(() => undefined)
  return child
}

/** What a server says when it is ready. */
async function firstLine(server: Bun.Subprocess<'pipe', 'pipe', 'pipe'>): Promise<string> {
  const { value } = await server.stdout.getReader().read()
  if (value) return new TextDecoder().decode(value)
  throw new Error(`Cannot start a part of a session: ${await new Response(server.stderr).text()}`)
}

/** Starts a program that listens, and waits for its first line. */
export async function startAndHear(session: Session, command: readonly string[]): Promise<string> {
  return (await firstLine(session.start(command))).trim()
}

/** Waits until what a program of a session answers is what is wanted; the program's own start is the pace. */
export async function until(holds: () => Promise<boolean>): Promise<void> {
  const end = performance.now() + 20_000
  while (!(await holds())) {
    if (performance.now() > end) throw new Error('Cannot wait any longer: it never came to be')
  }
}
