/** The trust stores of Linux, with the real commands: every store passes one suite, and a second program sees the trust. */
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { type Facts, type Pair, readCertificate } from '../../src/pki/certificate.ts'
import { makeLeaf, makeRoot } from '../../src/pki/x509.ts'
import { installRoot, trustOf, uninstallRoot } from '../../src/trust/apply.ts'
import { firefoxPolicy } from '../../src/trust/firefox-policy.ts'
import { type Distribution, linuxAnchors } from '../../src/trust/linux-anchors.ts'
import { nssStore, nssStores } from '../../src/trust/nss.ts'
import { runner } from '../../src/trust/run.ts'
import { storesOf } from '../../src/trust/stores.ts'
import type { TrustStore } from '../../src/trust/trust-store.ts'
import { machine, temporary } from './machine.ts'

const now = Date.now()
const run = runner()
let pair: Pair
let root: Facts
let other: Facts
let neighbour: Facts
let leaf: Pair

beforeAll(async () => {
  const order = { now, owner: 'tests@here', constraints: 'full', hosts: [] } as const
  pair = await makeRoot(order)
  root = readCertificate(pair.cert)
  other = readCertificate((await makeRoot(order)).cert)
  neighbour = readCertificate((await makeRoot(order)).cert)
  leaf = await makeLeaf(pair, { now, hosts: [] })
})

/** Debian's own command, with folders of its own in place of the machine's. */
function debian(folder: string): Distribution {
  const paths = {
    local: join(folder, 'local'),
    etc: join(folder, 'etc'),
    hooks: join(folder, 'hooks'),
  }
  for (const path of Object.values(paths)) mkdirSync(path, { recursive: true })
  writeFileSync(join(folder, 'conf'), '')
  // The command writes no bundle when there is nobody to put in, and a machine always has somebody.
  writeFileSync(join(paths.local, 'neighbour.crt'), neighbour.pem)
  const command = [
    'update-ca-certificates',
    ...['--localcertsdir', paths.local, '--etccertsdir', paths.etc],
    ...['--hooksdir', paths.hooks, '--certsconf', join(folder, 'conf')],
  ] as const
  return {
    ids: ['debian'],
    folder: paths.local,
    extension: '.crt',
    command: [...command],
    removal: [...command, '--fresh'],
    bundle: join(paths.etc, 'ca-certificates.crt'),
  }
}

const stores: readonly (readonly [string, (folder: string) => TrustStore])[] = [
  ['Debian anchors', (folder) => linuxAnchors(debian(folder), run)],
  [
    'an NSS database that is made',
    (folder) => nssStore(join(folder, 'pki/nssdb'), { home: folder, run, make: true }),
  ],
  [
    'a Firefox profile',
    (folder) => {
      const profile = join(folder, 'abc.default')
      mkdirSync(profile)
      execFileSync('certutil', ['-N', '-d', `sql:${profile}`, '--empty-password'])
      return nssStore(profile, { home: folder, run, make: false })
    },
  ],
  ['the Firefox policy', (folder) => firefoxPolicy(join(folder, 'firefox/policies/policies.json'))],
]

describe.each(stores)('%s', (_, open) => {
  test('is available, believes what is installed, and forgets what is uninstalled', async () => {
    const store = open(temporary())
    expect(await store.available()).toBeUndefined()
    expect(await store.trusts(root)).toBe(false)
    await store.uninstall(root)
    await store.install(root)
    await store.install(root)
    expect(await store.trusts(root)).toBe(true)
    expect(await store.trusts(other)).toBe(false)
    await store.uninstall(root)
    expect(await store.trusts(root)).toBe(false)
  })

  test('keeps an old root and a new one apart', async () => {
    const store = open(temporary())
    await store.install(root)
    await store.install(other)
    await store.uninstall(root)
    expect([await store.trusts(root), await store.trusts(other)]).toEqual([false, true])
  })
})

