/** What an account with the key of a hostile root could do, by OpenSSL, and that a machine does not trust it. */
import { spawnSync } from 'node:child_process'
import { generateKeyPairSync } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { proves } from '../../../test/bed/proves.ts'
import { createLinuxAnchors } from '../../src/pki/trust-stores/linux-anchors.ts'
import { makeLeaf } from '../../src/pki/x509.ts'
import { trustService } from '../../src/registry/service/install.ts'
import { getMachineFolders } from '../../src/system/folders.ts'
import { createRunner } from '../../src/system/run-command.ts'
import { createDebianDistribution } from './debian-distribution.ts'
import { constraintsOf, dns, type Forgery, forgeRoot, localBases, subtrees } from './forge-root.ts'
import { createTemporaryFolder } from './test-certificates.ts'

const unbound = constraintsOf(subtrees.excluded(dns('harmless.example')))
const everything = constraintsOf(subtrees.permitted(...localBases, dns('')))

test.each<[string, Forgery]>([
  ['only excludes names', { extensions: { constraints: unbound } }],
  ['permits the empty name', { extensions: { constraints: everything } }],
])('a root of the service that %s poses as a bank to nobody', async (_, forgery) => {
  proves('registry-root-misused', 'hostile-root')
  const folder = createTemporaryFolder()
  const folders = getMachineFolders('linux', {}, join(folder, 'machine'))
  const keys = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const cert = forgeRoot({ ...forgery, keys })
  mkdirSync(folders.published, { recursive: true })
  writeFileSync(folders.root, cert)
  const key = keys.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
  const bank = { kind: 'dns', value: 'bank.example' } as const
  const leaf = await makeLeaf({ cert, key }, { now: Date.now(), hosts: [bank] })
  writeFileSync(join(folder, 'leaf.pem'), leaf.cert)
  const isVerified = (...trust: readonly string[]) =>
    spawnSync('openssl', [
      ...['verify', '-no-CAstore', ...trust],
      ...['-verify_hostname', 'bank.example', join(folder, 'leaf.pem')],
    ]).status === 0
  expect(isVerified('-no-CApath', '-CAfile', folders.root)).toBe(true)

  const anchors = createLinuxAnchors(createDebianDistribution(folder, forgeRoot()), createRunner())
  await expect(trustService({ folders, stores: async () => [anchors], hosts: [] })).rejects.toThrow(
    'Cannot make this computer trust the root certificate of the service',
  )
  expect(isVerified('-no-CAfile', '-CApath', join(folder, 'etc'))).toBe(false)
})
