/** A program for Windows: makes its certificates and goes through a root store by crypt32; prints each step as JSON. */
import { generateKeyPairSync } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Certificates } from '../../src/certificates/certificates.ts'
import { openCertificates } from '../../src/certificates/open-certificates.ts'
import { readCertificate } from '../../src/pki/certificate.ts'
import { createWindowsStore } from '../../src/pki/trust-stores/windows.ts'
import { makeRoot } from '../../src/pki/x509.ts'
import { constraintsOf, dns, forgeRoot, localBases, subtrees } from './forge-root.ts'

async function main([folder = '', scope = 'machine']: readonly string[]): Promise<void> {
  const printStep = (step: string, answer: unknown) =>
    void process.stdout.write(`${JSON.stringify({ step, answer })}\n`)
  const silent = () => undefined
  const log = { info: silent, warn: silent, error: silent }
  if (scope !== 'machine' && scope !== 'user') throw new Error(`Cannot use the scope "${scope}"`)
  const certificates = openCertificates({ hosts: [] }, { certificates: folder }, log, { scope })
  printStep('ensure', (await certificates.ensure()).fingerprint)
  const { root, trust, protection } = await certificates.status()
  printStep('status', { root: root.certificate?.fingerprint, trust, protection })
  printStep('install', await certificates.install())
  printStep('verified', (await certificates.statusOf('localhost')).verified)
  const store = createWindowsStore(scope)
  const order = { now: Date.now(), owner: 'tests', constraints: 'full', hosts: [] } as const
  const other = readCertificate((await makeRoot(order)).cert)
  printStep('other', await store.trusts(other))
  await store.uninstall(other)
  printStep('renew', await certificates.renew({ root: true }))
  printStep('uninstall', await certificates.uninstall({}))
  printStep(
    'named',
    await installNamedRoot(`${folder}-named`, (at) =>
      openCertificates({ hosts: [] }, { certificates: at }, log, scope === 'user' ? { scope } : {}),
    ),
  )
}

/** Installs a root for a name that only the list of the user has. */
async function installNamedRoot(folder: string, open: (folder: string) => Certificates) {
  const keys = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const bases = [...localBases, dns('bank.example')]
  const constraints = constraintsOf(subtrees.permitted(...bases))
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'hosts.json'), '["bank.example"]')
  writeFileSync(join(folder, 'rootCA.pem'), forgeRoot({ keys, extensions: { constraints } }))
  const key = keys.privateKey.export({ type: 'pkcs8', format: 'pem' })
  writeFileSync(join(folder, 'rootCA-key.pem'), key)
  const results = await open(folder).install()
  await open(folder).untrust()
  return results
}

main(process.argv.slice(2)).catch((error: unknown) => {
  process.stdout.write(`${JSON.stringify({ step: 'failed', answer: String(error) })}\n`)
  process.exitCode = 1
})
