/** The life of the package on a machine with Windows, as far as Wine is one: install, upgrade, repair, uninstall. */
import { spawnSync } from 'node:child_process'
import { X509Certificate } from 'node:crypto'
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findFreePort } from '../../../test/bed/free-port.ts'
import { waitFor, waitForValue } from '../../../test/bed/wait-for.ts'
import {
  makePackage,
  stampedValues,
  stampPackage,
} from '../../test/binary/packages/make-packages.ts'
import { makeSigner, verifySignature } from '../../test/packages/sample-msi.ts'
import { windowsPath } from '../../test/wine/wine.ts'
import { createIdentifier } from '../windows/identifiers.ts'
import { names } from '../windows/places.ts'
import {
  markUpgradesByEnvironment,
  openWindowsMachine,
  upgrading,
  type WindowsMachine,
} from './windows-machine.ts'

const installationKey = '5f0f3a52-8a6e-4f6c-9a52-0b8f3a52e001'
const programs = 'Program Files/Cardwire'
const state = 'ProgramData/Cardwire'
const local = `users/${userInfo().username}/AppData/Local/Cardwire`
// Wine has the menu of all accounts in the profile of this one.
const roaming = `users/${userInfo().username}/AppData/Roaming/Microsoft/Windows`
const menuEntry = `${roaming}/Start Menu/Programs/Cardwire.lnk`
const registryProgram = `C:\\Program Files\\Cardwire\\${names.program} registry --service`
const agentProgram = `C:\\Program Files\\Cardwire\\${names.program} run`

let folder: string
let machine: WindowsMachine
let earlier: string
let later: string
let port: number
let ports: readonly string[]
let settings: readonly string[]
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'cardwire-msi-'))
  const make = (version: string) => {
    const options = ['--formats', 'msi', '--fast', '--version', version]
    const msi = makePackage(join(folder, version), options)
    return markUpgradesByEnvironment(msi, join(folder, `${version}.msi`))
  }
  earlier = make('4.0.0')
  later = make('4.0.1')
  machine = await openWindowsMachine(folder)
  port = await findFreePort()
  ports = [`CARDWIRE_REGISTRY_PORT=${port}`, 'CARDWIRE_API_PORTS=26200-26999']
  settings = [...ports, `CARDWIRE_INSTALLATION_KEY=${installationKey}`]
})
afterAll(async () => {
  await machine?.stop()
  rmSync(folder, { recursive: true, force: true })
})

/** What the registry says of itself, to who verifies its certificate by the root of the machine. */
const askRegistry = () =>
  waitForValue((): string | undefined => {
    const root = machine.path(`${state}/public/rootCA.pem`)
    const args = ['-sS', '--cacert', root, '-H', 'X-CSRF-Token: t1c-js', '--max-time', '5']
    const url = `https://localhost:${port}/info`
    const { stdout } = spawnSync('curl', [...args, url], { encoding: 'utf8' })
    return stdout ? JSON.parse(stdout).data?.t1CInfoAPI.version : undefined
  })
const waitForAgent = () => waitFor(() => existsSync(machine.path(`${local}/Runtime/api-port`)))
const settingsOfTheMachine = () => machine.output('reg', 'query', `HKLM\\${names.settingsKey}`)
const rootsOfTheMachine = () =>
  machine.output(
    'reg',
    'query',
    'HKLM\\Software\\Microsoft\\SystemCertificates\\Root\\Certificates',
  )
const thumbprint = (name: string) =>
  new X509Certificate(readFileSync(machine.path(name))).fingerprint.replaceAll(':', '')

