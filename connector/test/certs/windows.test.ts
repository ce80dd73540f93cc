/** The binary for Windows, under Wine: its certificates and the root stores by the real calls of crypt32. */
import { execFile, execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

const wine = '/usr/lib/wine/wine64'
// A prefix that can run binaries of Bun; made beforehand, because that takes a minute and a compiler.
const prefix = process.env['TEST_WINE_PREFIX']
const program = join(import.meta.dirname, 'windows-program.ts')

describe.runIf(prefix !== undefined && existsSync(wine))('the root stores of Windows', () => {
  let work: string
  beforeAll(() => {
    work = mkdtempSync(join(tmpdir(), 'cardwire-wine-'))
    const target = ['build', '--compile', '--target=bun-windows-x64', program]
    execFileSync(process.execPath, [...target, '--outfile', join(work, 'act.exe')], {
      stdio: 'ignore',
    })
    // A prefix of our own: the registry of the given one stays as it is.
    execFileSync('cp', ['-r', prefix ?? '', join(work, 'prefix')])
  })
  afterAll(() => {
    // The server of this prefix writes its registry when it ends: it is ended, and waited for.
    for (const act of ['-k', '-w'])
      spawnSync('/usr/lib/wine/wineserver64', [act], { env: environment(), stdio: 'ignore' })
    rmSync(work, { recursive: true, force: true })
  })
  const environment = () => ({
    ...process.env,
    WINEPREFIX: join(work, 'prefix'),
    WINEDEBUG: '-all',
  })

  /** Runs the program to its end; its steps by name. */
  function act(folder: string, scope: string): Promise<Readonly<Record<string, unknown>>> {
    return new Promise((resolve, reject) =>
      execFile(
        wine,
        [join(work, 'act.exe'), folder, scope],
        { env: environment(), encoding: 'utf8' },
        (error, output) => {
          if (error) return reject(new Error(`${error.message}\n${output}`))
          const steps = output.trim().split(/\r?\n/)
          const pairs = steps.map((line): [string, unknown] => {
            const { step, answer }: { step: string; answer: unknown } = JSON.parse(line)
            return [step, answer]
          })
          resolve(Object.fromEntries(pairs))
        },
      ),
    )
  }

  test.each(['machine', 'user'])(
    'a root goes into the store of the %s, is replaced, and goes',
    async (scope) => {
      const steps = await act(`C:\\certs-${scope}`, scope)
      const store = `windows:${scope}`
      expect(steps).toMatchObject({
        ensure: expect.stringMatching(/^[0-9a-f]{64}$/),
        status: { trust: [{ store, trusted: false }] },
        install: [{ store, scope, trusted: true }],
        verified: true,
        other: false,
        renew: { renewed: true, rootReplaced: true, trust: [{ store, trusted: true }] },
        uninstall: { removed: true, trust: [{ store, trusted: false }] },
      })
    },
  )
})
