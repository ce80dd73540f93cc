/** Installing the service: which commands run, in which order, and where it stops. The commands are recorded, not run. */
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { proves } from '../../../../test/bed/proves.ts'
import { constraintsOf, dns, forgeRoot, subtrees } from '../../../test/certs/forge-root.ts'
import { makeTestRoot } from '../../../test/certs/test-root.ts'
import { readCertificate } from '../../pki/certificate.ts'
import { createChromiumPolicy } from '../../pki/trust-stores/chromium-policy.ts'
import { createFirefoxPolicy } from '../../pki/trust-stores/firefox-policy.ts'
import { checkTrust } from '../../pki/trust-stores/install-root.ts'
import type { TrustStore } from '../../pki/trust-stores/trust-store.ts'
import { getMachineFolders, type MachineFolders } from '../../system/folders.ts'
import type { Run } from '../../system/run-command.ts'
import {
  installService,
  requireVisibleToService,
  type ServiceInstallation,
  trustService,
  uninstallService,
  untrustService,
} from './install.ts'

let root: string
/** Of the same kind. */
let other: string
let folder: string
let folders: MachineFolders
let ran: string[]
/** Commands that fail, by their beginning. */
let failing: string[]
let trusted: boolean
let stubborn: boolean

beforeAll(async () => {
  const order = { now: Date.now(), owner: 'test', constraints: 'full', hosts: [] } as const
  root = (await makeTestRoot(order)).cert
  other = (await makeTestRoot(order)).cert
})
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cardwire-service-'))
  folders = getMachineFolders('linux', {}, join(folder, 'machine'))
  ran = []
  failing = []
  trusted = false
  stubborn = false
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const run: Run = async (program, args) => {
  const command = [program, ...args].join(' ')
  ran.push(command)
  if (failing.some((start) => command.startsWith(start))) return { status: 1, output: 'no' }
  if (command.startsWith('systemctl restart')) {
    // What the service does when it starts.
    await mkdir(folders.published, { recursive: true })
    await writeFile(folders.root, root)
    await writeFile(folders.leaf, 'leaf')
  }
  return { status: 0, output: '' }
}

const store: TrustStore = {
  name: 'anchors',
  scope: 'machine',
  removes: 'own',
  findObstacle: async () => undefined,
  trusts: async () => trusted,
  async install() {
    trusted = true
  },
  async uninstall() {
    if (stubborn) throw new Error('read-only')
    trusted = false
  },
}

const toInstallation = (changes: Partial<ServiceInstallation> = {}): ServiceInstallation => ({
  program: '/bin/true',
  folders,
  run,
  stores: async () => [store],
  hosts: [],
  reportStep: () => undefined,
  unit: join(folder, 'cardwire-registry.service'),
  systemd: folder,
  ...changes,
})

test('installs account, folder and unit, starts the service, and makes the machine trust its root', async () => {
  failing = ['getent']
  const results = await installService(toInstallation())
  expect(ran).toEqual([
    'getent passwd cardwire-registry',
    `useradd --system --user-group --no-create-home --home-dir ${folders.base} --shell /usr/sbin/nologin cardwire-registry`,
    `install -d -m 0755 -o cardwire-registry -g cardwire-registry ${folders.base}`,
    'systemctl daemon-reload',
    'systemctl enable cardwire-registry.service',
    'systemctl restart cardwire-registry.service',
  ])
  expect(results).toMatchObject([{ store: 'anchors', trusted: true }])
  expect(await readFile(join(folder, 'cardwire-registry.service'), 'utf8')).toContain('/bin/true')
})

test('a root of the service that may sign for another name is trusted by no store, unless an administrator names it', async () => {
  proves('registry-root-misused')
  const order = { now: Date.now(), owner: 'test', constraints: 'full' } as const
  const other = (await makeTestRoot({ ...order, hosts: [{ kind: 'dns', value: 'bank.example' }] }))
    .cert
  const runOther: Run = async (program, args) => {
    const result = await run(program, args)
    if (args[0] === 'restart') await writeFile(folders.root, other)
    return result
  }
  await expect(installService(toInstallation({ run: runOther }))).rejects.toThrow(
    'it can sign for names other than those of this computer',
  )
  expect(trusted).toBe(false)
  await installService(toInstallation({ run: runOther, hosts: ['bank.example'] }))
  expect(trusted).toBe(true)
})

test('a hostile root that an earlier version trusted is removed', async () => {
  proves('registry-root-misused')
  const constraints = constraintsOf(subtrees.excluded(dns('harmless.example')))
  await mkdir(folders.published, { recursive: true })
  await writeFile(folders.root, forgeRoot({ extensions: { constraints } }))
  trusted = true
  await expect(trustService(toInstallation())).rejects.toThrow(
    'Cannot make this computer trust the root certificate of the service: its name constraints exclude names, but must only permit names. If',
  )
  expect(trusted).toBe(false)
})

test('a second install keeps the account', async () => {
  await installService(toInstallation())
  expect(ran.filter((command) => command.startsWith('useradd'))).toEqual([])
})

test('stops at the command that fails, and names it', async () => {
  failing = ['systemctl enable']
  await expect(installService(toInstallation())).rejects.toThrow(
    'systemctl enable cardwire-registry.service failed: no',
  )
  expect(trusted).toBe(false)
})

test.runIf(process.getuid?.() === 0)(
  'refuses a program that other accounts may change',
  async () => {
    const program = join(folder, 'cardwire')
    await writeFile(program, '')
    await chmod(program, 0o777)
    await expect(installService(toInstallation({ program }))).rejects.toThrow(
      `can change "${program}"`,
    )
    expect(ran).toEqual([])
  },
)

