/** Roots of users in the store of the machine: which go in, and which do not. */
import { existsSync, readFileSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { proves } from '../../../../test/bed/proves.ts'
import { constraintsOf, dns, forgeRoot, subtrees } from '../../../test/certs/forge-root.ts'
import { makeTestRoot } from '../../../test/certs/test-root.ts'
import { readCertificate } from '../../pki/certificate.ts'
import type { TrustStore } from '../../pki/trust-stores/trust-store.ts'
import { trustUserRoots, type UserRootsOptions, untrustUserRoots } from './user-roots.ts'

let profiles: string
let trusted: Set<string>
beforeEach(async () => {
  profiles = await mkdtemp(join(tmpdir(), 'cardwire-users-'))
  trusted = new Set()
})
afterEach(() => rm(profiles, { recursive: true, force: true }))

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

const options = (timeoutMs = 0): UserRootsOptions => ({
  profiles,
  files: {
    exists: (names) => existsSync(join(profiles, ...names)),
    read: (names) => readFileSync(join(profiles, ...names), 'utf8'),
  },
  stores: async () => [store],
  hosts: [],
  timeoutMs,
})

/** Gives a user a root for these names; returns it. */
async function giveRoot(user: string, ...names: readonly string[]): Promise<string> {
  const hosts = names.map((value) => ({ kind: 'dns', value }) as const)
  const { cert } = await makeTestRoot({
    now: Date.now(),
    owner: user,
    constraints: 'full',
    hosts,
  })
  await plantRoot(user, cert)
  return cert
}

async function plantRoot(user: string, text: string): Promise<void> {
  const folder = join(profiles, user, 'AppData/Local/Cardwire/Certificates')
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, 'rootCA.pem'), text)
}

test('the roots of all users are trusted, and no longer', async () => {
  proves('windows-machine-store')
  await giveRoot('alice')
  await giveRoot('bob')
  await mkdir(join(profiles, 'Public'))
  const results = await trustUserRoots(options())
  expect(results.map(({ user }) => user)).toEqual(['alice', 'bob'])
  expect(trusted.size).toBe(2)

  await untrustUserRoots(options())
  expect(trusted.size).toBe(0)
})

test('a root that may sign for other names is refused, and the others go in', async () => {
  proves('windows-root-planted')
  const good = await giveRoot('alice')
  await giveRoot('mallory', 'bank.example')
  const results = await trustUserRoots(options())
  expect(results).toMatchObject([
    { user: 'alice', results: [{ trusted: true }] },
    { user: 'mallory', results: [], reason: expect.stringContaining('names other than') },
  ])
  expect([...trusted]).toEqual([readCertificate(good).fingerprint])
})

test('a connector that has just started is waited for', async () => {
  await mkdir(join(profiles, 'alice/AppData/Local/Cardwire/Runtime'), { recursive: true })
  const trusting = trustUserRoots(options(20_000))
  await giveRoot('alice')
  expect(await trusting).toMatchObject([{ user: 'alice' }])
})

test('a file that is no certificate is left out', async () => {
  proves('windows-root-planted')
  await giveRoot('alice')
  await writeFile(join(profiles, 'alice/AppData/Local/Cardwire/Certificates/rootCA.pem'), 'no')
  expect(await trustUserRoots(options())).toEqual([])
})

test('a root that only excludes names is refused', async () => {
  proves('windows-root-planted')
  const constraints = constraintsOf(subtrees.excluded(dns('harmless.example')))
  await plantRoot('mallory', forgeRoot({ extensions: { constraints } }))
  expect(await trustUserRoots(options())).toEqual([
    {
      user: 'mallory',
      results: [],
      reason:
        'the root certificate was rejected: its name constraints exclude names, but must only permit names',
    },
  ])
  expect(trusted.size).toBe(0)
})

test('a file that names a root of others removes nothing', async () => {
  proves('root-removed-by-file')
  const order = { now: Date.now(), owner: 'public', constraints: 'none', hosts: [] } as const
  const { cert } = await makeTestRoot(order)
  trusted.add(readCertificate(cert).fingerprint)
  await plantRoot('mallory', cert)
  expect(await untrustUserRoots(options())).toEqual([
    {
      user: 'mallory',
      results: [],
      reason:
        'the root certificate was rejected: it lacks an extension that the root certificate of a connector has',
    },
  ])
  expect(trusted.size).toBe(1)
})

test('a file with a second certificate is refused', async () => {
  proves('windows-root-planted')
  const { cert } = await makeTestRoot({
    now: Date.now(),
    owner: 'a',
    constraints: 'full',
    hosts: [],
  })
  await plantRoot('mallory', `${cert}${forgeRoot({ extensions: { constraints: undefined } })}`)
  expect(await trustUserRoots(options())).toEqual([
    {
      user: 'mallory',
      results: [],
      reason:
        'the root certificate was rejected: its file must contain one certificate in PEM, and nothing else',
    },
  ])
  expect(trusted.size).toBe(0)
})

test('profiles that cannot be listed are an error, and not profiles without roots', async () => {
  proves('windows-machine-store')
  await rm(profiles, { recursive: true })
  await expect(untrustUserRoots(options())).rejects.toMatchObject({ code: 'ENOENT' })
  await expect(trustUserRoots(options())).rejects.toMatchObject({ code: 'ENOENT' })
})
