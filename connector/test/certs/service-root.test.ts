/** The root of the registry service in the stores of a user, with the real databases of browsers. */
import { mkdirSync, renameSync, rmdirSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { proves } from '../../../test/bed/proves.ts'
import { readPublishedRoot } from '../../src/certificates/published-root.ts'
import { type Certificate, readCertificate } from '../../src/pki/certificate.ts'
import { checkTrust } from '../../src/pki/trust-stores/install-root.ts'
import { findNssStores } from '../../src/pki/trust-stores/nss.ts'
import { createRunner } from '../../src/system/run-command.ts'
import { createCertificateSetup, createTemporaryFolder } from './test-certificates.ts'
import { makeTestRoot } from './test-root.ts'

const order = { now: Date.now(), owner: 'cardwire-registry@here', hosts: [] } as const
let first: Certificate
let second: Certificate

beforeAll(async () => {
  const made = async () =>
    readCertificate((await makeTestRoot({ ...order, constraints: 'full' })).cert)
  ;[first, second] = await Promise.all([made(), made()])
})

/** A user with a browser, on a machine whose service can be changed. */
function createUser(service?: Certificate) {
  const home = createTemporaryFolder()
  let browsers = { home, environment: {}, run: createRunner() }
  let publish = async () => service?.pem
  const here = createCertificateSetup({
    stores: () => findNssStores(browsers),
    serviceRoot: () => publish(),
  })
  const trusts = async (root: Certificate) =>
    (await checkTrust(await findNssStores(browsers), root)).every(({ trusted }) => trusted)
  return {
    ...here,
    trusts,
    /** Finds its programs in these folders from now on. */
    withPrograms: (PATH: string) => {
      browsers = { ...browsers, run: createRunner({ ...process.env, PATH }) }
    },
    serviceIs: (next: Certificate | undefined) => {
      publish = async () => next?.pem
    },
    publishes: (next: () => Promise<string | undefined>) => {
      publish = next
    },
    own: () => readCertificate(here.read('rootCA.pem')),
  }
}

const two = [{ trusted: true }, { trusted: true }]

test('install makes every store trust both, and status reports it', async () => {
  proves('registry-root-trusted')
  const ada = createUser(first)
  expect(await ada.certificates.install()).toMatchObject(two)
  expect([await ada.trusts(ada.own()), await ada.trusts(first)]).toEqual([true, true])
  expect((await ada.certificates.status()).trust).toMatchObject(two)
})

test('status is not content with the own root alone', async () => {
  const ada = createUser()
  await ada.certificates.install()
  ada.serviceIs(first)
  const reason = expect.stringContaining('registry service')
  expect((await ada.certificates.status()).trust).toMatchObject([
    { trusted: false, reason },
    { trusted: false, reason },
  ])
})

test('install forgets the root of a service that was made anew, and of one that is gone', async () => {
  proves('old-root-trusted')
  const ada = createUser(first)
  await ada.certificates.install()
  ada.serviceIs(second)
  expect(await ada.certificates.install()).toMatchObject(two)
  expect([await ada.trusts(first), await ada.trusts(second)]).toEqual([false, true])
  ada.serviceIs(undefined)
  expect(await ada.certificates.install()).toMatchObject(two)
  expect(await ada.trusts(second)).toBe(false)
})

test('install remembers the root of an earlier service while a store cannot be read', async () => {
  proves('trust-unread')
  const ada = createUser(first)
  await ada.certificates.install()
  ada.serviceIs(second)
  ada.withPrograms('/nonexistent')
  await ada.certificates.install()
  ada.withPrograms(process.env['PATH'] ?? '')
  expect(await ada.trusts(first)).toBe(true)
  expect(await ada.certificates.install()).toMatchObject(two)
  expect([await ada.trusts(first), await ada.trusts(second)]).toEqual([false, true])
})

test('a list of roots that cannot be read is not forgotten: install and uninstall name it, and nothing is removed', async () => {
  proves('trust-unread')
  const ada = createUser(first)
  await ada.certificates.install()
  const list = join(ada.path, 'service-roots.json')
  renameSync(list, `${list}.away`)
  // What no account can read as a file, root included.
  mkdirSync(list)
  ada.serviceIs(second)
  const reason = expect.stringContaining(list)
  expect(await ada.certificates.install()).toMatchObject([
    { trusted: false, reason },
    { trusted: false, reason },
  ])
  expect(await ada.certificates.uninstall({})).toMatchObject({ removed: false, reason })
  rmdirSync(list)
  renameSync(`${list}.away`, list)
  expect(await ada.certificates.install()).toMatchObject(two)
  expect(await ada.trusts(first)).toBe(false)
})

test('a service whose root cannot be read keeps the trust that it has', async () => {
  proves('trust-unread')
  const ada = createUser(first)
  await ada.certificates.install()
  // What no account can read as a file, root included.
  const reason = 'it is not a regular file'
  ada.publishes(() => readPublishedRoot(ada.path))
  const unread = [
    { unread: true, reason },
    { unread: true, reason },
  ]
  expect(await ada.certificates.install()).toMatchObject(unread)
  expect((await ada.certificates.status()).trust).toMatchObject(unread)
  expect(await ada.trusts(first)).toBe(true)
  ada.publishes(() => readPublishedRoot('/nonexistent'))
  expect(await ada.certificates.install()).toMatchObject(two)
  expect(await ada.trusts(first)).toBe(false)
})

test('uninstall takes both back', async () => {
  proves('old-root-trusted')
  const ada = createUser(first)
  await ada.certificates.install()
  const own = ada.own()
  expect(await ada.certificates.uninstall({})).toMatchObject({ removed: true })
  expect([await ada.trusts(own), await ada.trusts(first)]).toEqual([false, false])
  expect(ada.names()).toEqual([])
})

test.each([
  [
    'without constraints',
    { constraints: 'none', hosts: [] },
    'it lacks an extension that the root certificate of a connector has',
  ],
  [
    'without constraints of addresses',
    { constraints: 'dns', hosts: [] },
    'its name constraints lack localhost, 127.0.0.1 or ::1',
  ],
  [
    'that may sign for another name',
    { constraints: 'full', hosts: [{ kind: 'dns', value: 'bank.example' }] },
    'it can sign for names other than those of this computer',
  ],
] as const)('a root %s is not used', async (_, changes, fault) => {
  proves('registry-root-misused')
  const wide = readCertificate((await makeTestRoot({ ...order, ...changes })).cert)
  const ada = createUser(wide)
  const reason = `the root certificate of the registry service was rejected: ${fault}`
  expect(await ada.certificates.install()).toMatchObject([
    { trusted: false, reason },
    { trusted: false, reason },
  ])
  expect([await ada.trusts(ada.own()), await ada.trusts(wide)]).toEqual([true, false])
})
