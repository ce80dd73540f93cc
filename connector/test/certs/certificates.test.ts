/** The certificates of a machine through their port: what is kept, what is renewed, what is repaired, what is refused. */
import { X509Certificate } from 'node:crypto'
import { chmodSync, mkdirSync, watch, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createServer } from 'node:tls'
import { describe, expect, onTestFinished, test } from 'vitest'
import { proves } from '../../../test/bed/proves.ts'
import { isKeyOf, isSignedBy } from '../../src/pki/certificate.ts'
import { readName } from '../../src/pki/names.ts'
import { makeLeaf } from '../../src/pki/x509.ts'
import { createCertificateSetup } from './test-certificates.ts'
import { makeTestRoot } from './test-root.ts'

const four = ['localhost-key.pem', 'localhost.pem', 'rootCA-key.pem', 'rootCA.pem']

/** That the four files belong together. */
function expectOneSet({ read }: ReturnType<typeof createCertificateSetup>): void {
  expect(isKeyOf(read('rootCA-key.pem'), read('rootCA.pem'))).toBe(true)
  expect(isKeyOf(read('localhost-key.pem'), read('localhost.pem'))).toBe(true)
  expect(isSignedBy(read('localhost.pem'), read('rootCA.pem'))).toBe(true)
}

describe('ensure', () => {
  test('makes the four files, for their owner alone, and nothing that lies about', async () => {
    proves('root-per-device', 'certificate-folder-shared')
    const here = createCertificateSetup()
    const tls = await here.certificates.ensure()
    expect(here.names()).toEqual([...four, 'packages.json'].toSorted())
    expect([here.mode('.'), here.mode('rootCA-key.pem'), here.mode('localhost-key.pem')]).toEqual([
      '700',
      '600',
      '600',
    ])
    expect(tls.cert).toBe(here.read('localhost.pem'))
    expect(tls.key).toBe(here.read('localhost-key.pem'))
    expectOneSet(here)
  })

  test('reuses a valid root and leaf, and renews the leaf after 90 days', async () => {
    proves('stale-leaf-replaced')
    const here = createCertificateSetup()
    const first = await here.certificates.ensure()
    const root = here.read('rootCA.pem')
    here.advanceDays(89)
    expect((await here.certificates.ensure()).fingerprint).toBe(first.fingerprint)
    here.advanceDays(2)
    const second = await here.certificates.ensure()
    expect(second.fingerprint).not.toBe(first.fingerprint)
    expect(here.read('rootCA.pem')).toBe(root)
    expectOneSet(here)
  })

  test('keeps a leaf that is old by a clock that is not trusted, and renews it 30 days before its end', async () => {
    proves('stale-leaf-replaced')
    const here = createCertificateSetup({ isClockTrusted: () => false })
    const first = await here.certificates.ensure()
    here.advanceDays(360)
    expect((await here.certificates.ensure()).fingerprint).toBe(first.fingerprint)
    here.advanceDays(8)
    expect((await here.certificates.ensure()).fingerprint).not.toBe(first.fingerprint)
    expectOneSet(here)
  })

  test('replaces a leaf that a clock made which was 23 hours ahead, once the clock is right', async () => {
    proves('connector-clock-jump')
    const here = createCertificateSetup()
    await here.certificates.ensure()
    here.advanceDays(370)
    const ahead = await here.certificates.ensure()
    here.advanceDays(-23 / 24)
    const { cert, fingerprint } = await here.certificates.ensure()
    expect(fingerprint).not.toBe(ahead.fingerprint)
    expect(Date.parse(new X509Certificate(cert).validFrom)).toBeLessThanOrEqual(
      here.services.clock(),
    )
    expectOneSet(here)
  })

  test.each([
    ['a leaf half written', 'localhost.pem', (text: string) => text.slice(0, 300)],
    ['an empty key of the leaf', 'localhost-key.pem', () => ''],
    ['a leaf with the certificate of the root', 'localhost.pem', undefined],
  ])('repairs %s and keeps the root', async (_, name, damage) => {
    proves('stale-leaf-replaced')
    const here = createCertificateSetup()
    const first = await here.certificates.ensure()
    const root = here.read('rootCA.pem')
    here.write(name, damage ? damage(here.read(name)) : root)
    const second = await here.certificates.ensure()
    expect(second.fingerprint).not.toBe(first.fingerprint)
    expect(here.read('rootCA.pem')).toBe(root)
    expectOneSet(here)
  })

  test('replaces a root that is half written, and logs it', async () => {
    const here = createCertificateSetup()
    await here.certificates.ensure()
    here.write('rootCA.pem', here.read('rootCA.pem').slice(0, 500))
    await here.certificates.ensure()
    expectOneSet(here)
    expect(here.log).toContainEqual(
      expect.objectContaining({ level: 'warn', event: 'the root certificate is replaced' }),
    )
  })

  test.each([
    ['rootCA.pem', /^rootCA.pem is damaged and is replaced: .*cardwire certs install$/],
    [
      'localhost-key.pem',
      /^localhost-key.pem is damaged and is replaced: .*new localhost certificate is created$/,
    ],
  ])(
    'keeps a damaged %s for its owner alone, and logs it; uninstall removes it',
    async (name, event) => {
      proves('data-file-damaged')
      const here = createCertificateSetup()
      await here.certificates.ensure()
      expect(here.log.filter(({ level }) => level === 'warn')).toEqual([])
      here.write(name, 'half of a file')
      await here.certificates.ensure()
      const kept = here.names().filter((each) => each.includes('.damaged-'))
      expect(kept).toEqual([expect.stringMatching(new RegExp(`^${name}\\.damaged-`))])
      expect([here.read(kept[0] ?? ''), here.mode(kept[0] ?? '')]).toEqual([
        'half of a file',
        '600',
      ])
      expect(here.log).toContainEqual(
        expect.objectContaining({ level: 'warn', event: expect.stringMatching(event) }),
      )
      expectOneSet(here)
      await here.certificates.uninstall({ force: true })
      expect(here.names().filter((each) => each.includes('.damaged-'))).toEqual([])
    },
  )

  test('keeps serving below a root without its key, until the leaf is stale', async () => {
    const here = createCertificateSetup()
    const first = await here.certificates.ensure()
    here.remove('rootCA-key.pem')
    expect((await here.certificates.ensure()).fingerprint).toBe(first.fingerprint)
    here.advanceDays(370)
    expect((await here.certificates.ensure()).fingerprint).not.toBe(first.fingerprint)
    expectOneSet(here)
  })

  test('replaces an expired root', async () => {
    const here = createCertificateSetup()
    await here.certificates.ensure()
    const old = here.read('rootCA.pem')
    here.advanceDays(3660)
    await here.certificates.ensure()
    expect(here.read('rootCA.pem')).not.toBe(old)
    expectOneSet(here)
  })

  test.each([
    ['with its key', []],
    ['without its key', ['rootCA-key.pem']],
  ])('keeps an expired root %s until the clock is trusted', async (_, removed) => {
    proves('connector-clock-jump')
    let isTrusted = false
    const here = createCertificateSetup({ isClockTrusted: () => isTrusted })
    const first = await here.certificates.ensure()
    for (const name of removed) here.remove(name)
    const old = here.read('rootCA.pem')
    here.advanceDays(4638)
    expect((await here.certificates.ensure()).fingerprint).toBe(first.fingerprint)
    expect(here.read('rootCA.pem')).toBe(old)
    isTrusted = true
    await here.certificates.ensure()
    expect(here.read('rootCA.pem')).not.toBe(old)
    expectOneSet(here)
  })

  test('replaces a root that a clock years ahead made, once the clock is trusted', async () => {
    proves('connector-clock-jump')
    let isTrusted = true
    const here = createCertificateSetup({ isClockTrusted: () => isTrusted })
    here.advanceDays(4638)
    await here.certificates.ensure()
    const old = here.read('rootCA.pem')
    isTrusted = false
    here.advanceDays(-4638)
    await here.certificates.ensure()
    expect(here.read('rootCA.pem')).toBe(old)
    isTrusted = true
    await here.certificates.ensure()
    expect(here.read('rootCA.pem')).not.toBe(old)
    expectOneSet(here)
  })

  test('refuses a foreign certificate in place of the root, and leaves it alone', async () => {
    const here = createCertificateSetup()
    await here.certificates.ensure()
    const foreign = here.read('localhost.pem')
    here.write('rootCA.pem', foreign)
    await expect(here.certificates.ensure()).rejects.toMatchObject({
      name: 'certificate-refused',
      message: expect.stringContaining('the root certificate is not a certificate authority'),
    })
    expect(here.read('rootCA.pem')).toBe(foreign)
  })

  test('reuses the valid root that another package left', async () => {
    proves('root-reused')
    const here = createCertificateSetup()
    const now = Date.now()
    const order = { now, owner: 'another', constraints: 'none', hosts: [] } as const
    const root = await makeTestRoot(order)
    mkdirSync(here.path)
    here.write('rootCA.pem', root.cert)
    here.write('rootCA-key.pem', root.key)
    await here.certificates.ensure()
    expect(here.read('rootCA.pem')).toBe(root.cert)
    expect(here.mode('rootCA-key.pem')).toBe('600')
    expectOneSet(here)
  })

  test('makes nothing by a clock that stands in the past', async () => {
    const here = createCertificateSetup({ clock: () => 0 })
    await expect(here.certificates.ensure()).rejects.toThrow('the clock says 1970-01-01T00:00')
    expect(here.names()).toEqual([])
  })

  test('serves what is there when the clock was set back, and makes nothing', async () => {
    const here = createCertificateSetup()
    const first = await here.certificates.ensure()
    here.advanceDays(-2)
    expect((await here.certificates.ensure()).fingerprint).toBe(first.fingerprint)
    here.remove('localhost.pem')
    await expect(here.certificates.ensure()).rejects.toThrow('correct the clock')
  })

  test('closes files that others can read, and logs it', async () => {
    proves('private-files-read')
    const here = createCertificateSetup()
    await here.certificates.ensure()
    chmodSync(here.path, 0o755)
    chmodSync(join(here.path, 'rootCA-key.pem'), 0o644)
    const open = (await here.certificates.status()).protection
    expect(open.filter((one) => !one.private).map(({ access }) => access)).toEqual(['0755', '0644'])
    await here.certificates.ensure()
    expect([here.mode('.'), here.mode('rootCA-key.pem')]).toEqual(['700', '600'])
    const warned = here.log.filter(({ event }) => event === 'a key was open to others')
    expect(warned.map(({ fields }) => fields['before'])).toEqual(['0755', '0644'])
  })

  test('finishes the changes of a process that was stopped while it put them in place', async () => {
    const here = createCertificateSetup()
    const there = createCertificateSetup()
    await Promise.all([here.certificates.ensure(), there.certificates.ensure()])
    // Complete, and the first of the four is in place already.
    mkdirSync(join(here.path, '.next'))
    here.write('rootCA-key.pem', there.read('rootCA-key.pem'))
    for (const name of ['localhost-key.pem', 'localhost.pem', 'rootCA.pem'])
      writeFileSync(join(here.path, '.next', name), there.read(name))
    const { fingerprint } = await here.certificates.ensure()
    expect(fingerprint).toBe((await there.certificates.ensure()).fingerprint)
    expect(here.names()).toEqual([...four, 'packages.json'].toSorted())
  })

  test('throws away changes that were never complete', async () => {
    const here = createCertificateSetup()
    const { fingerprint } = await here.certificates.ensure()
    mkdirSync(join(here.path, '.draft-abc'))
    here.write('.draft-abc/rootCA.pem', 'half')
    expect((await here.certificates.renew({})).renewed).toBe(true)
    expect(here.names()).toEqual([...four, 'packages.json'].toSorted())
    expect((await here.certificates.ensure()).fingerprint).not.toBe(fingerprint)
  })
})

