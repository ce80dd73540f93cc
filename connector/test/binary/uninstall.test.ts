/** `cardwire uninstall`: what a user who ran the bare program gets rid of, and what stays. */
import { existsSync, readdirSync } from 'node:fs'
import { mkdir, readdir, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import {
  createEmptyHome,
  homePaths,
  runCommand,
  startConnector,
} from '../../../test/bed/connector.ts'
import { connectorProgram } from '../../../test/bed/repository.ts'
import { runForDocument } from './command-document.ts'

let home: string
beforeEach(async (context) => {
  home = await createEmptyHome()
  context.onTestFinished(() => rm(home, { recursive: true, force: true }))
})

/** A connector that has run, with its root in the trust store of the user. */
async function start(): Promise<void> {
  const settings = { CARDWIRE_VIRTUAL_READER: join(home, 'card') }
  const connector = await startConnector(settings, home)
  onTestFinished(() => connector.stop())
  runCommand(home, ['certs', 'install'])
}

const listAll = () => readdirSync(home, { recursive: true, encoding: 'utf8' }).toSorted()

test('the connector ends, trust and runtime go, certificates and settings stay', async () => {
  await start()
  const { config, runtime, logs, certificates } = homePaths(home)
  await mkdir(config, { recursive: true })
  await writeFile(join(config, 'cardwire.conf'), 'CARDWIRE_LOG_LEVEL=info\n')
  const before = await readdir(certificates)
  const { status, document } = runForDocument(home, ['uninstall'])
  expect(status).toBe(0)
  expect(document).toMatchObject({
    dryRun: false,
    steps: expect.arrayContaining([
      { what: 'running connector', state: 'done' },
      { what: expect.stringContaining('root certificate in nss:'), state: 'done' },
      { what: runtime, state: 'done' },
      { what: logs, state: 'done' },
    ]),
    left: expect.arrayContaining([
      { path: certificates, remedy: expect.any(String) },
      { path: join(config, 'cardwire.conf'), remedy: expect.any(String) },
      { path: connectorProgram, remedy: expect.any(String) },
    ]),
  })
  expect([existsSync(runtime), existsSync(logs), existsSync(dirname(runtime))]).toEqual([
    false,
    false,
    false,
  ])
  expect(await readdir(certificates)).toEqual(before)
  expect(runForDocument(home, ['certs', 'status']).document['trust']).not.toContainEqual(
    expect.objectContaining({ trusted: true }),
  )
})

test('a dry run shows the same and changes nothing', async () => {
  await start()
  const before = listAll()
  const { status, out } = runCommand(home, ['uninstall', '--dry-run'])
  expect(status).toBe(0)
  expect(out).toContain('· running connector: would be stopped')
  expect(out).toContain(`· ${homePaths(home).runtime}: would be removed`)
  expect(out).toContain('Nothing was changed. This would be kept:')
  expect(listAll().filter((path) => !/\.log|\.lock|-wal|-shm/.test(path))).toEqual(
    before.filter((path) => !/\.log|\.lock|-wal|-shm/.test(path)),
  )
  expect(runForDocument(home, ['status'])).toMatchObject({ status: 0 })
})

test('where nothing is, nothing is made, and the exit status is 0', () => {
  const before = listAll()
  expect(runForDocument(home, ['uninstall'])).toMatchObject({
    status: 0,
    document: { steps: expect.not.arrayContaining([{ state: 'done' }]) },
  })
  expect(listAll()).toEqual(before)
})

test('a runtime behind a link stays with what it leads to', async () => {
  await start()
  runCommand(home, ['stop'])
  const { runtime } = homePaths(home)
  const elsewhere = join(home, 'elsewhere')
  await rename(runtime, elsewhere)
  await symlink(elsewhere, runtime)
  const before = await readdir(elsewhere)
  const { status, document } = runForDocument(home, ['uninstall'])
  expect(status).toBe(1)
  expect(document['steps']).toContainEqual({
    what: runtime,
    state: 'failed',
    reason: 'it is a link',
  })
  expect(await readdir(elsewhere)).toEqual(
    expect.arrayContaining(before.filter((name) => !/-wal|-shm/.test(name))),
  )
})
