/** The four certificate files: validates them, and creates or renews what is missing, broken or stale. */
import { Problem } from '@cardwire/client/protocol'
import type { Certificate, CertificateKeyPair } from '../pki/certificate.ts'
import type { CertificateTexts } from '../pki/certificate-folder.ts'
import { localNames, type Name, readName } from '../pki/names.ts'
import {
  checkRoot,
  findAgeReason,
  findRenewalReason,
  matchLeafToRoot,
  type RootState,
  tryReadCertificate,
} from '../pki/validate.ts'
import type { CertificateServices } from './certificate-services.ts'
import { keepDamagedFiles } from './damaged-files.ts'
import { readValidHosts, splitByConstraints } from './hosts.ts'
import { type ActiveCertificates, toActiveCertificates, toTlsMaterial } from './material.ts'

export interface ReconciledCertificates extends ActiveCertificates {
  /** The root that was in the files before; the trust stores have to remove it. */
  readonly replacedRoot?: Certificate
}

export interface CertificateFiles {
  /** The extra names of the settings and of the list in the folder. */
  readRequestedNames(): Promise<readonly Name[]>
  /** The certificates when they are valid and complete; undefined when something has to be done. */
  readCurrent(): Promise<ActiveCertificates | undefined>
  /** The certificates when they can still be served: they belong together and have not expired. */
  readUsable(): Promise<ActiveCertificates | undefined>
  /** Under the lock: creates what is missing or stale. */
  reconcile(): Promise<ReconciledCertificates>
  /** Under the lock: creates a new leaf, or root and leaf, whether or not the old ones are valid. */
  regenerate(what: 'leaf' | 'root'): Promise<ReconciledCertificates>
}

/** The library is loaded when something has to be created: most starts only read. */
const loadX509 = () => import('../pki/x509.ts')

/** A root that begins later than this from now was made by a wrong clock, in milliseconds. */
const maxEarlyMs = 2 * 86_400_000

/** A clock before this time, when the code was written, is wrong. Milliseconds since 1970. */
const earliestClock = Date.UTC(2026, 10, 1)