describe('renew', () => {
  test('makes a new leaf, notifies the listeners, and keeps the root', async () => {
    const here = createCertificateSetup()
    const first = await here.certificates.ensure()
    const root = here.read('rootCA.pem')
    const changed = new Promise((resolve) => here.certificates.onChange(resolve))
    const result = await here.certificates.renew({})
    expect(result).toMatchObject({ renewed: true, rootReplaced: false, warnings: [] })
    expect(await changed).toMatchObject({ fingerprint: result.leaf?.fingerprint })
    expect(result.leaf?.fingerprint).not.toBe(first.fingerprint)
    expect(here.read('rootCA.pem')).toBe(root)
  })

  test('makes a new root only when asked, with a warning', async () => {
    const here = createCertificateSetup()
    await here.certificates.ensure()
    const root = here.read('rootCA.pem')
    const result = await here.certificates.renew({ root: true })
    expect(result).toMatchObject({ renewed: true, rootReplaced: true })
    expect(result.warnings).toHaveLength(1)
    expect(here.read('rootCA.pem')).not.toBe(root)
    expectOneSet(here)
  })

  test('that fails answers the reason and leaves the old files in force', async () => {
    proves('failed-rotation-harmless')
    const here = createCertificateSetup()
    const first = await here.certificates.ensure()
    const before = here.read('localhost.pem')
    here.remove('rootCA-key.pem')
    const result = await here.certificates.renew({})
    expect(result).toMatchObject({
      renewed: false,
      reason: expect.stringContaining('the key of the root certificate is missing'),
    })
    expect(here.read('localhost.pem')).toBe(before)
    expect((await here.certificates.ensure()).fingerprint).toBe(first.fingerprint)
  })

  test('by another process notifies the listeners, too', async () => {
    const here = createCertificateSetup()
    await here.certificates.ensure()
    const changed = new Promise((resolve) => here.certificates.onChange(resolve))
    const other = createCertificateSetup({ path: here.path })
    const result = await other.certificates.renew({})
    expect(await changed).toMatchObject({ fingerprint: result.leaf?.fingerprint })
  })
})

