/** Says how the certificates are, and how a browser would judge a name; changes nothing. */
import { Problem } from '@cardwire/client/protocol'
import { permits } from '../pki/constraints.ts'
import { fileNames } from '../pki/folder.ts'
import { endsSoon, judgeLeaf, judgeRoot, tryRead } from '../pki/judge.ts'
import { covers, isLoopback, localNames, readName } from '../pki/names.ts'
import { trustOf } from '../trust/apply.ts'
import type { CertStatus, DomainStatus } from './certificates.ts'
import { shownOn } from './handshake.ts'
import { splitByConstraints } from './hosts.ts'
import { type Keeper, leafOf, rootOf } from './keeper.ts'
import { factsOf } from './material.ts'
import { trustOfServiceRoot } from './service-root.ts'
import type { CertificateServices } from './services.ts'

/** The whole state, for `certs status` and the endpoint of that name. */
export async function report(services: CertificateServices, keeper: Keeper): Promise<CertStatus> {
  const { folder, clock } = services
  const held = await folder.read()
  const verdict = judgeRoot(rootOf(held), clock())
  const root = 'root' in verdict ? verdict.root : undefined
  const names = await keeper.wanted()
  const { inside, outside } = root
    ? splitByConstraints(root.constraints, names)
    : { inside: names, outside: [] }
  const required = [...localNames.flatMap((name) => readName(name) ?? []), ...inside]
  const leaf = held.leafCert === undefined ? undefined : tryRead(held.leafCert)
  const stale = root ? judgeLeaf(leafOf(held), root, required, clock()) : 'there is no root'
  return {
    folder: folder.path,
    files: [
      { name: fileNames.rootCert, present: held.rootCert !== undefined },
      { name: fileNames.rootKey, present: held.rootKey !== undefined },
      { name: fileNames.leafCert, present: held.leafCert !== undefined },
      { name: fileNames.leafKey, present: held.leafKey !== undefined },
    ],
    root: {
      state: verdict.kind,
      ...('reason' in verdict ? { reason: verdict.reason } : {}),
      ...(root
        ? {
            certificate: factsOf(root),
            constraints: {
              kind: root.constraints.kind,
              dns: root.constraints.dns ?? null,
              ip: root.constraints.ip ?? null,
            },
          }
        : {}),
    },
    leaf: {
      state: held.leafCert === undefined ? 'absent' : stale === undefined ? 'good' : 'stale',
      ...(stale === undefined ? {} : { reason: stale }),
      ...(leaf ? { certificate: factsOf(leaf) } : {}),
    },
    hosts: {
      wanted: names.map(({ value }) => value),
      needsRoot: outside.map(({ value }) => value),
    },
    protection: await services.protect({ repair: false }),
    trust: root
      ? await trustOfServiceRoot(services, await trustOf(await services.stores(), root))
      : [],
    packages: await folder.readList('packages').catch(() => []),
  }
}

/** One name, as a browser on this machine would see it. */
export async function reportOf(
  services: CertificateServices,
  domain: string,
): Promise<DomainStatus> {
  const name = readName(domain)
  if (name === undefined)
    throw new Problem(
      'input-invalid',
      `Cannot judge "${domain}": it is neither a host name nor an address`,
      { errors: [{ path: 'domain', message: 'expected a host name or an address' }] },
    )
  const held = await services.folder.read()
  const verdict = judgeRoot(rootOf(held), services.clock())
  const root = 'root' in verdict ? verdict.root : undefined
  const leaf = held.leafCert === undefined ? undefined : tryRead(held.leafCert)
  const stale = root ? judgeLeaf(leafOf(held), root, [], services.clock()) : undefined
  // `keyless` signs no more, but what it signed is as good as before.
  const chain =
    verdict.kind === 'good' || verdict.kind === 'keyless'
      ? stale === undefined || stale === endsSoon
        ? undefined
        : stale
      : verdict.reason
  const covered = leaf !== undefined && covers(leaf.names, name)
  const permitted = root !== undefined && permits(root.constraints, name)
  const addresses = await resolve(services, name.value, name.kind)
  const loopback = addresses.length > 0 && addresses.every(isLoopback)
  const stores = root ? await trustOf(await services.stores(), root) : []
  const trustedBy = stores.filter(({ trusted }) => trusted).map(({ store }) => store)
  const port = services.servedOn()
  const served =
    port === undefined || leaf === undefined || !loopback
      ? null
      : await shownOn({ address: addresses[0] ?? '', port, name, fingerprint: leaf.fingerprint })
  const reasons = [
    ...(chain === undefined ? [] : [chain]),
    ...(covered ? [] : [`the leaf does not carry ${name.value}`]),
    ...(permitted ? [] : [`the root may not sign for ${name.value}`]),
    ...(loopback ? [] : [`${name.value} does not lead to this machine`]),
    ...(trustedBy.length > 0 ? [] : ['no trust store believes the root']),
    ...(served === false ? ['the running API shows another certificate'] : []),
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

async function resolve(
  services: CertificateServices,
  host: string,
  kind: 'dns' | 'ip',
): Promise<readonly string[]> {
  if (kind === 'ip') return [host]
  // Browsers ask nobody about localhost and what is below it (RFC 6761 §6.3).
  if (host === 'localhost' || host.endsWith('.localhost')) return ['127.0.0.1', '::1']
  return services.lookup(host).catch(() => [])
}