test('a silent installation puts files, service, start and settings in place', async () => {
  const { code, log } = await machine.install(['/i', windowsPath(earlier), ...settings])

  expect(code).toBe(0)
  expect(readdirSync(machine.path(programs)).toSorted()).toEqual([
    'cardwire-service.exe',
    'cardwire.exe',
    'smartcard_list.LICENSE.txt',
    'smartcard_list.txt',
    'third-party-licences.txt',
    'trust-task.xml',
  ])
  expect(await machine.readServiceState()).toBe('RUNNING')
  expect(await askRegistry()).toBe('4.0.0')
  expect(await machine.output('reg', 'query', `HKLM\\${names.run}`)).toContain(
    '"C:\\Program Files\\Cardwire\\cardwire-service.exe" agent',
  )
  expect(existsSync(machine.path(menuEntry))).toBe(true)
  expect(await settingsOfTheMachine()).toContain(installationKey)
  expect(log).not.toContain(installationKey)
})

test('the machine trusts the root of its registry, and no root is made for the installer', async () => {
  expect(await rootsOfTheMachine()).toContain(thumbprint(`${state}/public/rootCA.pem`))
  expect(existsSync(machine.path('windows/system32/config'))).toBe(false)
})

test('the connector of whoever is logged in runs after the installation', async () => {
  await waitForAgent()

  expect(machine.findProcesses(agentProgram)).toHaveLength(1)
})

test('a registry that is killed is back', async () => {
  const [before = 0] = machine.findProcesses(registryProgram)
  process.kill(before, 'SIGKILL')
  const begin = performance.now()
  await waitFor(() => {
    const [pid = before] = machine.findProcesses(registryProgram)
    return pid !== before
  })

  expect(performance.now() - begin).toBeLessThan(5000)
  expect(await askRegistry()).toBe('4.0.0')
})

test('an upgrade while everything runs keeps keys, roots, trust and settings', async () => {
  const read = () => ({
    certificates: machine.hashFiles(`${state}/certificates`),
    own: machine.hashFiles(`${local}/Certificates`),
    pageKey: machine.hashFiles(`${local}/Runtime`)['page-key.pem'],
  })
  const before = read()
  const [agent = 0] = machine.findProcesses(agentProgram)
  const { code, log } = await machine.install(['/i', windowsPath(later)], upgrading)

  expect(code).toBe(0)
  expect(await askRegistry()).toBe('4.0.1')
  expect(read()).toEqual(before)
  expect(before.pageKey).toBeDefined()
  expect(await rootsOfTheMachine()).toContain(thumbprint(`${state}/public/rootCA.pem`))
  expect(await settingsOfTheMachine()).toContain(installationKey)
  expect(log).not.toContain(installationKey)
  const now = machine.findProcesses(agentProgram)
  expect([now.length, now.includes(agent)]).toEqual([1, false])
})

test('an earlier version is refused, and the later one goes on', async () => {
  const { code } = await machine.install(['/i', windowsPath(earlier)])

  // ERROR_INSTALL_FAILURE, 1603.
  expect(code).toBe(1603 & 0xff)
  expect(await askRegistry()).toBe('4.0.1')
})

test('an earlier version takes the place of the later one when that is allowed, and keeps what upgrades keep', async () => {
  const before = machine.hashFiles(`${state}/certificates`)
  const back = ['/i', windowsPath(earlier), 'ALLOWDOWNGRADE=1']
  const { code } = await machine.install(back, upgrading)

  expect(code).toBe(0)
  expect(await askRegistry()).toBe('4.0.0')
  expect(readdirSync(machine.path(programs))).toContain('cardwire-service.exe')
  expect(machine.hashFiles(`${state}/certificates`)).toEqual(before)
  expect(await settingsOfTheMachine()).toContain(installationKey)
  expect((await machine.install(['/i', windowsPath(later)], upgrading)).code).toBe(0)
  expect(await askRegistry()).toBe('4.0.1')
})

test('a repair writes the files again and starts what ran', async () => {
  rmSync(machine.path(`${programs}/smartcard_list.txt`))
  const repair = ['REINSTALL=ALL', 'REINSTALLMODE=amus']
  const { code } = await machine.install(['/i', windowsPath(later), ...repair])

  expect(code).toBe(0)
  expect(readdirSync(machine.path(programs))).toContain('smartcard_list.txt')
  expect(await askRegistry()).toBe('4.0.1')
})

