/** The step at log-on on Windows: the roots of users, whose folders are theirs, go into the store of the machine. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { proves } from '../../../test/bed/proves.ts'
import { makeTestRoot } from '../certs/test-root.ts'
import { buildConnector } from './build-program.ts'
import { openWine, type Wine, windowsPath } from './wine.ts'

let folder = ''
let wine: Wine
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cardwire-people-'))
  wine = await openWine(join(folder, 'prefix'))
  await buildConnector(join(folder, 'cardwire.exe'))
})
afterAll(async () => {
  await wine.stop()
  await rm(folder, { recursive: true })
})

/** What `cardwire registry` prints. */
async function run(act: 'trust' | 'untrust'): Promise<string> {
  const { stdout } = wine.start(windowsPath(join(folder, 'cardwire.exe')), [
    'registry',
    act,
    '--people',
  ])
  return stdout ? text(stdout) : ''
}

test('the root of a user is added, and removed again', async () => {
  proves('windows-machine-store')
  const order = { now: Date.now(), owner: 'ada', constraints: 'full', hosts: [] } as const
  const place = join(wine.prefix, 'drive_c/users/ada/AppData/Local/Cardwire/Certificates')
  await mkdir(place, { recursive: true })
  await writeFile(join(place, 'rootCA.pem'), (await makeTestRoot(order)).cert)
  expect(await run('trust')).toBe('ada\n✓ windows:machine trusts the root certificate\n')
  expect(await run('untrust')).toBe('ada\n✓ windows:machine does not trust the root certificate\n')
})
