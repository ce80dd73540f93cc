/** `cardwire install-update` on Windows, under Wine: an administrator may be in a folder where a user has put programs. */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { proves } from '../../../test/bed/proves.ts'
import { compiler } from '../../packages/windows/native.ts'
import { buildConnector } from './build-program.ts'
import { openWine, type Wine, windowsPath } from './wine.ts'

let folder = ''
let wine: Wine
let program = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cardwire-install-'))
  wine = await openWine(join(folder, 'prefix'))
  program = join(folder, 'cardwire.exe')
  await buildConnector(program)
})
afterAll(async () => {
  await wine?.stop()
  await rm(folder, { recursive: true, force: true, maxRetries: 10 })
})

test('the installer of the system is started, and no program of that name in the current folder', async () => {
  proves('msiexec-planted')
  const downloads = join(folder, 'downloads')
  mkdirSync(downloads)
  const planted = fileURLToPath(new URL('./scripted-connector.c', import.meta.url))
  execFileSync(compiler, ['-O2', '-static', planted, '-o', join(downloads, 'msiexec.exe')])
  writeFileSync(join(downloads, 'codes.txt'), '0')
  const bytes = Buffer.from('d0cf11e0a1b11ae1', 'hex')
  writeFileSync(join(downloads, 'update.msi'), bytes)
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  const update = windowsPath(join(downloads, 'update.msi'))
  const line = [windowsPath(program), 'install-update', '4.0.0', update, sha256].join(' ')
  const child = wine.start('cmd', ['/c', `cd /d ${windowsPath(downloads)} && ${line}`])
  const output = child.stdout ? await text(child.stdout) : ''

  expect(output).toMatch(/Running C:\\windows\\system32\\msiexec\.exe/i)
  expect(existsSync(join(downloads, 'runs.txt'))).toBe(false)
})
