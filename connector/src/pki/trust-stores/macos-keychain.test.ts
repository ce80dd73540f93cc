/** What would be asked of security(1): the decisions and every argument; the commands themselves are not run here. */
import { createHash } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import { proves } from '../../../../test/bed/proves.ts'
import { judgeTestRoot, makeTestRoot } from '../../../test/certs/test-root.ts'
import type { Run } from '../../system/run-command.ts'
import type { TrustableRoot } from '../trustable-root.ts'
import { createMacosKeychain } from './macos-keychain.ts'

let root: TrustableRoot
let sha1: string
beforeAll(async () => {
  const order = { now: Date.now(), owner: 'tests@here', constraints: 'full', hosts: [] } as const
  root = judgeTestRoot((await makeTestRoot(order)).cert)
  sha1 = createHash('sha1').update(root.der).digest('hex').toUpperCase()
})

/** Notes what it is asked, the temporary file shown as FILE, and answers from a table. */
function noting(answers: Readonly<Record<string, { status: number; output: string }>> = {}) {
  const commands: string[] = []
  const run: Run = async (program, args) => {
    const shown = args.map((arg) => (arg.endsWith('root.pem') ? 'FILE' : arg))
    commands.push([program, ...shown].join(' '))
    return answers[args[0] ?? ''] ?? { status: 0, output: '' }
  }
  return { run, commands }
}

const login = '/Users/ada/Library/Keychains/login.keychain-db'
const system = '/Library/Keychains/System.keychain'

test.each([
  ['user', 501, `/usr/bin/security add-trusted-cert -r trustRoot -p ssl -k ${login} FILE`],
  ['machine', 0, `/usr/bin/security add-trusted-cert -d -r trustRoot -p ssl -k ${system} FILE`],
] as const)('install for the %s', async (scope, uid, command) => {
  const { run, commands } = noting()
  const store = createMacosKeychain(scope, { home: '/Users/ada', run, uid })
  expect(await store.findObstacle()).toBeUndefined()
  await store.install(root)
  expect(commands).toEqual([command])
})

test.each([
  ['user', login, ''],
  ['machine', system, ' -d'],
] as const)(
  'uninstall for the %s takes the settings, then the certificate',
  async (scope, keychain, flag) => {
    const { run, commands } = noting({
      'find-certificate': { status: 0, output: `SHA-1 hash: ${sha1}\n` },
    })
    await createMacosKeychain(scope, { home: '/Users/ada', run, uid: 0 }).uninstall(root)
    expect(commands).toEqual([
      `/usr/bin/security find-certificate -a -Z ${keychain}`,
      `/usr/bin/security remove-trusted-cert${flag} FILE`,
      `/usr/bin/security delete-certificate -Z ${sha1} ${keychain}`,
    ])
  },
)

test('a check that cannot be run is not one that fails', async () => {
  proves('trust-unread')
  const { run } = noting({
    'find-certificate': { status: 0, output: `SHA-1 hash: ${sha1}\n` },
    'verify-cert': { status: -1, output: 'spawn ENOENT' },
  })
  const store = createMacosKeychain('user', { home: '/Users/ada', run, uid: 501 })
  await expect(store.trusts(root)).rejects.toThrow('security verify-cert failed: spawn ENOENT')
})

test.each([
  [-1, 'spawn ENOENT'],
  [36, 'User interaction is not allowed.'],
])('a keychain that cannot be read (%i) may hold the root', async (status, output) => {
  proves('trust-unread')
  const { run } = noting({ 'find-certificate': { status, output } })
  const store = createMacosKeychain('user', { home: '/Users/ada', run, uid: 501 })
  const reason = `security find-certificate failed: ${output}`
  await expect(store.trusts(root)).rejects.toThrow(reason)
  await expect(store.uninstall(root)).rejects.toThrow(reason)
})

test.each([0, 44])(
  'uninstall of a root that is not there (%i) asks for nothing more',
  async (status) => {
    const { run, commands } = noting({ 'find-certificate': { status, output: '' } })
    await createMacosKeychain('user', { home: '/Users/ada', run, uid: 501 }).uninstall(root)
    expect(commands).toHaveLength(1)
  },
)

test('trusts what the keychain holds and verify-cert accepts', async () => {
  const found = { status: 0, output: `SHA-1 hash: ${sha1}\n` }
  const ask = (verify: number) => {
    const { run, commands } = noting({
      'find-certificate': found,
      'verify-cert': { status: verify, output: '' },
    })
    return {
      commands,
      answer: createMacosKeychain('user', { home: '/Users/ada', run, uid: 501 }).trusts(root),
    }
  }
  expect(await ask(0).answer).toBe(true)
  const refused = ask(1)
  expect(await refused.answer).toBe(false)
  expect(refused.commands.at(-1)).toBe('/usr/bin/security verify-cert -q -l -L -p ssl -c FILE')
})

test('the keychain of the machine needs an administrator', async () => {
  const { run } = noting()
  const store = createMacosKeychain('machine', { home: '/Users/ada', run, uid: 501 })
  expect((await store.findObstacle())?.reason).toContain('sudo')
})

test('a refusal of security is the reason', async () => {
  const { run } = noting({ 'add-trusted-cert': { status: 1, output: 'User canceled.\n' } })
  const store = createMacosKeychain('user', { home: '/Users/ada', run, uid: 501 })
  await expect(store.install(root)).rejects.toThrow('add-trusted-cert failed: User canceled.')
})