describe('hosts', () => {
  test('outside the constraints of the root are named, and taken only with a new root', async () => {
    const here = createCertificateSetup()
    await here.certificates.ensure()
    const root = here.read('rootCA.pem')
    const result = await here.certificates.hosts(['Reader.example.org', '192.0.2.7', 'localhost'])
    expect(result).toMatchObject({
      hosts: ['reader.example.org', '192.0.2.7'],
      names: ['localhost', '127.0.0.1', '::1'],
      needsRoot: ['reader.example.org', '192.0.2.7'],
    })
    expect(result.warnings).toHaveLength(1)
    expect(here.read('rootCA.pem')).toBe(root)
    const renewed = await here.certificates.renew({ root: true })
    expect(renewed.leaf?.names).toEqual([
      'localhost',
      '127.0.0.1',
      '::1',
      'reader.example.org',
      '192.0.2.7',
    ])
  })

  test('inside the constraints are in the leaf at once', async () => {
    const hosts = ['reader.example.org']
    const here = createCertificateSetup({ hosts })
    await here.certificates.ensure()
    const root = here.read('rootCA.pem')
    const result = await here.certificates.hosts(['a.reader.example.org'])
    expect(result.names).toContain('a.reader.example.org')
    expect(result.needsRoot).toEqual([])
    expect(here.read('rootCA.pem')).toBe(root)
    expect((await here.certificates.hosts([])).hosts).toEqual([])
  })

  test.each(['*.example.org', 'com', 'a b', 'https://a.org', ''])('refuse %j', async (text) => {
    const here = createCertificateSetup()
    await expect(here.certificates.hosts(['a.org', text])).rejects.toMatchObject({
      name: 'input-invalid',
      extras: { errors: [{ path: 'hosts[1]', message: expect.any(String) }] },
    })
  })
})