export function openCertificateFiles(services: CertificateServices): CertificateFiles {
  const { folder, clock, log } = services

  async function readRequestedNames(): Promise<readonly Name[]> {
    const listed = await folder.readList('hosts').catch((error: unknown) => {
      log.warn('the list of hosts is ignored', { reason: String(error) })
      return []
    })
    return readValidHosts([...services.hosts, ...listed])
  }

  /** The names a leaf below this root must carry. */
  const readRequiredNames = async (root: Certificate) => {
    const { inside } = splitByConstraints(root.constraints, await readRequestedNames())
    return [...localServerNames, ...inside]
  }

  async function createLeaf(
    texts: CertificateTexts,
    root: Certificate,
  ): Promise<ReconciledCertificates> {
    const now = checkClock(clock())
    const { inside } = splitByConstraints(root.constraints, await readRequestedNames())
    const { makeLeaf } = await loadX509()
    const leaf = await makeLeaf(getSigningRoot(texts), { now, hosts: inside })
    keepDamagedFiles(folder.path, texts, ['leafCert', 'leafKey'], log)
    await folder.commit({ leafCert: leaf.cert, leafKey: leaf.key })
    return { root, tls: toTlsMaterial(leaf) }
  }

  async function createRoot(texts: CertificateTexts): Promise<ReconciledCertificates> {
    const now = checkClock(clock())
    const hosts = await readRequestedNames()
    const { owner, constraints, makeRootKeys: makeKeys } = services
    const { makeLeaf, makeRoot } = await loadX509()
    const root = await makeRoot({ now, owner, constraints, hosts, makeKeys })
    const leaf = await makeLeaf(root, { now, hosts })
    const both = { rootCert: root.cert, rootKey: root.key, leafCert: leaf.cert, leafKey: leaf.key }
    keepDamagedFiles(folder.path, texts, ['rootCert', 'rootKey', 'leafCert', 'leafKey'], log)
    await folder.commit(both)
    const facts = tryReadCertificate(root.cert)
    if (facts === undefined) throw new Error('Cannot read the root that was just made')
    const replacedRoot =
      texts.rootCert === undefined ? undefined : tryReadCertificate(texts.rootCert)
    log.info('made a root', { fingerprint: facts.fingerprint, constraints })
    return { root: facts, tls: toTlsMaterial(leaf), ...(replacedRoot && { replacedRoot }) }
  }

  /** A leaf that fits is replaced by age only where that costs nothing: with a root that can sign, by a clock that is trusted. */
  const findLeafAgeReason = (texts: CertificateTexts) =>
    services.isClockTrusted() ? findAgeReason(getLeaf(texts), clock()) : undefined

  /** A root that a wrong clock made: a clock that is trusted stands days before it. */
  const isFromFuture = (verdict: RootState): boolean =>
    verdict.kind === 'early' &&
    verdict.root.notBefore - clock() > maxEarlyMs &&
    services.isClockTrusted()

  return {
    readRequestedNames,
    async readCurrent() {
      const texts = await folder.read()
      const verdict = checkRoot(getRoot(texts), clock())
      if (verdict.kind !== 'good') return undefined
      const names = await readRequiredNames(verdict.root)
      const reason =
        findRenewalReason(getLeaf(texts), verdict.root, names, clock()) ?? findLeafAgeReason(texts)
      return reason === undefined ? toActiveCertificates(texts, verdict.root) : undefined
    },
    async readUsable() {
      const texts = await folder.read()
      const verdict = checkRoot(getRoot(texts), clock())
      if (verdict.kind !== 'good' && verdict.kind !== 'keyless') return undefined
      const leaf = matchLeafToRoot(getLeaf(texts), verdict.root)
      if (typeof leaf === 'string' || clock() > leaf.notAfter) return undefined
      return toActiveCertificates(texts, verdict.root)
    },
    async reconcile() {
      const texts = await folder.read()
      const verdict = checkRoot(getRoot(texts), clock())
      if (verdict.kind === 'absent') return createRoot(texts)
      if (verdict.kind === 'foreign') throw toProblem(verdict)
      if (verdict.kind === 'expired' && !services.isClockTrusted()) {
        // One reading of the clock costs no root: browsers would not trust the next one.
        if (typeof matchLeafToRoot(getLeaf(texts), verdict.root) === 'string')
          throw toProblem(verdict)
        log.warn('the root stays until the clock is confirmed', { reason: verdict.reason })
        return toActiveCertificates(texts, verdict.root)
      }
      if (isFromFuture(verdict)) {
        log.warn('the root is replaced', { reason: 'a wrong clock made it' })
        return createRoot(texts)
      }
      if (verdict.kind === 'broken' || verdict.kind === 'expired') {
        log.warn('the root is replaced', { reason: verdict.reason })
        return createRoot(texts)
      }
      const { root } = verdict
      const fits = typeof matchLeafToRoot(getLeaf(texts), root) !== 'string'
      if (verdict.kind === 'early') {
        // No certificates are created by a wrong clock; those in the files may be served.
        if (!fits) throw toProblem(verdict)
        log.warn('the certificates are not valid yet', { reason: verdict.reason })
        return toActiveCertificates(texts, root)
      }
      const renewalReason = findRenewalReason(
        getLeaf(texts),
        root,
        await readRequiredNames(root),
        clock(),
      )
      if (verdict.kind === 'keyless') {
        log.warn('the root cannot sign', { reason: verdict.reason })
        // Without the key, a leaf that has expired costs the root too.
        const isKept = renewalReason === undefined || (fits && !services.isClockTrusted())
        return isKept ? toActiveCertificates(texts, root) : createRoot(texts)
      }
      const reason = renewalReason ?? findLeafAgeReason(texts)
      if (reason === undefined) return toActiveCertificates(texts, root)
      log.info('the leaf is renewed', { reason })
      return createLeaf(texts, root)
    },
    async regenerate(what) {
      const texts = await folder.read()
      if (what === 'root') return createRoot(texts)
      const verdict = checkRoot(getRoot(texts), clock())
      if (verdict.kind !== 'good') throw toProblem(verdict)
      return createLeaf(texts, verdict.root)
    },
  }
}

export const getRoot = (texts: CertificateTexts) => ({ cert: texts.rootCert, key: texts.rootKey })
export const getLeaf = (texts: CertificateTexts) => ({ cert: texts.leafCert, key: texts.leafKey })

const localServerNames: readonly Name[] = localNames.flatMap((name) => readName(name) ?? [])

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

const rootAdvice: Readonly<Record<RootState['kind'], string>> = {
  good: '',
  absent: 'start the connector once, or renew the root',
  broken: 'renew the root to replace it',
  keyless: 'renew the root to replace it',
  expired: 'renew the root to replace it',
  early: 'set the clock right and start again',
  foreign: 'move it away, or renew the root to replace it',
}

function toProblem(verdict: Exclude<RootState, { kind: 'good' }>): Problem {
  const { kind, reason } = verdict
  return new Problem('certificate-refused', `Cannot use the root: ${reason}; ${rootAdvice[kind]}`)
}
