/** The whole connector for Windows, under Wine: a fresh profile, its certificates, its readers, its commands, its end. */
import { execFileSync } from 'node:child_process'
import { X509Certificate } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findFreePort } from '../../../test/bed/free-port.ts'
import { proves } from '../../../test/bed/proves.ts'
import { version } from '../../src/version.ts'
import {
  type ScriptedCardService,
  startScriptedCardService,
} from '../scripted-card-service/service.ts'
import {
  buildWindowsConnector,
  type RunningConnector,
  type WindowsConnector,
} from './windows-connector.ts'
import { openWine, type Wine, windowsPath } from './wine.ts'

/** The longest name: 128 units of UTF-16 with the zero that ends it. */
const long = '長'.repeat(127)

let folder = ''
let wine: Wine
let service: ScriptedCardService
let connector: WindowsConnector
let running: RunningConnector
let registryPort = 0
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cardwire-windows-'))
  wine = await openWine(join(folder, 'prefix'))
  service = await startScriptedCardService()
  service.plug(
    { name: 'Scripted Reader 0', atr: '3B951381018073FF01000B' },
    { name: '智能卡 Zoë 🂡', features: [0x06] },
    { name: long, atr: 'AB'.repeat(33) },
  )
  registryPort = await findFreePort()
  connector = await buildWindowsConnector(wine, join(folder, 'program'), {
    ...service.env,
    CARDWIRE_API_PORTS: '26200-26999',
    CARDWIRE_REGISTRY_PORT: String(registryPort),
  })
  running = await connector.run()
})
afterAll(async () => {
  await wine.stop()
  await service.stop()
  await rm(folder, { recursive: true })
})

const pem = (name: string) => readFile(join(connector.certificates, name), 'utf8')

/** The thumbprints of the roots of the machine, as the registry of Windows has them. */
async function rootsOfTheMachine(): Promise<string> {
  const key = String.raw`HKLM\Software\Microsoft\SystemCertificates\Root\Certificates`
  const child = wine.start('reg', ['query', key])
  return child.stdout ? text(child.stdout) : ''
}

const thumbprint = (certificate: string) =>
  new X509Certificate(certificate).fingerprint.replaceAll(':', '')

test('makes its four files on a fresh profile, and has Windows take access from others', async () => {
  proves('windows-private-files')
  const files = await readdir(connector.certificates)
  expect(files.filter((name) => name.endsWith('.pem')).toSorted()).toEqual([
    'localhost-key.pem',
    'localhost.pem',
    'rootCA-key.pem',
    'rootCA.pem',
  ])
  for (const name of ['', 'rootCA-key.pem', 'localhost-key.pem']) {
    // Wine stores no access list: of the one that it was given, the mode has what it says of others. Which accounts the list
    // names is the subject of pki/access-list.test.ts and pki/protection.test.ts.
    expect((await stat(join(connector.certificates, name))).mode & 0o007).toBe(0)
  }
  expect(running.output()).not.toContain('a key is open to others')
})

test('puts its root into the store of the machine at start', async () => {
  proves('windows-connector', 'windows-machine-store')
  await running.waitForOutput(/a store trusts the root certificate {2}store=windows:machine/)

  expect(await rootsOfTheMachine()).toContain(thumbprint(await pem('rootCA.pem')))
})

test.each(['localhost', '127.0.0.1', '[::1]'])(
  'serves https on %s that verifies by its root',
  async (host) => {
    proves('windows-private-files')
    expect(await running.get('/v3/version', { host })).toMatchObject({ success: true })
  },
)

test('lists names in UTF-16 up to the longest, ATRs and key pads', async () => {
  proves('windows-connector', 'many-readers')
  // A machine with much to do lists a reader before its key pad is known.
  await expect
    .poll(() => running.get('/v3/readers'))
    .toMatchObject({
      data: [
        { name: 'Scripted Reader 0', pinpad: false, card: { atr: '3B951381018073FF01000B' } },
        { name: '智能卡 Zoë 🂡', pinpad: true },
        { name: long, card: { atr: 'AB'.repeat(33) } },
      ],
    })
})

test('reports a card that is inserted during a request', async () => {
  const listed = await running.get('/v3/readers?cardInserted=false')
  expect(listed).toMatchObject({ data: [{ id: expect.stringMatching(/^[0-9a-f]{16}$/) }] })
  const [{ id }] = (listed as { data: [{ id: string }] }).data
  const detected = running.get(`/v3/readers/${id}/detect-card?timeout=20`)
  service.insert('智能卡 Zoë 🂡', '3B00')

  expect(await detected).toMatchObject({ data: { id, card: { atr: '3B00' } } })
  service.remove('智能卡 Zoë 🂡')
})