describe('statusOf', () => {
  test('a covered name on this machine misses nothing but trust', async () => {
    const here = createCertificateSetup()
    await here.certificates.ensure()
    for (const domain of ['localhost', '127.0.0.1', '::1'])
      expect(await here.certificates.statusOf(domain)).toMatchObject({
        covered: true,
        permitted: true,
        loopback: true,
        verified: false,
        reasons: ['no trust store trusts the root certificate'],
      })
  })

  test('a name that also resolves to another machine is not verified', async () => {
    const here = createCertificateSetup({ lookup: async () => ['127.0.0.1', '192.0.2.1'] })
    await here.certificates.ensure()
    expect(await here.certificates.statusOf('reader.example.org')).toMatchObject({
      covered: false,
      permitted: false,
      loopback: false,
      verified: false,
    })
  })

  test('a handshake shows whether the running server uses the leaf', async () => {
    let port: number | undefined
    const here = createCertificateSetup({ servedOn: () => port })
    const first = await here.certificates.ensure()
    const server = createServer({ cert: first.cert, key: first.key })
    onTestFinished(() => void server.close())
    port = await new Promise<number>((resolve) =>
      server.listen(0, '127.0.0.1', () => {
        const bound = server.address()
        resolve(bound !== null && typeof bound !== 'string' ? bound.port : 0)
      }),
    )
    for (const domain of ['localhost', '127.0.0.1'])
      expect(await here.certificates.statusOf(domain)).toMatchObject({ served: true })
    expect(await here.certificates.statusOf('::1')).toMatchObject({ served: null })
    await here.certificates.renew({})
    expect(await here.certificates.statusOf('localhost')).toMatchObject({
      served: false,
      reasons: expect.arrayContaining(['the running connector serves a different certificate']),
    })
  })

  test('refuses what is no name', async () => {
    const here = createCertificateSetup()
    await expect(here.certificates.statusOf('a b')).rejects.toMatchObject({ name: 'input-invalid' })
  })
})