test('a registry that an administrator has switched off stays off', async () => {
  await machine.output('sc', 'stop', names.service)
  await machine.output('sc', 'delete', names.service)
  // Wine has no "sc config".
  const binary = `"C:\\Program Files\\Cardwire\\${names.shim}" service`
  const disabled = ['binPath=', binary, 'start=', 'disabled']
  await machine.output('sc', 'create', names.service, ...disabled)
  const repair = ['REINSTALL=ALL', 'REINSTALLMODE=amus']
  const { code } = await machine.install(['/i', windowsPath(later), ...repair])

  expect([code, await machine.readServiceState()]).toEqual([0, 'STOPPED'])
  expect(machine.findProcesses(registryProgram)).toEqual([])
})

test('an uninstallation leaves the certificates and nothing else', async () => {
  const roots = [
    thumbprint(`${state}/certificates/rootCA.pem`),
    thumbprint(`${local}/Certificates/rootCA.pem`),
  ]
  const trusted = await rootsOfTheMachine()
  expect(roots.map((root) => trusted.includes(root))).toEqual([true, true])
  const before = machine.hashFiles(`${state}/certificates`)
  const { code } = await machine.install(['/x', createIdentifier('product 4.0.1')])

  expect(code).toBe(0)
  expect(existsSync(machine.path(programs))).toBe(false)
  expect(existsSync(machine.path(menuEntry))).toBe(false)
  expect(readdirSync(machine.path(state))).toEqual(['certificates'])
  expect(machine.hashFiles(`${state}/certificates`)).toEqual(before)
  expect(readdirSync(machine.path(local))).toEqual(['Certificates'])
  const left = await rootsOfTheMachine()
  expect(roots.map((root) => left.includes(root))).toEqual([false, false])
  expect(await settingsOfTheMachine()).not.toContain('CARDWIRE')
  expect(await machine.output('reg', 'query', `HKLM\\${names.run}`)).not.toContain('Cardwire')
  expect(await machine.readServiceState()).toBeUndefined()
  expect(machine.findProcesses('Program Files\\Cardwire')).toEqual([])
})

test.each(['Runtime', 'Runtime/linked'])(
  'an uninstallation removes nothing behind a link at %s',
  async (link) => {
    const treasure = mkdtempSync(join(folder, 'treasure-'))
    writeFileSync(join(treasure, 'gold'), 'gold')
    await machine.install(['/i', windowsPath(later), ...settings])
    await waitForAgent()
    await machine.output('taskkill', '/f', '/im', names.shim)
    await machine.output('taskkill', '/f', '/im', names.program)
    rmSync(machine.path(`${local}/${link}`), { recursive: true, force: true })
    symlinkSync(treasure, machine.path(`${local}/${link}`))
    const { code } = await machine.install(['/x', createIdentifier('product 4.0.1')])

    expect(code).toBe(0)
    expect(readFileSync(join(treasure, 'gold'), 'utf8')).toBe('gold')
    rmSync(machine.path(`${local}/Runtime`), { recursive: true, force: true })
  },
)

test('a package that a service has stamped brings the values of that service, and no log shows them', async () => {
  const signer = makeSigner(folder)
  const env = { CARDWIRE_SIGN_WINDOWS: signer.command, CARDWIRE_RELEASE_KEYS: 'A'.repeat(43) }
  const msi = makePackage(join(folder, 'signed'), ['--formats', 'msi', '--fast'], env)
  const stamped = stampPackage(msi, folder)
  expect(verifySignature(stamped, signer)).toBe(true)
  const { code, log } = await machine.install(['/i', windowsPath(stamped), ...ports])

  expect(code).toBe(0)
  const key = `HKLM\\${names.settingsKey}\\Installed`
  expect(await machine.output('reg', 'query', key)).toContain(stampedValues.installationKey)
  expect(log).not.toContain(stampedValues.installationKey)
  await machine.install(['/x', windowsPath(stamped)])
  expect(await machine.output('reg', 'query', key)).not.toContain('CARDWIRE')
})
