/** Desktop sessions for tests, without a screen: Xvfb for X11, sway for Wayland. */
import { chmodSync, chownSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Screen, startDisplay } from '../../../test/bed/display.ts'
import {
  createEnvironment,
  type Program,
  runProgram,
  type Settings,
  startProgram,
} from '../../../test/bed/program.ts'
import { createWindows, type Windows } from '../../../test/bed/windows.ts'

export interface Session {
  /** What a program of the session finds in its environment; no other session shines through. */
  readonly environment: Settings
  /** The windows on its display of X11. */
  readonly windows: Windows
  /** Runs a program in the session to its end; what it printed. Throws when it fails. */
  run(command: readonly string[]): Promise<string>
  /** Starts a program that ends with the session at the latest. */
  start(command: readonly string[], input?: string | Uint8Array): Program
  stop(): Promise<void>
}

/** An X server on a display that was free, with nothing on it. */
export async function startX11(screen?: Screen): Promise<Session> {
  const display = await startDisplay(undefined, screen)
  return createSession(mkdtempSync(join(tmpdir(), 'cardwire-x11-')), display, display.settings)
}

/** A Wayland compositor that draws nowhere. */
export async function startWayland(): Promise<Session> {
  const home = mkdtempSync(join(tmpdir(), 'cardwire-wayland-'))
  const config = join(home, 'config')
  writeFileSync(config, 'xwayland disable\nexec echo "$WAYLAND_DISPLAY"\n')
  chmodSync(home, 0o700)
  // sway refuses to run as root.
  const nobody = { uid: 65_534, gid: 65_534 }
  const isRoot = process.getuid?.() === 0
  if (isRoot) chownSync(home, nobody.uid, nobody.gid)
  const server = startProgram(['sway', '--config', config], {
    ...(isRoot && { account: nobody }),
    env: createEnvironment(home, {
      XDG_RUNTIME_DIR: home,
      WLR_BACKENDS: 'headless',
      WLR_RENDERER: 'pixman',
      WLR_LIBINPUT_NO_DEVICES: '1',
    }),
  })
  const [name] = await server.waitForOutput(/^wayland-\d+$/m)
  return createSession(home, server, { WAYLAND_DISPLAY: name, XDG_RUNTIME_DIR: home })
}

function createSession(
  home: string,
  server: { stop(): Promise<unknown> },
  settings: Settings,
): Session {
  // Nobody reads windows aloud over a bus.
  const environment = createEnvironment(home, { NO_AT_BRIDGE: '1', ...settings })
  const started: Program[] = []
  return {
    environment,
    windows: createWindows(environment),
    start(command, input) {
      const program = startProgram(command, { env: environment, input })
      started.push(program)
      return program
    },
    async run(command) {
      const { status, out, err } = await runProgram(command, { env: environment })
      if (status !== 0) throw new Error(`${command[0]} ended with ${status}: ${err}`)
      return out
    },
    async stop() {
      await Promise.all(started.map((program) => program.stop('SIGKILL')))
      await server.stop()
      rmSync(home, { recursive: true, force: true })
    },
  }
}