test('Debian anchors: OpenSSL verifies the leaf by them, and no longer after uninstall', async () => {
  const folder = temporary()
  const store = linuxAnchors(debian(folder), run)
  const file = join(folder, 'leaf.pem')
  writeFileSync(file, leaf.cert)
  const verified = () =>
    spawnSync('openssl', [
      ...['verify', '-no-CAfile', '-no-CAstore', '-CApath', join(folder, 'etc')],
      ...['-verify_hostname', 'localhost', file],
    ]).status
  expect(verified()).not.toBe(0)
  await store.install(root)
  expect(verified()).toBe(0)
  await store.uninstall(root)
  expect(verified()).not.toBe(0)
  const left = readdirSync(join(folder, 'etc')).filter((name) => name.startsWith('cardwire'))
  expect(left).toEqual([])
})

test('NSS: its own verifier accepts the leaf for a TLS server, and no longer after uninstall', async () => {
  const home = temporary()
  const database = join(home, 'nssdb')
  const store = nssStore(database, { home, run, make: true })
  const file = join(home, 'leaf.der')
  await store.install(other)
  writeFileSync(file, readCertificate(leaf.cert).der)
  // -u 1: the purpose of a TLS server; -pp: by the verifier that browsers use. It prints on standard error.
  const verify = () =>
    spawnSync('vfychain', ['-d', `sql:${database}`, '-pp', '-u', '1', file], { encoding: 'utf8' })
      .stderr
  expect(verify()).toContain('issuer is not recognized')
  await store.install(root)
  expect(verify()).toContain('Chain is good!')
  await store.uninstall(root)
  expect(verify()).toContain('issuer is not recognized')
})

test('NSS: the old and the new place and every Firefox profile are stores of the person', async () => {
  const home = temporary()
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
  const found = await nssStores({ home, environment: {}, run })
  expect(found.map(({ name }) => name).toSorted()).toEqual(
    [...profiles, '.local/share/pki/nssdb', '.pki/nssdb'].map((path) => `nss:${path}`).toSorted(),
  )
  const results = await installRoot(found, root)
  expect(results.every(({ trusted }) => trusted)).toBe(true)
  const gone = await uninstallRoot(found, root)
  expect(gone.some(({ trusted, reason }) => trusted || reason)).toBe(false)
})

test('NSS: the places follow XDG_DATA_HOME and XDG_CONFIG_HOME', async () => {
  const home = temporary()
  const environment = { XDG_DATA_HOME: join(home, 'data'), XDG_CONFIG_HOME: 'relative' }
  const names = (await nssStores({ home, environment, run })).map(({ name }) => name)
  expect(names).toEqual(['nss:data/pki/nssdb', 'nss:.pki/nssdb'])
})

test('NSS: without certutil the store says what to install', async () => {
  const bare = runner({ PATH: '/nonexistent' })
  const store = nssStore(join(temporary(), 'nssdb'), { home: '/', run: bare, make: true })
  expect(await store.available()).toContain('install libnss3-tools')
})

test('A store that fails never stops the others', async () => {
  const home = temporary()
  const broken = join(home, '.mozilla/firefox/broken.default')
  mkdirSync(broken, { recursive: true })
  writeFileSync(join(broken, 'cert9.db'), 'this is no database')
  const results = await installRoot(await nssStores({ home, environment: {}, run }), root)
  expect(results.map(({ trusted }) => trusted)).toEqual([true, true, false])
  expect(results.at(-1)?.reason).toContain('certutil -A failed')
  const status = await trustOf(await nssStores({ home, environment: {}, run }), root)
  expect(status.map(({ trusted }) => trusted)).toEqual([true, true, false])
})

test('A profile with a primary password is answered, not waited for', async () => {
  const home = temporary()
  const profile = join(home, '.mozilla/firefox/locked.default')
  mkdirSync(profile, { recursive: true })
  writeFileSync(join(home, 'password'), 'secret of the person\n')
  execFileSync('certutil', ['-N', '-d', `sql:${profile}`, '-f', join(home, 'password')])
  const [result] = await installRoot([nssStore(profile, { home, run, make: false })], root)
  expect(result?.trusted === true || result?.reason !== undefined).toBe(true)
})

test('A root without constraints goes into no store of the machine', async () => {
  const order = { now, owner: 'tests@here', constraints: 'none', hosts: [] } as const
  const unbound = readCertificate((await makeRoot(order)).cert)
  const folder = temporary()
  const [result] = await installRoot([linuxAnchors(debian(folder), run)], unbound)
  expect(result).toMatchObject({
    trusted: false,
    reason: expect.stringContaining('without name constraints'),
  })
  const [person] = await installRoot(
    [nssStore(join(folder, 'nssdb'), { home: folder, run, make: true })],
    unbound,
  )
  expect(person).toMatchObject({ trusted: true })
})

