/** The trust stores of Linux, with the real commands: every store passes one suite, and a second program sees the trust. */
import { execFileSync, spawnSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { proves } from '../../../test/bed/proves.ts'
import {
  type Certificate,
  type CertificateKeyPair,
  readCertificate,
} from '../../src/pki/certificate.ts'
import { findTrustStores } from '../../src/pki/trust-stores/find-trust-stores.ts'
import { createFirefoxPolicy } from '../../src/pki/trust-stores/firefox-policy.ts'
import { checkTrust, installRoot, uninstallRoot } from '../../src/pki/trust-stores/install-root.ts'
import { createLinuxAnchors, type Distribution } from '../../src/pki/trust-stores/linux-anchors.ts'
import { createNssStore, findNssStores } from '../../src/pki/trust-stores/nss.ts'
import type { TrustStore } from '../../src/pki/trust-stores/trust-store.ts'
import { makeLeaf } from '../../src/pki/x509.ts'
import { createRunner } from '../../src/system/run-command.ts'
import { createDebianDistribution } from './debian-distribution.ts'
import { createCertificateSetup, createTemporaryFolder } from './test-certificates.ts'
import { judgeTestRoot, makeTestRoot } from './test-root.ts'

const now = Date.now()
const run = createRunner()
let pair: CertificateKeyPair
let root: Certificate
let other: Certificate
let unrelatedRoot: Certificate
let leaf: CertificateKeyPair

beforeAll(async () => {
  const options = { now, owner: 'tests@here', constraints: 'full', hosts: [] } as const
  pair = await makeTestRoot(options)
  root = readCertificate(pair.cert)
  other = readCertificate((await makeTestRoot(options)).cert)
  unrelatedRoot = readCertificate((await makeTestRoot(options)).cert)
  leaf = await makeLeaf(pair, { now, hosts: [] })
})

const stores: readonly (readonly [string, (folder: string) => TrustStore])[] = [
  [
    'Debian anchors',
    (folder) => createLinuxAnchors(createDebianDistribution(folder, unrelatedRoot.pem), run),
  ],
  [
    'an NSS database that is made',
    (folder) => createNssStore(join(folder, 'pki/nssdb'), { home: folder, run, make: true }),
  ],
  [
    'a Firefox profile',
    (folder) => {
      const profile = join(folder, 'abc.default')
      mkdirSync(profile)
      execFileSync('certutil', ['-N', '-d', `sql:${profile}`, '--empty-password'])
      return createNssStore(profile, { home: folder, run, make: false })
    },
  ],
  [
    'the Firefox policy',
    (folder) => createFirefoxPolicy(join(folder, 'firefox/policies/policies.json')),
  ],
]

describe.each(stores)('%s', (_, open) => {
  test('is available, trusts an installed root, and no longer after uninstall', async () => {
    const store = open(createTemporaryFolder())
    expect(await store.findObstacle()).toBeUndefined()
    expect(await store.trusts(root)).toBe(false)
    await store.uninstall(root)
    await store.install(judgeTestRoot(root.pem))
    await store.install(judgeTestRoot(root.pem))
    expect(await store.trusts(root)).toBe(true)
    expect(await store.trusts(other)).toBe(false)
    await store.uninstall(root)
    expect(await store.trusts(root)).toBe(false)
  })

  test('keeps an old root and a new one apart', async () => {
    const store = open(createTemporaryFolder())
    await store.install(judgeTestRoot(root.pem))
    await store.install(judgeTestRoot(other.pem))
    const own = await store.listOwn?.()
    if (own) expect(own.toSorted()).toEqual([root.pem, other.pem].toSorted())
    await store.uninstall(root)
    expect([await store.trusts(root), await store.trusts(other)]).toEqual([false, true])
  })
})

test('an NSS database that several installs make at once trusts the root', async () => {
  const home = createTemporaryFolder()
  const path = join(home, 'pki/nssdb')
  const open = () => createNssStore(path, { home, run, make: true })
  const installs = Array.from({ length: 4 }, () => open().install(judgeTestRoot(root.pem)))
  await Promise.all(installs)
  expect(await open().trusts(root)).toBe(true)
})

test('an NSS database that another process makes meanwhile is used as it is', async () => {
  const home = createTemporaryFolder()
  const path = join(home, 'pki/nssdb')
  /** Makes the database in the moment before certutil does. */
  const late: typeof run = (program, args) => {
    if (args[0] === '-N') execFileSync('certutil', ['-N', '-d', `sql:${path}`, '--empty-password'])
    return run(program, args)
  }
  const store = createNssStore(path, { home, run: late, make: true })
  await store.install(judgeTestRoot(root.pem))
  expect(await store.trusts(root)).toBe(true)
})

test('an NSS database that another process changes at the moment is asked again', async () => {
  const home = createTemporaryFolder()
  const acts: string[] = []
  /** Refuses each act at first, as certutil does with a database that is locked. */
  const busy: typeof run = async (program, args) => {
    const act = args[0] ?? ''
    const isFirst = !acts.includes(act)
    acts.push(act)
    return isFirst && ['-A', '-L'].includes(act)
      ? { status: 255, output: 'SEC_ERROR_ADDING_CERT' }
      : run(program, args)
  }
  const store = createNssStore(join(home, 'pki/nssdb'), { home, run: busy, make: true })
  await store.install(judgeTestRoot(root.pem))
  expect(await store.trusts(root)).toBe(true)
})

test('Debian anchors: OpenSSL verifies the leaf by them, and no longer after uninstall', async () => {
  const folder = createTemporaryFolder()
  const store = createLinuxAnchors(createDebianDistribution(folder, unrelatedRoot.pem), run)
  const file = join(folder, 'leaf.pem')
  writeFileSync(file, leaf.cert)
  const verified = () =>
    spawnSync('openssl', [
      ...['verify', '-no-CAfile', '-no-CAstore', '-CApath', join(folder, 'etc')],
      ...['-verify_hostname', 'localhost', file],
    ]).status
  expect(verified()).not.toBe(0)
  await store.install(judgeTestRoot(root.pem))
  expect(verified()).toBe(0)
  await store.uninstall(root)
  expect(verified()).not.toBe(0)
  const left = readdirSync(join(folder, 'etc')).filter((name) => name.startsWith('cardwire'))
  expect(left).toEqual([])
})

test('NSS: its own verifier accepts the leaf for a TLS server, and no longer after uninstall', async () => {
  const home = createTemporaryFolder()
  const database = join(home, 'nssdb')
  const store = createNssStore(database, { home, run, make: true })
  const file = join(home, 'leaf.der')
  await store.install(judgeTestRoot(other.pem))
  writeFileSync(file, readCertificate(leaf.cert).der)
  // -u 1: the purpose of a TLS server; -pp: by the verifier that browsers use. It prints on standard error.
  const verify = () =>
    spawnSync('vfychain', ['-d', `sql:${database}`, '-pp', '-u', '1', file], { encoding: 'utf8' })
      .stderr
  expect(verify()).toContain('issuer is not recognized')
  await store.install(judgeTestRoot(root.pem))
  expect(verify()).toContain('Chain is good!')
  await store.uninstall(root)
  expect(verify()).toContain('issuer is not recognized')
})

test('NSS: the old and the new place and every Firefox profile are stores of the user', async () => {
  const home = createTemporaryFolder()
  const profiles = [
    '.config/mozilla/firefox/new.default',
    '.mozilla/firefox/old.default',
    'snap/firefox/common/.mozilla/firefox/snapped.default',
    '.var/app/org.mozilla.firefox/.mozilla/firefox/boxed.default',
    'snap/chromium/current/.pki/nssdb',
  ]
  for (const profile of profiles) {
    mkdirSync(join(home, profile), { recursive: true })
    execFileSync('certutil', ['-N', '-d', `sql:${join(home, profile)}`, '--empty-password'])
  }
  mkdirSync(join(home, '.mozilla/firefox/Crash Reports'), { recursive: true })
  const found = await findNssStores({ home, environment: {}, run })
  expect(found.map(({ name }) => name).toSorted()).toEqual(
    [...profiles, '.local/share/pki/nssdb', '.pki/nssdb'].map((path) => `nss:${path}`).toSorted(),
  )
  const results = await installRoot(found, root, [])
  expect(results.every(({ trusted }) => trusted)).toBe(true)
  const gone = await uninstallRoot(found, root, { hosts: [] })
  expect(gone.some(({ trusted, reason }) => trusted || reason)).toBe(false)
})

test('NSS: the places follow XDG_DATA_HOME and XDG_CONFIG_HOME', async () => {
  const home = createTemporaryFolder()
  const environment = { XDG_DATA_HOME: join(home, 'data'), XDG_CONFIG_HOME: 'relative' }
  const names = (await findNssStores({ home, environment, run })).map(({ name }) => name)
  expect(names).toEqual(['nss:data/pki/nssdb', 'nss:.pki/nssdb'])
})

test('NSS: a store behind a link is named by where it leads', async () => {
  const home = createTemporaryFolder()
  mkdirSync(join(home, 'real/pki'), { recursive: true })
  mkdirSync(join(home, 'data'))
  symlinkSync(join(home, 'real/pki'), join(home, 'data/pki'))
  const environment = { XDG_DATA_HOME: join(home, 'data') }
  const [own, ...others] = await findNssStores({ home, environment, run })
  expect([own, ...others].map((store) => store?.name)).toEqual([
    'nss:real/pki/nssdb',
    'nss:.pki/nssdb',
  ])
  const [result] = await installRoot(own ? [own] : [], root, [])
  expect(result).toMatchObject({ store: 'nss:real/pki/nssdb', trusted: true })
  expect(existsSync(join(home, 'real/pki/nssdb/cert9.db'))).toBe(true)
})

test('NSS: without certutil the store names the package to install', async () => {
  const bare = createRunner({ PATH: '/nonexistent' })
  const store = createNssStore(join(createTemporaryFolder(), 'nssdb'), {
    home: '/',
    run: bare,
    make: true,
  })
  expect(await store.findObstacle()).toEqual({
    reason: 'certutil is missing',
    remedy: expect.stringContaining('install libnss3-tools'),
  })
})

test('A store that fails never stops the others', async () => {
  const home = createTemporaryFolder()
  const broken = join(home, '.mozilla/firefox/broken.default')
  mkdirSync(broken, { recursive: true })
  writeFileSync(join(broken, 'cert9.db'), 'this is no database')
  const results = await installRoot(await findNssStores({ home, environment: {}, run }), root, [])
  expect(results.map(({ trusted }) => trusted)).toEqual([true, true, false])
  expect(results.at(-1)?.reason).toContain('certutil -A failed')
  const status = await checkTrust(await findNssStores({ home, environment: {}, run }), root)
  expect(status.map(({ trusted }) => trusted)).toEqual([true, true, false])
})

test('A profile with a primary password is answered, not waited for', async () => {
  const home = createTemporaryFolder()
  const profile = join(home, '.mozilla/firefox/locked.default')
  mkdirSync(profile, { recursive: true })
  writeFileSync(join(home, 'password'), 'secret of the user\n')
  execFileSync('certutil', ['-N', '-d', `sql:${profile}`, '-f', join(home, 'password')])
  const [result] = await installRoot(
    [createNssStore(profile, { home, run, make: false })],
    root,
    [],
  )
  expect(result?.trusted === true || result?.reason !== undefined).toBe(true)
})

test('A root without constraints goes into no store, of the machine or of a user', async () => {
  proves('root-key-stolen')
  const options = { now, owner: 'tests@here', constraints: 'none', hosts: [] } as const
  const unbound = readCertificate((await makeTestRoot(options)).cert)
  const folder = createTemporaryFolder()
  const both = [
    createLinuxAnchors(createDebianDistribution(folder, unrelatedRoot.pem), run),
    createNssStore(join(folder, 'nssdb'), { home: folder, run, make: true }),
  ]
  const reason =
    'the root certificate was rejected: it lacks an extension that the root certificate of a connector has'
  expect(await installRoot(both, unbound, [])).toMatchObject([
    { trusted: false, reason },
    { trusted: false, reason },
  ])
})

test('An unknown distribution is reported as unknown', async () => {
  const store = createLinuxAnchors(undefined, run)
  expect((await store.findObstacle())?.reason).toContain('not known')
  expect(await store.trusts(root)).toBe(false)
})

test('The stores of a user are never those of the machine, on any platform', async () => {
  const home = createTemporaryFolder()
  for (const platform of ['linux', 'darwin', 'win32']) {
    const place = { platform, home, environment: {}, run, uid: 1000 }
    for (const scope of ['user', 'machine'] as const) {
      const found = await findTrustStores(place, scope)
      expect(new Set(found.map((store) => store.scope))).toEqual(new Set([scope]))
    }
  }
})

describe('a store that cannot be read is not taken for one that does not trust the root', () => {
  const unread = [{ trusted: false, unread: true, reason: expect.any(String) }]

  test.each<[string, (folder: string) => Promise<TrustStore>]>([
    [
      'a database whose program is gone',
      async (folder) => {
        const path = join(folder, 'nssdb')
        await createNssStore(path, { home: folder, run, make: true }).install(
          judgeTestRoot(root.pem),
        )
        const bare = createRunner({ PATH: '/nonexistent' })
        return createNssStore(path, { home: folder, run: bare, make: true })
      },
    ],
    [
      'a database behind a link that leads to itself',
      async (folder) => {
        const path = join(folder, 'nssdb')
        mkdirSync(path)
        symlinkSync('cert9.db', join(path, 'cert9.db'))
        return createNssStore(path, { home: folder, run, make: false })
      },
    ],
    [
      'a bundle that is a folder',
      async (folder) => {
        const distribution = createDebianDistribution(folder, unrelatedRoot.pem)
        const bundle = join(folder, 'bundle')
        mkdirSync(bundle)
        return createLinuxAnchors({ ...distribution, bundle }, run)
      },
    ],
    [
      'a policy whose root is a folder',
      async (folder) => {
        const store = createFirefoxPolicy(join(folder, 'policies/policies.json'))
        await store.install(judgeTestRoot(root.pem))
        const path = join(folder, `policies/cardwire-${root.fingerprint.slice(0, 16)}.pem`)
        rmSync(path)
        mkdirSync(path)
        return store
      },
    ],
  ])('%s', async (_, open) => {
    proves('trust-unread')
    const store = await open(createTemporaryFolder())
    expect(await checkTrust([store], root)).toMatchObject(unread)
    expect(await uninstallRoot([store], root, { hosts: [] })).toMatchObject(unread)
  })

  test('a profile of Firefox that cannot be read is a store', async () => {
    proves('trust-unread')
    const home = createTemporaryFolder()
    const profile = join(home, '.mozilla/firefox/one.default')
    mkdirSync(profile, { recursive: true })
    symlinkSync('cert9.db', join(profile, 'cert9.db'))
    const found = await findNssStores({ home, environment: {}, run })
    expect(await checkTrust(found.slice(2), root)).toMatchObject(unread)
  })

  test('uninstall keeps the files until it can be read, and removes them by force', async () => {
    proves('trust-unread')
    const home = createTemporaryFolder()
    const here = createCertificateSetup({
      stores: () => findNssStores({ home, environment: {}, run }),
    })
    await here.certificates.install()
    const bare = createRunner({ PATH: '/nonexistent' })
    const later = createCertificateSetup({
      path: here.path,
      stores: () => findNssStores({ home, environment: {}, run: bare }),
    })
    expect(await later.certificates.uninstall({})).toMatchObject({
      removed: false,
      reason: expect.stringContaining('nss:.pki/nssdb may still trust the root certificate'),
    })
    expect(here.names()).toContain('rootCA.pem')
    expect(await later.certificates.uninstall({ force: true })).toMatchObject({ removed: true })
  })
})

describe('the Firefox policy', () => {
  const policy = () => join(createTemporaryFolder(), 'firefox/policies/policies.json')
  const read = (file: string): unknown => JSON.parse(readFileSync(file, 'utf8'))

  test('names a file that Firefox reads, and goes when it holds nothing else', async () => {
    const file = policy()
    const store = createFirefoxPolicy(file)
    await store.install(judgeTestRoot(root.pem))
    const pem = join(file, `../cardwire-${root.fingerprint.slice(0, 16)}.pem`)
    expect(read(file)).toEqual({ policies: { Certificates: { Install: [pem] } } })
    expect(readFileSync(pem, 'utf8')).toBe(root.pem)
    await store.uninstall(root)
    expect([existsSync(file), existsSync(pem)]).toEqual([false, false])
  })

  test('keeps what others wrote, and gives it back as it was', async () => {
    const file = policy()
    mkdirSync(join(file, '..'), { recursive: true })
    const before = {
      policies: {
        DisableTelemetry: true,
        Certificates: { ImportEnterpriseRoots: true, Install: ['/etc/their.pem'] },
      },
    }
    writeFileSync(file, JSON.stringify(before))
    const store = createFirefoxPolicy(file)
    await store.install(judgeTestRoot(root.pem))
    expect(read(file)).toMatchObject({
      policies: { DisableTelemetry: true, Certificates: { ImportEnterpriseRoots: true } },
    })
    await store.uninstall(root)
    expect(read(file)).toEqual(before)
  })

  test('leaves a file alone that it cannot read', async () => {
    const file = policy()
    mkdirSync(join(file, '..'), { recursive: true })
    writeFileSync(file, '{ "policies": ')
    const [result] = await installRoot([createFirefoxPolicy(file)], root, [])
    expect(result).toMatchObject({
      trusted: false,
      reason: expect.stringContaining('so it was not changed'),
    })
    expect(readFileSync(file, 'utf8')).toBe('{ "policies": ')
  })
})

describe('the certificates over real stores', () => {
  /** A home whose two NSS databases are its stores. */
  function createSetupWithStores() {
    const home = createTemporaryFolder()
    const here = createCertificateSetup({
      stores: () => findNssStores({ home, environment: {}, run }),
    })
    return { ...here, home }
  }

  test('install, then a name is verified by the stores', async () => {
    const { certificates } = createSetupWithStores()
    const results = await certificates.install()
    expect(results.map(({ trusted }) => trusted)).toEqual([true, true])
    expect(await certificates.statusOf('localhost')).toMatchObject({
      verified: true,
      reasons: [],
      trustedBy: ['nss:.local/share/pki/nssdb', 'nss:.pki/nssdb'],
    })
    expect(await certificates.statusOf('localhost.evil.example')).toMatchObject({ verified: false })
  })

  test('a new root replaces the old one in the stores that trusted it, and in no others', async () => {
    proves('old-root-trusted')
    const { certificates, home, read } = createSetupWithStores()
    await certificates.ensure()
    const before = readCertificate(read('rootCA.pem'))
    const [first, second] = await findNssStores({ home, environment: {}, run })
    await first?.install(judgeTestRoot(before.pem))
    const { trust } = await certificates.renew({ root: true })
    expect(trust).toMatchObject([{ store: 'nss:.local/share/pki/nssdb', trusted: true }])
    const after = readCertificate(read('rootCA.pem'))
    expect([await first?.trusts(before), await first?.trusts(after)]).toEqual([false, true])
    expect(await second?.trusts(after)).toBe(false)
  })

  test('uninstall takes the trust, then the files', async () => {
    const { certificates, home, read, names } = createSetupWithStores()
    await certificates.install()
    const before = readCertificate(read('rootCA.pem'))
    expect(await certificates.uninstall({})).toMatchObject({ removed: true })
    const [first] = await findNssStores({ home, environment: {}, run })
    expect(await first?.trusts(before)).toBe(false)
    expect(names()).toEqual([])
  })

  test('uninstall keeps the files while a store still trusts the root, and a second try ends it', async () => {
    const folder = createTemporaryFolder()
    const distribution = createDebianDistribution(folder, unrelatedRoot.pem)
    const here = createCertificateSetup({
      stores: async () => [createLinuxAnchors(distribution, run)],
    })
    await here.certificates.install()
    // Its command is gone: the store cannot forget.
    const stuck: Distribution = { ...distribution, removal: ['/nonexistent'] }
    const later = createCertificateSetup({
      path: here.path,
      stores: async () => [createLinuxAnchors(stuck, run)],
    })
    const refused = await later.certificates.uninstall({})
    expect(refused).toMatchObject({
      removed: false,
      reason: expect.stringContaining('anchors may still trust the root certificate'),
      trust: [{ trusted: true, reason: expect.stringContaining('/nonexistent failed') }],
    })
    expect(here.names()).toContain('rootCA.pem')
    expect(await here.certificates.uninstall({})).toMatchObject({
      removed: true,
      trust: [{ trusted: false }],
    })
  })
})
