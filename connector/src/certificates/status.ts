/** Reads the state of the certificates, and whether a browser would accept a name. */
import { isLoopbackAddress } from '@cardwire/protocol/loopback'
import { Problem } from '@cardwire/protocol/problem'
import { type CertificateTexts, fileNames } from '../pki/certificate-folder.ts'
import { permitsName } from '../pki/constraints.ts'
import { covers, localNames, readName } from '../pki/names.ts'
import { checkTrust } from '../pki/trust-stores/install-root.ts'
import {
  checkRoot,
  expiresSoonReason,
  findRenewalReason,
  tryReadCertificate,
} from '../pki/validate.ts'
import type { CertificateFiles } from './certificate-files.ts'
import type { CertificateServices } from './certificate-services.ts'
import type { CertStatus, DomainStatus } from './certificates.ts'
import { checkServedCertificate } from './handshake.ts'
import { splitByConstraints } from './hosts.ts'
import { getLeaf, getRoot, toCertificateInfo } from './material.ts'
import { checkServiceRootTrust } from './service-root.ts'

/** The whole state, for `certs status` and its endpoint. */
export async function readCertStatus(
  services: CertificateServices,
  files: CertificateFiles,
): Promise<CertStatus> {
  const { folder, clock } = services
  const texts = await folder.read()
  const verdict = checkRoot(getRoot(texts), clock())
  const root = 'root' in verdict ? verdict.root : undefined
  const names = await files.readRequestedNames()
  const { inside, outside } = root
    ? splitByConstraints(root.constraints, names)
    : { inside: names, outside: [] }
  const required = [...localNames.flatMap((name) => readName(name) ?? []), ...inside]
  const leaf = texts.leafCert === undefined ? undefined : tryReadCertificate(texts.leafCert)
  const renewalReason = root
    ? findRenewalReason(getLeaf(texts), root, required, clock())
    : 'there is no root certificate'
  return {
    folder: folder.path,
    files: [
      { name: fileNames.rootCert, present: texts.rootCert !== undefined },
      { name: fileNames.rootKey, present: texts.rootKey !== undefined },
      { name: fileNames.leafCert, present: texts.leafCert !== undefined },
      { name: fileNames.leafKey, present: texts.leafKey !== undefined },
    ],
    root: {
      state: verdict.kind,
      ...('reason' in verdict ? { reason: verdict.reason } : {}),
      ...(root
        ? {
            certificate: toCertificateInfo(root),
            constraints: {
              kind: root.constraints.kind,
              dns: root.constraints.dns ?? null,
              ip: root.constraints.ip ?? null,
            },
          }
        : {}),
    },
    leaf: {
      state:
        texts.leafCert === undefined ? 'absent' : renewalReason === undefined ? 'good' : 'stale',
      ...(renewalReason === undefined ? {} : { reason: renewalReason }),
      ...(leaf ? { certificate: toCertificateInfo(leaf) } : {}),
    },
    hosts: {
      wanted: names.map(({ value }) => value),
      needsRoot: outside.map(({ value }) => value),
    },
    protection: await services.checkAccess({ repair: false }),
    trust: root
      ? await checkServiceRootTrust(services, await checkTrust(await services.stores(), root))
      : [],
    packages: await folder.readList('packages').catch(() => []),
  }
}

/** Checks one name as a browser on this machine would. */
export async function readDomainStatus(
  services: CertificateServices,
  domain: string,
): Promise<DomainStatus> {
  const name = readName(domain)
  if (name === undefined)
    throw new Problem(
      'input-invalid',
      `Cannot check "${domain}": it is neither a host name nor an address`,
      { errors: [{ path: 'domain', message: 'expected a host name or an address' }] },
    )
  const texts = await services.folder.read()
  const verdict = checkRoot(getRoot(texts), services.clock())
  const root = 'root' in verdict ? verdict.root : undefined
  const leaf = texts.leafCert === undefined ? undefined : tryReadCertificate(texts.leafCert)
  const chainFault = findChainFault(verdict, texts, services.clock())
  const covered = leaf !== undefined && covers(leaf.names, name)
  const permitted = root !== undefined && permitsName(root.constraints, name)
  const addresses = await resolveHost(services, name.value, name.kind)
  const loopback = addresses.length > 0 && addresses.every(isLoopbackAddress)
  const stores = root ? await checkTrust(await services.stores(), root) : []
  const trustedBy = stores.filter(({ trusted }) => trusted).map(({ store }) => store)
  const port = services.servedOn()
  const served =
    port === undefined || leaf === undefined || !loopback
      ? null
      : await checkServedCertificate({
          address: addresses[0] ?? '',
          port,
          name,
          fingerprint: leaf.fingerprint,
        })
  const reasons = [
    ...(chainFault === undefined ? [] : [chainFault]),
    ...(covered ? [] : [`the localhost certificate does not cover ${name.value}`]),
    ...(permitted ? [] : [`the root certificate cannot sign for ${name.value}`]),
    ...(loopback ? [] : [`${name.value} does not resolve to this computer`]),
    ...(trustedBy.length > 0 ? [] : ['no trust store trusts the root certificate']),
    ...(served === false ? ['the running connector serves a different certificate'] : []),
  ]
  const verified = reasons.length === 0
  return {
    domain: name.value,
    covered,
    permitted,
    addresses,
    loopback,
    trustedBy,
    served,
    verified,
    reasons,
  }
}

/** Why browsers would not accept the leaf below its root, whatever its names; undefined: they would. */
function findChainFault(
  verdict: ReturnType<typeof checkRoot>,
  texts: CertificateTexts,
  now: number,
): string | undefined {
  // A root without its key signs nothing new; what it signed stays valid.
  if (verdict.kind !== 'good' && verdict.kind !== 'keyless') return verdict.reason
  const reason = findRenewalReason(getLeaf(texts), verdict.root, [], now)
  return reason === expiresSoonReason ? undefined : reason
}

async function resolveHost(
  services: CertificateServices,
  host: string,
  kind: 'dns' | 'ip',
): Promise<readonly string[]> {
  if (kind === 'ip') return [host]
  // Browsers resolve localhost and the names below it themselves (RFC 6761 §6.3).
  if (host === 'localhost' || host.endsWith('.localhost')) return ['127.0.0.1', '::1']
  return services.lookup(host).catch(() => [])
}