test('install changes nothing where systemd does not run, and says what to do', async () => {
  failing = ['getent']
  const act = installService(toInstallation({ systemd: join(folder, 'not-there') }))
  await expect(act).rejects.toThrow(/does not run systemd\. .*cardwire registry --service/)
  expect(ran).toEqual([])
  expect(await readdir(folder)).toEqual([])
})

test.each(['/home/ada/cardwire', '/root/a/cardwire', '/tmp/cardwire', '/var/tmp/cardwire'])(
  'refuses a program that the service cannot see: %s',
  (program) => {
    expect(() => requireVisibleToService(program)).toThrow(
      `Cannot make "${program}" a service: services can't access ${/^(\/var)?\/\w+/.exec(program)?.[0]}. Copy the program to /usr/local/bin`,
    )
  },
)

test.each(['/usr/local/bin/cardwire', '/opt/home/cardwire', '/homes/cardwire'])(
  'accepts a program that the service can see: %s',
  (program) => expect(() => requireVisibleToService(program)).not.toThrow(),
)

test.runIf(process.getuid?.() === 0)('refuses a program in the temporary folder', async () => {
  const program = join(folder, 'cardwire')
  await writeFile(program, '')
  await chmod(program, 0o755)
  await expect(installService(toInstallation({ program }))).rejects.toThrow(
    'Copy the program to /usr/local/bin',
  )
  expect(ran).toEqual([])
})

test('uninstall works also where systemd does not run', async () => {
  await installService(toInstallation())
  ran = []
  failing = ['systemctl']
  const removed: string[] = []
  const systemd = join(folder, 'not-there')
  await uninstallService(toInstallation({ systemd, reportStep: (what) => removed.push(what) }))
  expect(ran).toContain('userdel cardwire-registry')
  expect(removed).toHaveLength(3)
  expect(await readdir(folder)).toEqual([])
})

test('uninstall removes trust, unit, folder and account', async () => {
  await installService(toInstallation())
  ran = []
  const results = await uninstallService(toInstallation())
  expect(results).toMatchObject([{ store: 'anchors', trusted: false }])
  expect(ran).toEqual([
    'systemctl disable --now cardwire-registry.service',
    'systemctl daemon-reload',
    'getent passwd cardwire-registry',
    'userdel cardwire-registry',
  ])
  expect(await stat(folders.base).catch(() => 'gone')).toBe('gone')
})

test('uninstall keeps the files while a store trusts the root certificate, because they name it', async () => {
  await installService(toInstallation())
  stubborn = true
  await expect(uninstallService(toInstallation())).rejects.toThrow(
    'anchors may still trust the root certificate',
  )
  expect(await readFile(folders.root, 'utf8')).toBe(root)
})

test('uninstall is not kept up by a file of the service that names a root of others', async () => {
  proves('root-removed-by-file')
  await installService(toInstallation())
  await writeFile(folders.root, forgeRoot({ extensions: { constraints: undefined } }))
  stubborn = true
  await uninstallService(toInstallation())
  expect(await stat(folders.base).catch(() => 'gone')).toBe('gone')
})

test.each<[string, (path: string) => Promise<void>]>([
  ['another root', async (path) => writeFile(path, other)],
  ['no certificate', (path) => writeFile(path, 'none')],
  ['more than a certificate has', (path) => writeFile(path, 'x'.repeat(300_000))],
  ['a file that is gone', (path) => rm(path)],
])(
  'the machine trusts no root of the service after uninstall, also with %s in the place of its file',
  async (_, replace) => {
    proves('registry-root-kept')
    const stores = async () => [
      createFirefoxPolicy(join(folder, 'firefox/policies/policies.json')),
      createChromiumPolicy('chromium', join(folder, 'chromium')),
    ]
    const installed = await installService(toInstallation({ stores }))
    expect(installed.map(({ trusted: is }) => is)).toEqual([true, true])
    await replace(folders.root)
    await uninstallService(toInstallation({ stores }))
    expect(await checkTrust(await stores(), readCertificate(root))).toMatchObject([
      { trusted: false },
      { trusted: false },
    ])
  },
)

test('the machine trusts an earlier root of the service no longer when it trusts another', async () => {
  proves('registry-root-kept')
  const policy = createFirefoxPolicy(join(folder, 'policies/policies.json'))
  const installation = toInstallation({ stores: async () => [policy] })
  await installService(installation)
  await writeFile(folders.root, other)
  expect(await trustService(installation)).toMatchObject([{ trusted: true }])
  expect(await policy.trusts(readCertificate(root))).toBe(false)
})

test('uninstall succeeds where nothing is installed', async () => {
  failing = ['getent']
  expect(await uninstallService(toInstallation())).toEqual([])
  expect(ran).toEqual(['getent passwd cardwire-registry'])
})

test('trust and untrust change the stores alone: no command runs, and the certificates stay', async () => {
  await mkdir(folders.published, { recursive: true })
  await writeFile(folders.root, root)
  expect(await trustService(toInstallation())).toMatchObject([{ trusted: true }])
  expect(await untrustService(toInstallation())).toMatchObject([{ trusted: false }])
  expect(await readFile(folders.root, 'utf8')).toBe(root)
  expect(ran).toEqual([])
})

test('untrust without a service has nothing to do', async () => {
  expect(await untrustService(toInstallation())).toEqual([])
})
