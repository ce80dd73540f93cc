/** The proxy of Windows, read from a real registry, as far as Wine has one. */
import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openWine, type Wine, windowsPath } from './wine.ts'

const act = fileURLToPath(new URL('./proxy-act.ts', import.meta.url))
const key = 'HKCU\\Software\\Microsoft\\Windows\\CurrentVersion\\Internet Settings'

let folder = ''
let wine: Wine
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cardwire-proxy-'))
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

const set = (name: string, type: string, data: string) =>
  output('reg', 'add', key, '/v', name, '/t', type, '/d', data, '/f')
const told = async () => JSON.parse(await output(windowsPath(join(folder, 'act.exe'))))

test('the proxy of the person is told while it is switched on', async () => {
  expect(await told()).toBeNull()
  await set('ProxyServer', 'REG_SZ', 'proxy.company.example:8080')
  await set('ProxyOverride', 'REG_SZ', '*.company.example;<local>')
  await set('ProxyEnable', 'REG_DWORD', '1')
  const server = 'proxy.company.example:8080'
  const exceptions = ['*.company.example', '<local>']
  expect(await told()).toEqual({ http: server, https: server, exceptions })
  await set('ProxyEnable', 'REG_DWORD', '0')
  expect(await told()).toBeNull()
})
