/** The local page on Windows, under Wine: it is for the user alone, and starts the connector. */
import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findFreePort } from '../../../test/bed/free-port.ts'
import { waitForValue } from '../../../test/bed/wait-for.ts'
import { buildConnector, buildProgram } from './build-program.ts'
import { openWine, type Wine, windowsPath } from './wine.ts'

let folder = ''
let wine: Wine
let program = ''
let client = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cardwire-open-'))
  wine = await openWine(join(folder, 'prefix'))
  program = join(folder, 'cardwire.exe')
  await buildConnector(program)
  client = join(folder, 'client.exe')
  await buildProgram(fileURLToPath(new URL('./open-page-program.ts', import.meta.url)), client)
})
afterAll(async () => {
  await wine?.stop()
  await rm(folder, { recursive: true, force: true, maxRetries: 10 })
})

test('a process of this user is shown that the connector runs, which was started for it', async () => {
  const opened = wine.start(windowsPath(program), ['open', '--no-browser', '--json'], {
    CARDWIRE_API_PORTS: '26200-26999',
    CARDWIRE_REGISTRY_PORT: String(await findFreePort()),
  })
  let output = ''
  opened.stdout?.on('data', (part) => {
    output += String(part)
  })
  const address = await waitForValue(
    () => /"address":"([^"]+)"/.exec(output)?.[1],
    () => `it ${opened.exitCode === null ? 'runs' : 'ended'}, and printed: ${output}`,
  )
  // Windows does not know a process of this machine's own system: it is nobody, and is refused.
  const stranger = await promisify(execFile)('curl', ['-s', new URL(address).origin])
  expect(stranger.stdout).toBe(
    '{"reason":"This page belongs to another user of this computer. Open Cardwire in your own account."}',
  )

  const { stdout } = wine.start(windowsPath(client), [address])
  let clientOutput = ''
  stdout?.on('data', (part) => {
    clientOutput += String(part)
  })
  // Not its end: a desktop of Wine that it started would hold the pipe open.
  await expect.poll(() => clientOutput).toContain('\nview {')
  expect(clientOutput).toMatch(/^page 200\r?\nsession 200\r?\nview \{/)
  expect(JSON.parse(/view (.*)/.exec(clientOutput)?.[1] ?? '')).toMatchObject({
    connector: 'running',
  })
})
