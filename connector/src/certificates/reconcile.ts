/** Creates the certificate files that are missing, broken or stale; what the clock says costs no root unless it is trusted. */
import { Problem } from '@cardwire/protocol/problem'
import type { CertificateTexts } from '../pki/certificate-folder.ts'
import {
  checkRoot,
  findAgeReason,
  findRenewalReason,
  matchLeafToRoot,
  type RootState,
} from '../pki/validate.ts'
import type { CertificateServices } from './certificate-services.ts'
import { createLeaf, createRoot } from './create-files.ts'
import { getLeaf, getRoot, type ReconciledCertificates, toActiveCertificates } from './material.ts'
import { readRequiredNames } from './requested-names.ts'

/** A root that begins later than this from now was made by a wrong clock, in milliseconds. */
const maxEarlyMs = 2 * 86_400_000

/** Under the lock: creates what is missing or stale. */
export async function reconcile(services: CertificateServices): Promise<ReconciledCertificates> {
  const { folder, clock, log } = services
  const texts = await folder.read()
  const verdict = checkRoot(getRoot(texts), clock())
  if (verdict.kind === 'absent') return createRoot(services, texts)
  if (verdict.kind === 'foreign') throw toProblem(verdict)
  if (verdict.kind === 'expired' && !services.isClockTrusted()) {
    // One reading of the clock costs no root: browsers would not trust the next one.
    if (typeof matchLeafToRoot(getLeaf(texts), verdict.root) === 'string') throw toProblem(verdict)
    log.warn('the root certificate stays until the clock is confirmed', { reason: verdict.reason })
    return toActiveCertificates(texts, verdict.root)
  }
  if (isFromFuture(services, verdict)) {
    log.warn('the root certificate is replaced', { reason: 'a wrong clock made it' })
    return createRoot(services, texts)
  }
  if (verdict.kind === 'broken' || verdict.kind === 'expired') {
    log.warn('the root certificate is replaced', { reason: verdict.reason })
    return createRoot(services, texts)
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
    await readRequiredNames(services, root),
    clock(),
  )
  if (verdict.kind === 'keyless') {
    log.warn('the root certificate cannot sign', { reason: verdict.reason })
    // Without the key, a leaf that has expired costs the root too.
    const isKept = renewalReason === undefined || (fits && !services.isClockTrusted())
    return isKept ? toActiveCertificates(texts, root) : createRoot(services, texts)
  }
  const reason = renewalReason ?? findLeafAgeReason(services, texts)
  if (reason === undefined) return toActiveCertificates(texts, root)
  log.info('the localhost certificate is renewed', { reason })
  return createLeaf(services, texts, root)
}

/** Under the lock: creates a new leaf, or root and leaf, whether or not the old ones are valid. */
export async function regenerate(
  services: CertificateServices,
  what: 'leaf' | 'root',
): Promise<ReconciledCertificates> {
  const { folder, clock } = services
  const texts = await folder.read()
  if (what === 'root') return createRoot(services, texts)
  const verdict = checkRoot(getRoot(texts), clock())
  if (verdict.kind !== 'good') throw toProblem(verdict)
  return createLeaf(services, texts, verdict.root)
}

/** A leaf that fits is replaced by age only where that costs nothing: with a root that can sign, by a clock that is trusted. */
export const findLeafAgeReason = (
  { clock, isClockTrusted }: ClockServices,
  texts: CertificateTexts,
) => (isClockTrusted() ? findAgeReason(getLeaf(texts), clock()) : undefined)

/** A root that a wrong clock made: a clock that is trusted stands days before it. */
const isFromFuture = ({ clock, isClockTrusted }: ClockServices, verdict: RootState): boolean =>
  verdict.kind === 'early' && verdict.root.notBefore - clock() > maxEarlyMs && isClockTrusted()

type ClockServices = Pick<CertificateServices, 'clock' | 'isClockTrusted'>

const rootAdvice: Readonly<Record<RootState['kind'], string>> = {
  good: '',
  absent: 'start the connector once, or renew the root certificate',
  broken: 'renew the root certificate to replace it',
  keyless: 'renew the root certificate to replace it',
  expired: 'renew the root certificate to replace it',
  early: 'correct the clock and start again',
  foreign: 'move it to another folder, or renew the root certificate to replace it',
}

function toProblem(verdict: Exclude<RootState, { kind: 'good' }>): Problem {
  const { kind, reason } = verdict
  return new Problem(
    'certificate-refused',
    `Cannot use the root certificate: ${reason}; ${rootAdvice[kind]}`,
  )
}