describe('status', () => {
  test('shows no key, and reports what is stale without changing it', async () => {
    const here = createCertificateSetup()
    expect(await here.certificates.status()).toMatchObject({
      root: { state: 'absent' },
      leaf: { state: 'absent' },
      packages: [],
    })
    const { key } = await here.certificates.ensure()
    const before = here.read('localhost.pem')
    here.advanceDays(370)
    const status = await here.certificates.status()
    expect(status.leaf).toMatchObject({
      state: 'stale',
      reason: 'the localhost certificate expires within 30 days',
    })
    expect(JSON.stringify(status)).not.toContain(key.split('\n')[1])
    expect(here.read('localhost.pem')).toBe(before)
  })
})

describe('uninstall', () => {
  test('leaves the files while another package is listed', async () => {
    proves('shared-folder-kept')
    const here = createCertificateSetup()
    const other = createCertificateSetup({ path: here.path, packageName: 'another' })
    await here.certificates.ensure()
    await other.certificates.ensure()
    expect(await here.certificates.uninstall({})).toMatchObject({
      removed: false,
      packages: ['another'],
    })
    expectOneSet(here)
    expect(await other.certificates.uninstall({})).toMatchObject({ removed: true, packages: [] })
    expect(here.names()).toEqual([])
  })

  test('leaves what is not ours in the folder', async () => {
    const here = createCertificateSetup()
    await here.certificates.ensure()
    here.write('notes.txt', 'mine')
    expect((await here.certificates.uninstall({})).removed).toBe(true)
    expect(here.names()).toEqual(['notes.txt'])
  })

  test('is not undone by a running API that watches the folder', async () => {
    const here = createCertificateSetup()
    await here.certificates.ensure()
    onTestFinished(here.certificates.onChange(() => undefined))
    const reported = new Promise<void>((resolve) => {
      const watcher = watch(here.path, (_, name) => {
        if (name !== 'after.txt') return
        watcher.close()
        resolve()
      })
    })
    const other = createCertificateSetup({ path: here.path })
    expect((await other.certificates.uninstall({})).removed).toBe(true)
    // The watchers are told of this after they were told of the removal.
    here.write('after.txt', '')
    await reported
    // Whoever had started to make certificates is done once the lock can be had after several turns.
    for (let turn = 0; turn < 10; turn += 1)
      await here.services.folder.withLock(async () => undefined)
    expect(here.names()).toEqual(['after.txt'])
  })

  test('refuses when the list of packages cannot be read', async () => {
    const here = createCertificateSetup()
    await here.certificates.ensure()
    here.write('packages.json', '{"half')
    expect(await here.certificates.uninstall({})).toMatchObject({ removed: false })
    expectOneSet(here)
  })
})

test('A leaf with names that were taken back is renewed when they are missing, not when they are many', async () => {
  const here = createCertificateSetup()
  await here.certificates.ensure()
  const hosts = ['a.localhost'].flatMap((name) => readName(name) ?? [])
  const root = { cert: here.read('rootCA.pem'), key: here.read('rootCA-key.pem') }
  const leaf = await makeLeaf(root, { now: Date.now(), hosts })
  here.write('localhost.pem', leaf.cert)
  here.write('localhost-key.pem', leaf.key)
  expect((await here.certificates.ensure()).cert).toBe(leaf.cert)
})