test('runs a registry that knows it, and that pages find it by', async () => {
  proves('windows-connector')
  await running.waitForOutput(/registry found {2}scope=user/)
  const info = await running.get('/info', { port: registryPort })
  expect(info).toMatchObject({
    t1CInfoAPI: { service: { deviceType: 'PROXY' }, version },
  })
  const key = await running.get('/device-key')
  expect(await running.get('/device-key', { port: registryPort })).toMatchObject({
    data: (key as { data: string }).data,
  })
})

test('shows a program of this user the name and the locale that Windows has', async () => {
  proves('user-locale')
  const sessions = wine.start('reg', ['query', String.raw`HKCU\Control Panel\International`])
  const settings = sessions.stdout ? await text(sessions.stdout) : ''
  const [, language, country] = /LocaleName\s+REG_SZ\s+(\w+)-(\w+)/.exec(settings) ?? []
  expect(language).toBeDefined()
  // Wine's user is that of this system.
  const username = execFileSync('id', ['-un'], { encoding: 'utf8' }).trim()
  expect(await running.get('/info')).toMatchObject({
    data: { t1CInfoUser: { username, language, country } },
  })
})

test('is no interpreter with BUN_BE_BUN', async () => {
  proves('runtime-variables')
  const program = windowsPath(join(folder, 'program/cardwire.exe'))
  const child = wine.start(program, ['-e', 'console.log("ran")'], { BUN_BE_BUN: '1' })
  expect(child.stderr && (await text(child.stderr))).toContain("error: unknown option '-e'")
})

test('lists readers and versions by its commands', async () => {
  expect(await connector.command('version')).toEqual({ code: 0, output: `${version}\n` })

  const readers = await connector.command('readers')
  expect(readers.code).toBe(0)
  expect(readers.output).toContain('card 3B 95 13 81 01 80 73 FF 01 00 0B')
  expect(readers.output).toMatch(/智能卡 Zoë 🂡 \(keypad\) {2}[0-9a-f]{16}\n {2}no card\n/)

  const status = await connector.command('certs', 'status')
  expect(status.code).toBe(0)
  expect(status.output).toMatch(/✓ root certificate: valid until/)
  expect(status.output).toMatch(
    /✓ localhost certificate: valid .* for localhost, 127\.0\.0\.1, ::1\n✓ windows:machine/,
  )

  const localhost = await connector.command('certs', 'status', 'localhost')
  expect(localhost).toEqual({ code: 0, output: '✓ localhost opens without a warning\n' })
})

test('runs doctor, which reports the checks that pass and names the remedy without a card service', async () => {
  proves('windows-connector')
  await running.waitForOutput(/registry found/)
  const well = await connector.command('doctor')
  expect(well.output).toMatch(
    /✓ the smart card service is responding\n✓ readers: .*Scripted Reader 0 \(with a card\)/,
  )
  expect(well.output).toContain('✓ windows:machine trusts the root certificate')
  expect(well.output).toMatch(
    /✓ the API is responding on port \d+\n✓ the registry is responding on port \d+ \(started by this user\)\n/,
  )
  expect(well.output).not.toContain('✗')
  expect(well.code).toBe(0)

  await service.stop()
  const ill = await connector.command('doctor')
  await service.start()
  expect(ill.code).toBe(1)
  expect(ill.output).toContain('✗ the smart card service cannot be reached')
  expect(ill.output).toContain('→ start the service "Smart Card": sc start SCardSvr')
})

test('ends with Ctrl-C and leaves no process, then starts again with the same root', async () => {
  const before = await pem('rootCA.pem')
  expect(await running.stop()).toBe(0)
  expect(await processesOf(folder)).toEqual([])

  running = await connector.run()
  await running.waitForOutput(/a store trusts the root certificate/)
  expect(running.output()).not.toContain('created a root certificate')
  expect(await pem('rootCA.pem')).toBe(before)
  expect(await running.get('/v3/version')).toMatchObject({ success: true })
})

test('takes its root from the store of the machine when it is uninstalled', async () => {
  const root = thumbprint(await pem('rootCA.pem'))
  expect(await running.stop()).toBe(0)
  const { code, output } = await connector.command('certs', 'uninstall')

  expect([code, output]).toEqual([
    0,
    '✓ windows:machine does not trust the root certificate\n✓ certificates removed\n',
  ])
  expect(await rootsOfTheMachine()).not.toContain(root)
  expect(await readdir(connector.certificates)).toEqual([])
})

/** The processes of this machine that run a program from a folder; zombies run nothing. */
async function processesOf(path: string): Promise<readonly string[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  const lines = await Promise.all(
    pids.map((pid) => readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')),
  )
  const windows = path.replaceAll('/', '\\')
  return lines.filter((line) => line.includes(`${windows}\\program`))
}
