/** Machines with a root of an earlier connector or of another package: which one stays, and how another takes its place. */
import { generateKeyPairSync } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { proves } from '../../../test/bed/proves.ts'
import { readCertificate } from '../../src/pki/certificate.ts'
import { uninstallRoot } from '../../src/pki/trust-stores/install-root.ts'
import type { TrustStore } from '../../src/pki/trust-stores/trust-store.ts'
import { constraintsOf, dns, type Forgery, forgeRoot, localBases, subtrees } from './forge-root.ts'
import { createCertificateSetup } from './test-certificates.ts'

/** A machine with a root in its files, and a store that removes whatever it is asked to. */
function machine(forgery: Forgery = {}, machineHosts: readonly string[] = []) {
  const keys = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const trusted = new Set<string>()
  const store: TrustStore = {
    name: 'windows:machine',
    scope: 'machine',
    removes: 'any',
    findObstacle: async () => undefined,
    trusts: async ({ fingerprint }) => trusted.has(fingerprint),
    async install({ fingerprint }) {
      trusted.add(fingerprint)
    },
    async uninstall({ fingerprint }) {
      trusted.delete(fingerprint)
    },
  }
  const here = createCertificateSetup({
    stores: async () => [store],
    machineHosts: () => machineHosts,
  })
  const pem = forgeRoot({ ...forgery, keys })
  mkdirSync(here.path, { recursive: true })
  here.write('rootCA.pem', pem)
  here.write('rootCA-key.pem', keys.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString())
  return { ...here, store, trusted, pem, root: readCertificate(pem) }
}

test('a root in the form of every earlier version stays, and is trusted', async () => {
  proves('hostile-root')
  const { certificates, read, pem, trusted, root } = machine()
  expect(await certificates.install()).toEqual([
    { store: 'windows:machine', scope: 'machine', trusted: true },
  ])
  expect([read('rootCA.pem'), [...trusted]]).toEqual([pem, [root.fingerprint]])
})

test('a root of another package without constraints is served, not trusted, and another takes its place', async () => {
  proves('hostile-root', 'old-root-trusted')
  const { certificates, read, pem, trusted, root } = machine({
    extensions: { constraints: undefined, purposes: undefined },
  })
  const reason =
    'the root certificate was rejected: it lacks an extension that the root certificate of a connector has; create a new one: cardwire certs renew --root'
  expect(await certificates.install()).toEqual([
    { store: 'windows:machine', scope: 'machine', trusted: false, reason },
  ])
  expect([read('rootCA.pem'), trusted.size]).toEqual([pem, 0])
  // The other package had it trusted.
  trusted.add(root.fingerprint)
  expect(await certificates.renew({ root: true })).toMatchObject({
    renewed: true,
    trust: [{ store: 'windows:machine', trusted: true }],
  })
  expect([...trusted]).toEqual([readCertificate(read('rootCA.pem')).fingerprint])
})

describe('a root that signs for a name of the list of a user', () => {
  const extensions = {
    constraints: constraintsOf(subtrees.permitted(...localBases, dns('bank.example'))),
  }

  test('is served, and not put into the store of everyone', async () => {
    proves('elevated-user-settings')
    const { certificates, read, write, pem, trusted } = machine({ extensions })
    write('hosts.json', '["bank.example"]')
    const reason =
      'the root certificate was rejected: it can sign for names other than those of this computer; have an administrator set them in CARDWIRE_HOSTS, or remove them and create a new one: cardwire certs renew --root'
    expect(await certificates.install()).toEqual([
      { store: 'windows:machine', scope: 'machine', trusted: false, reason },
    ])
    expect([read('rootCA.pem'), trusted.size]).toEqual([pem, 0])
  })

  test('does not replace one that everyone trusts', async () => {
    proves('elevated-user-settings')
    const { certificates, write, trusted, root } = machine()
    await certificates.install()
    write('hosts.json', '["bank.example"]')
    await certificates.renew({ root: true })
    expect([trusted.size, trusted.has(root.fingerprint)]).toEqual([0, false])
  })

  test('is put there if an administrator has set that name', async () => {
    proves('elevated-user-settings')
    const { certificates, write, trusted, root } = machine({ extensions }, ['bank.example'])
    write('hosts.json', '["bank.example"]')
    await certificates.install()
    expect([...trusted]).toEqual([root.fingerprint])
  })
})

test('a store that cannot tell ours from theirs removes a root only when it may be trusted, or we hold its key', async () => {
  proves('root-removed-by-file')
  const { read, store, trusted, root } = machine({ extensions: { constraints: undefined } })
  trusted.add(root.fingerprint)
  const reason =
    'the root certificate is not from Cardwire: it lacks an extension that the root certificate of a connector has'
  const other = machine().read('rootCA-key.pem')
  for (const key of [undefined, '', other])
    expect(await uninstallRoot([store], root, { hosts: [], key })).toMatchObject([
      { trusted: true, reason },
    ])
  expect(await uninstallRoot([store], root, { hosts: [], key: read('rootCA-key.pem') })).toEqual([
    { store: 'windows:machine', scope: 'machine', trusted: false },
  ])
})

test('the files of a user whose root is a copy of another one remove nothing', async () => {
  proves('root-removed-by-file')
  const { certificates, remove, trusted, root } = machine({
    extensions: { constraints: undefined },
  })
  trusted.add(root.fingerprint)
  remove('rootCA-key.pem')
  expect(await certificates.uninstall({})).toMatchObject({ removed: false })
  expect(await certificates.untrust()).toMatchObject([{ trusted: true }])
  expect(trusted.size).toBe(1)
})
