/** Opens keystores as connectors do, on Node, Deno and Workers. */
import { type KeystoreCertificate, maxCertificate, toReportedText } from '@cardwire/protocol'
import { KeystoreRefused, type RefusalKind } from '../../../pkcs12/keystore-refused.ts'
import type { ServerIdentity } from '../../../pkcs12/server-identity.ts'
import type { OpenedKeystore, OpenKeystore } from '../ports.ts'

/** Milliseconds. A file of OpenSSL, Windows or Java takes some ten, one of Firefox some seconds. */
const timeoutMs = 20_000

export const openKeystore: OpenKeystore = async (file, password, { now, signal }) => {
  const timeout = AbortSignal.timeout(timeoutMs)
  try {
    // Loaded when the first keystore is opened: the parser takes memory.
    const { openPkcs12 } = await import('../../../pkcs12/open-pkcs12.ts')
    const { findServerIdentity } = await import('../../../pkcs12/server-identity.ts')
    const either = AbortSignal.any([signal, timeout])
    const contents = await openPkcs12(file, password, { signal: either })
    return { kind: 'opened', certificate: toCertificate(findServerIdentity(contents, now).facts) }
  } catch (error) {
    signal.throwIfAborted()
    if (error instanceof KeystoreRefused) return refuse(error.kind, error.reason)
    return refuse('unreadable', timeout.aborted ? late : 'it has no form that this service knows')
  }
}

const late = 'it takes too long to open, make it with fewer iterations'

const refuse = (kind: RefusalKind, reason: string): OpenedKeystore => ({
  kind: 'refused',
  problem: `keystore-${kind}`,
  reason,
})

function toCertificate(facts: ServerIdentity['facts']): KeystoreCertificate {
  const { names, keyAlgorithm, keyBits } = facts
  return {
    subject: toReportedText(facts.subject, maxCertificate.nameBytes),
    names: names.slice(0, maxCertificate.names),
    issuer: toReportedText(facts.issuer, maxCertificate.nameBytes),
    notBefore: new Date(facts.notBefore).toISOString(),
    notAfter: new Date(facts.notAfter).toISOString(),
    keyAlgorithm,
    keyBits,
  }
}
