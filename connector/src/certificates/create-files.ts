/** Creates a leaf, or a root with its leaf, and commits them to the folder. */
import { Problem } from '@cardwire/protocol/problem'
import type { Certificate, CertificateKeyPair } from '../pki/certificate.ts'
import type { CertificateTexts } from '../pki/certificate-folder.ts'
import { tryReadCertificate } from '../pki/validate.ts'
import type { CertificateServices } from './certificate-services.ts'
import { keepDamagedFiles } from './damaged-files.ts'
import { splitByConstraints } from './hosts.ts'
import { type ReconciledCertificates, toTlsMaterial } from './material.ts'
import { readRequestedNames } from './requested-names.ts'

/** The library is loaded when something has to be created: most starts only read. */
const loadX509 = () => import('../pki/x509.ts')

/** A clock before this time, when the code was written, is wrong. Milliseconds since 1970. */
const earliestClock = Date.UTC(2026, 10, 1)

/** Under the lock. */
export async function createLeaf(
  services: CertificateServices,
  texts: CertificateTexts,
  root: Certificate,
): Promise<ReconciledCertificates> {
  const { folder, clock, log } = services
  const now = checkClock(clock())
  const { inside } = splitByConstraints(root.constraints, await readRequestedNames(services))
  const { makeLeaf } = await loadX509()
  const leaf = await makeLeaf(getSigningRoot(texts), { now, hosts: inside })
  keepDamagedFiles(folder.path, texts, ['leafCert', 'leafKey'], log)
  await folder.commit({ leafCert: leaf.cert, leafKey: leaf.key })
  return { root, tls: toTlsMaterial(leaf) }
}

/** Under the lock: the root, and a leaf below it. */
export async function createRoot(
  services: CertificateServices,
  texts: CertificateTexts,
): Promise<ReconciledCertificates> {
  const { folder, clock, log, owner, constraints, makeRootKeys: makeKeys } = services
  const now = checkClock(clock())
  const hosts = await readRequestedNames(services)
  const { makeLeaf, makeRoot } = await loadX509()
  const root = await makeRoot({ now, owner, constraints, hosts, makeKeys })
  const leaf = await makeLeaf(root, { now, hosts })
  const both = { rootCert: root.cert, rootKey: root.key, leafCert: leaf.cert, leafKey: leaf.key }
  keepDamagedFiles(folder.path, texts, ['rootCert', 'rootKey', 'leafCert', 'leafKey'], log)
  await folder.commit(both)
  const facts = tryReadCertificate(root.cert)
  if (facts === undefined) throw new Error('Cannot read the root that was just made')
  const replaced = texts.rootCert === undefined ? undefined : tryReadCertificate(texts.rootCert)
  log.info('created a root certificate', { fingerprint: facts.fingerprint, constraints })
  const made = { root: facts, tls: toTlsMaterial(leaf) }
  return replaced ? { ...made, replacedRoot: { root: replaced, key: texts.rootKey } } : made
}

function getSigningRoot({ rootCert, rootKey }: CertificateTexts): CertificateKeyPair {
  if (rootCert === undefined || rootKey === undefined) throw new Error('Cannot sign without a root')
  return { cert: rootCert, key: rootKey }
}

function checkClock(now: number): number {
  if (now >= earliestClock) return now
  const shown = new Date(now).toISOString()
  throw new Problem(
    'certificate-refused',
    `Cannot make certificates: the clock says ${shown}; set it right and start again`,
  )
}