test('A distribution nobody knows is said to be', async () => {
  const store = linuxAnchors(undefined, run)
  expect(await store.available()).toContain('not known')
  expect(await store.trusts(root)).toBe(false)
})

test('The stores of a person are never those of the machine, on any platform', async () => {
  const home = temporary()
  for (const platform of ['linux', 'darwin', 'win32']) {
    const place = { platform, home, environment: {}, run, uid: 1000 }
    for (const scope of ['user', 'machine'] as const) {
      const found = await storesOf(place, scope)
      expect(new Set(found.map((store) => store.scope))).toEqual(new Set([scope]))
    }
  }
})

describe('the Firefox policy', () => {
  const policy = () => join(temporary(), 'firefox/policies/policies.json')
  const read = (file: string): unknown => JSON.parse(readFileSync(file, 'utf8'))

  test('names a file that Firefox reads, and goes when it holds nothing else', async () => {
    const file = policy()
    const store = firefoxPolicy(file)
    await store.install(root)
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
    const store = firefoxPolicy(file)
    await store.install(root)
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
    const [result] = await installRoot([firefoxPolicy(file)], root)
    expect(result).toMatchObject({
      trusted: false,
      reason: expect.stringContaining('stays as it is'),
    })
    expect(readFileSync(file, 'utf8')).toBe('{ "policies": ')
  })
})

describe('the certificates over real stores', () => {
  /** A home whose two NSS databases are its stores. */
  function withStores() {
    const home = temporary()
    const here = machine({ stores: () => nssStores({ home, environment: {}, run }) })
    return { ...here, home }
  }

  test('install, then a name is verified by the stores', async () => {
    const { certificates } = withStores()
    const results = await certificates.install()
    expect(results.map(({ trusted }) => trusted)).toEqual([true, true])
    expect(await certificates.statusOf('localhost')).toMatchObject({
      verified: true,
      reasons: [],
      trustedBy: ['nss:.local/share/pki/nssdb', 'nss:.pki/nssdb'],
    })
    expect(await certificates.statusOf('localhost.evil.example')).toMatchObject({ verified: false })
  })

  test('a new root takes the place of the old one where that was believed, and nowhere else', async () => {
    const { certificates, home, read } = withStores()
    await certificates.ensure()
    const before = readCertificate(read('rootCA.pem'))
    const [first, second] = await nssStores({ home, environment: {}, run })
    await first?.install(before)
    const { trust } = await certificates.renew({ root: true })
    expect(trust).toMatchObject([{ store: 'nss:.local/share/pki/nssdb', trusted: true }])
    const after = readCertificate(read('rootCA.pem'))
    expect([await first?.trusts(before), await first?.trusts(after)]).toEqual([false, true])
    expect(await second?.trusts(after)).toBe(false)
  })

  test('uninstall takes the trust, then the files', async () => {
    const { certificates, home, read, names } = withStores()
    await certificates.install()
    const before = readCertificate(read('rootCA.pem'))
    expect(await certificates.uninstall({})).toMatchObject({ removed: true })
    const [first] = await nssStores({ home, environment: {}, run })
    expect(await first?.trusts(before)).toBe(false)
    expect(names()).toEqual([])
  })

  test('uninstall keeps the files while a store still believes the root, and a second try ends it', async () => {
    const folder = temporary()
    const distribution = debian(folder)
    const here = machine({ stores: async () => [linuxAnchors(distribution, run)] })
    await here.certificates.install()
    // Its command is gone: the store cannot forget.
    const stuck: Distribution = { ...distribution, removal: ['/nonexistent'] }
    const later = machine({ path: here.path, stores: async () => [linuxAnchors(stuck, run)] })
    const refused = await later.certificates.uninstall({})
    expect(refused).toMatchObject({
      removed: false,
      reason: expect.stringContaining('anchors still believes the root'),
      trust: [{ trusted: true, reason: expect.stringContaining('/nonexistent failed') }],
    })
    expect(here.names()).toContain('rootCA.pem')
    expect(await here.certificates.uninstall({})).toMatchObject({
      removed: true,
      trust: [{ trusted: false }],
    })
  })
})
