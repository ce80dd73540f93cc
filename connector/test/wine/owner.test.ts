/** Whose a connection is on Windows, by the real tables and tokens, as far as Wine has them. */
import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openWine, type Wine, windowsPath } from './wine.ts'

const act = fileURLToPath(new URL('./owner-act.ts', import.meta.url))

let folder = ''
let wine: Wine
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cardwire-owner-'))
  wine = await openWine(join(folder, 'prefix'))
  const target = ['--compile', '--target=bun-windows-x64', `--outfile=${join(folder, 'act.exe')}`]
  await promisify(execFile)(process.execPath, ['build', ...target, act])
}, 600_000)
afterAll(async () => {
  await wine.stop()
  await rm(folder, { recursive: true })
})

async function output(program: string, ...args: readonly string[]): Promise<string> {
  const { stdout } = wine.start(program, args)
  return stdout ? text(stdout) : ''
}

test('a connection of our own process is ours, by the SID of the person', async () => {
  const lines = (await output(windowsPath(join(folder, 'act.exe')))).trim().split('\n')
  const [four, six] = lines.map((line) => JSON.parse(line))
  // The registry of Windows has the persons who are logged in by their SIDs.
  const user = /S-1-5-21[-\d]+/.exec(await output('reg', 'query', 'HKU'))?.[0]

  expect(user).toBeDefined()
  expect(four).toEqual({
    host: '127.0.0.1',
    us: { kind: 'ours', user },
    somebody: { kind: 'other', user },
    otherPort: { kind: 'unknown' },
    otherAddress: { kind: 'unknown' },
  })
  // Wine 8 lists connections over IPv6 without their processes; what it does not list it does not know.
  const unknown = { kind: 'unknown' }
  expect(six).toMatchObject({ host: '::1', us: unknown, somebody: unknown })
})
