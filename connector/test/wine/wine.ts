/** Runs programs for Windows under Wine, in a prefix of their own. */
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { makeShared } from '../../../test/bed/shared-folder.ts'

const run = promisify(execFile)
const setup = fileURLToPath(new URL('./setup.sh', import.meta.url))
// A prefix that `setup.sh` made before, and stays as it is. The connector would take the name for a setting.
const { TEST_WINE_PREFIX: made, ...environment } = process.env
const wine64 = '/usr/lib/wine/wine64'

const unmanaged = ['HKCU\\Software\\Wine\\X11 Driver', '/v', 'Managed', '/d', 'N', '/f']

export interface Wine {
  readonly prefix: string
  /**
   * Starts a program; `env` goes on top of this process's. Files of this machine are `Z:` there. `output`: a file instead
   * of pipes, for who reads to the end: Wine's own desktop holds the pipes of the first program that needs it.
   */
  start(
    program: string,
    args: readonly string[],
    env?: Readonly<Record<string, string>>,
    output?: number,
  ): ChildProcess
  /** Ends everything that runs in the prefix. */
  stop(): Promise<void>
}

/** The path as programs under Wine write it. */
export const windowsPath = (path: string) => `Z:${path.replaceAll('/', '\\')}`

/** The prefix that a run makes once. */
async function makePrefix(): Promise<string> {
  const shared = await makeShared('wine-prefix', async (draft) => {
    await run('bash', [setup, join(draft, 'prefix')])
  })
  return join(shared, 'prefix')
}

/** What Wine, or a test, writes in place. */
const writtenFiles = [
  ...['system.reg', 'user.reg', 'userdef.reg'],
  'drive_c/windows/system32/winscard.dll',
]

/** A copy that shares the files that never change: 700 MB, which the disk would have to take for each prefix. */
async function linkPrefix(shared: string, prefix: string): Promise<void> {
  await run('cp', ['--archive', '--link', shared, prefix])
  for (const file of writtenFiles)
    await run('cp', ['--remove-destination', join(shared, file), join(prefix, file)])
}

interface WineOptions {
  /** Whether it waits for a window manager, two seconds at each window where there is none; default: true. */
  readonly hasManagedWindows?: boolean
}

/** Makes a prefix in the folder `prefix`; the first time on a machine it installs Wine. Throws when it cannot be had. */
export async function openWine(
  prefix: string,
  { hasManagedWindows = true }: WineOptions = {},
): Promise<Wine> {
  await linkPrefix(made ?? (await makePrefix()), prefix)
  // A scripted card service in the place of Wine's winscard.dll: by its name alone Wine prefers its own.
  const overrides = { WINEDLLOVERRIDES: 'winscard=n,b' }
  const wineEnv = { ...environment, WINEPREFIX: prefix, WINEDEBUG: '-all', ...overrides }
  if (!hasManagedWindows) await run(wine64, ['reg', 'add', ...unmanaged], { env: wineEnv })
  return {
    prefix,
    start: (program, args, env = {}, output) =>
      spawn(wine64, [program, ...args], {
        env: { ...wineEnv, ...env },
        stdio: ['ignore', output ?? 'pipe', output ?? 'pipe'],
      }),
    stop: async () => {
      // Its exit status says whether there was anything to end.
      await run('/usr/lib/wine/wineserver64', ['-k', '-w'], { env: wineEnv }).catch(() => undefined)
    },
  }
}
