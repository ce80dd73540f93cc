/** `--json` of every command: its document fits the schema that the binary prints, in each state of the connector. */
import { spawn } from 'node:child_process'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import * as z from 'zod'
import {
  createEmptyHome,
  homePaths,
  runCommand,
  startConnector,
} from '../../../test/bed/connector.ts'
import { findFreePort } from '../../../test/bed/free-port.ts'
import { createEnvironment } from '../../../test/bed/program.ts'
import { connectorProgram } from '../../../test/bed/repository.ts'
import { runtimes } from '../../../test/bed/service-runtimes.ts'
import { readSchema, runForDocument } from './command-document.ts'
import { version, withService } from './managed.ts'

let home: string
beforeEach(async (context) => {
  home = await createEmptyHome()
  context.onTestFinished(() => rm(home, { recursive: true, force: true }))
})

const atr = '3B9813400AA503010101AD1311'

async function useVirtualReader(): Promise<string> {
  const card = join(home, 'card')
  await writeFile(card, atr)
  await mkdir(homePaths(home).config, { recursive: true })
  await writeFile(
    join(homePaths(home).config, 'cardwire.conf'),
    `CARDWIRE_VIRTUAL_READER=${card}\nCARDWIRE_REGISTRY_PORT=${await findFreePort()}\n`,
  )
  return card
}

describe('without a connector', () => {
  test.each([
    [['version'], 0, { version }],
    [['consents'], 0, { consents: [] }],
    [['settings'], 0, { unread: [] }],
    [['consents', 'revoke', '--all'], 1, { revoked: 0 }],
    [['sync'], 0, { standing: 'unmanaged', synchronized: false }],
    [
      ['update', '--check'],
      1,
      { version, reason: expect.stringContaining('connected to an organization') },
    ],
    [
      ['certs', 'status'],
      1,
      { root: { state: 'absent', reason: 'there is no root certificate yet' } },
    ],
    [['certs', 'status', 'localhost'], 1, { domain: 'localhost', verified: false }],
    [['certs', 'renew'], 1, { renewed: false, reason: expect.stringContaining('start the conn') }],
    [['certs', 'uninstall'], 0, { removed: true, trust: [] }],
    [['certs', 'install'], 0, { trust: [{ scope: 'user', trusted: true }, { trusted: true }] }],
    [['certs', 'untrust'], 0, { trust: [] }],
    [['registry', 'status'], 0, { managed: expect.any(Boolean) }],
    [['doctor'], 1, { wrong: expect.any(Number), findings: expect.any(Array) }],
  ] as const)('%j --json ends with %d and has the form of its schema', (args, status, expected) => {
    expect(runForDocument(home, args)).toMatchObject({ status, document: expected })
  })

  test('doctor counts its findings, and each remedy is there', () => {
    const { document } = runForDocument(home, ['doctor'])
    const findings = document['findings'] as { level: string; remedy?: string }[]
    const bad = findings.filter(({ level }) => level === 'bad')
    expect(document).toMatchObject({ wrong: bad.length })
    expect(bad.every(({ remedy }) => remedy !== undefined)).toBe(true)
    expect(bad).not.toEqual([])
  })

  test('readers whose card service is down have a document too, with exit status 1', () => {
    const settings = { CARDWIRE_PCSC_LIBRARY: join(home, 'none.so') }
    expect(runForDocument(home, ['readers'], settings)).toMatchObject({
      status: 1,
      document: { cardService: { state: 'down', reason: expect.any(String) }, readers: [] },
    })
  })
})

test('readers --watch prints a document for each change', async () => {
  const card = await useVirtualReader()
  const env = createEnvironment(home)
  const child = spawn(connectorProgram, ['readers', '--watch', '--json'], { env })
  onTestFinished(() => void child.kill())
  const schema = readSchema(home, ['readers'])
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const next = async () => schema.parse(JSON.parse((await lines.next()).value ?? ''))
  expect(await next()).toMatchObject({ cardService: { state: 'up' }, readers: [{ card: { atr } }] })
  await rm(card)
  const [reader] = ((await next()) as { readers: object[] }).readers
  expect(reader).toBeDefined()
  expect(reader).not.toHaveProperty('card')
})

test('of a running connector has its certificates and its port', async () => {
  await useVirtualReader()
  const connector = await startConnector({}, home)
  onTestFinished(() => connector.stop())
  expect(runForDocument(home, ['certs', 'status'])).toMatchObject({
    status: 0,
    document: { root: { state: 'good' }, leaf: { state: 'good' } },
  })
  const { document } = runForDocument(home, ['doctor'])
  const what = `the API is responding on port ${connector.port}`
  expect(document['findings']).toContainEqual({ level: 'good', code: 'api-good', what })
})

describe('with a distribution service', () => {
  const managed = withService(runtimes.Node)
  const run = (args: readonly string[]) => runForDocument(managed.home, args, managed.settings())

  test('sync and update follow the state of the service', async () => {
    expect(run(['sync'])).toMatchObject({
      status: 1,
      document: { synchronized: false, remedy: 'start it: cardwire run' },
    })
    await managed.startSynchronized()
    expect(run(['sync'])).toMatchObject({
      status: 0,
      document: { standing: 'good', synchronized: true, verdict: { action: 'none', version } },
    })
    expect(run(['update', '--check'])).toMatchObject({
      status: 0,
      document: { version, action: 'none', reason: expect.any(String) },
    })
    expect(run(['status'])).toMatchObject({
      status: 0,
      document: { sync: { service: managed.service.url, standing: 'good' } },
    })
    const uri = 'https://downloads.example/cardwire.deb'
    await managed.service.registerVersion('4.1.0', {
      uris: [{ os: 'UNIX', uri }],
      recommended: true,
    })
    expect(run(['update', '--check'])).toMatchObject({
      status: 100,
      document: { version, action: 'recommend', offer: { version: '4.1.0', url: uri } },
    })
  })
})

describe('a command that cannot do its work', () => {
  const Failure = z.strictObject({
    description: z.string(),
    remedy: z.optional(z.string()),
    status: z.int(),
  })

  test.each([
    [['consents', '--nothing'], 2, "unknown option '--nothing'"],
    [['consents', 'revoke'], 2, 'name one site'],
    [['readers', '--cors', '*'], 2, 'CARDWIRE_CORS (flag)'],
    [['certs'], 2, "unknown option '--json'"],
    [['update'], 2, 'add --check'],
    [['reades'], 2, "unknown command 'reades'"],
    [['certs', 'hosts', 'com'], 1, '"com" has one label'],
  ])(
    '%j --json leaves standard output empty, and says why on standard error',
    (args, expected, why) => {
      const { status, out, err } = runCommand(home, [...args, '--json'])
      expect([status, out]).toEqual([expected, ''])
      const failure = Failure.parse(JSON.parse(err))
      expect(failure.status).toBe(status)
      expect(failure.description).toContain(why)
    },
  )
})

test('--json-schema needs neither valid settings nor arguments', () => {
  const { status, out } = runCommand(home, ['consents', 'revoke', '--json-schema', '--cors', '*'])
  expect([status, JSON.parse(out)]).toMatchObject([0, { title: 'cardwire consents revoke --json' }])
})
