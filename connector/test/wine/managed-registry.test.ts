/** The registry of a machine with Windows, under Wine, where the settings of the machine name a service. */
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findFreePort } from '../../../test/bed/free-port.ts'
import { proves } from '../../../test/bed/proves.ts'
import { buildConnector } from './build-program.ts'
import { openWine, type Wine, windowsPath } from './wine.ts'

const service = 'http://127.0.0.1:9'

let folder: string
let machine: string
let program: string
let wine: Wine
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cardwire-windows-registry-'))
  wine = await openWine(join(folder, 'prefix'))
  machine = join(wine.prefix, 'drive_c/ProgramData/Cardwire')
  program = join(folder, 'cardwire.exe')
  await buildConnector(program)
})
afterAll(async () => {
  await wine?.stop()
  await rm(folder, { recursive: true, force: true })
})

test('registry of a machine with Windows closes its folder to other accounts, then makes its key there', async () => {
  proves('registry-key-planted')
  const key = String.raw`HKLM\Software\Cardwire`
  const reg = wine.start('reg', ['add', key, '/v', 'CARDWIRE_DS_URL', '/d', service, '/f'])
  if (reg.stdout) await text(reg.stdout)
  const registry = wine.start(windowsPath(program), ['registry', '--service'], {
    CARDWIRE_REGISTRY_PORT: String(await findFreePort()),
  })
  const read = () => readFile(join(machine, 'public/service.json'), 'utf8').catch(() => '')
  // It publishes that only where no other account may open the folder of the key: it asks again after it has closed it.
  await expect.poll(read).toContain(service)
  expect(existsSync(join(machine, 'runtime/identity-key.pem'))).toBe(true)
  registry.kill()
})
