/** The binary for Windows, under Wine: its certificates and the root stores by the real calls of crypt32. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { proves } from '../../../test/bed/proves.ts'
import { buildProgram } from '../wine/build-program.ts'
import { openWine, type Wine, windowsPath } from '../wine/wine.ts'

describe('the root stores of Windows', () => {
  let work: string
  let wine: Wine
  beforeAll(async () => {
    work = mkdtempSync(join(tmpdir(), 'cardwire-wine-'))
    await buildProgram(join(import.meta.dirname, 'windows-program.ts'), join(work, 'act.exe'))
    wine = await openWine(join(work, 'prefix'))
  })
  afterAll(async () => {
    await wine?.stop()
    rmSync(work, { recursive: true, force: true })
  })

  /** Runs the program to its end; its steps by name. */
  async function act(folder: string, scope: string): Promise<Readonly<Record<string, unknown>>> {
    const { stdout } = wine.start(windowsPath(join(work, 'act.exe')), [folder, scope])
    if (!stdout) throw new Error('Expected a pipe')
    const steps = (await text(stdout)).trim().split(/\r?\n/)
    const pairs = steps.map((line): [string, unknown] => {
      const { step, answer }: { step: string; answer: unknown } = JSON.parse(line)
      return [step, answer]
    })
    return Object.fromEntries(pairs)
  }

  test.each(['machine', 'user'])(
    'a root goes into the store of the %s, is replaced, and goes',
    async (scope) => {
      proves('elevated-user-settings')
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
        // Of a name that only the user has set.
        named: [{ store, scope, trusted: scope === 'user' }],
      })
    },
  )
})
