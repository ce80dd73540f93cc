/** Keeps the four files in order: decides by the rules, makes what is missing, changes them as one. */
import { Problem } from '@cardwire/client/protocol'
import type { Facts, Pair } from '../pki/certificate.ts'
import type { Contents } from '../pki/folder.ts'
import { fitsTogether, judgeLeaf, judgeRoot, type RootVerdict, tryRead } from '../pki/judge.ts'
import { localNames, type Name, readName } from '../pki/names.ts'
import { readableHosts, splitByConstraints } from './hosts.ts'
import { type Materials, materialOf, readableMaterial } from './material.ts'
import type { CertificateServices } from './services.ts'

export interface Kept extends Materials {
  /** A root that was in the files before, to be forgotten by the stores. */
  readonly retired?: Facts
}

export interface Keeper {
  /** The extra names that were asked for, of the settings and of the list. */
  wanted(): Promise<readonly Name[]>
  /** What there is when nothing has to be done; undefined when something has. */
  inForce(): Promise<Materials | undefined>
  /** What may still be served although it is stale: it belongs together and has not expired. */
  servable(): Promise<Materials | undefined>
  /** Under the lock: makes what has to be made. */
  settle(): Promise<Kept>
  /** Under the lock: makes a new leaf, or both, whether or not the old ones are good. */
  remake(what: 'leaf' | 'root'): Promise<Kept>
}

/** The library is loaded when there is something to make: most starts read alone. */
const making = () => import('../pki/x509.ts')

/** Nobody's clock was right before this code was written. Milliseconds since 1970. */
const earliest = Date.UTC(2026, 10, 1)

export function openKeeper(services: CertificateServices): Keeper {
  const { folder, clock, log } = services

  async function wanted(): Promise<readonly Name[]> {
    const listed = await folder.readList('hosts').catch((error: unknown) => {
      log.warn('the list of hosts is passed over', { reason: String(error) })
      return []
    })
    return readableHosts([...services.hosts, ...listed])
  }

  /** The names a leaf below this root must carry. */
  const namesFor = async (root: Facts) => {
    const { inside } = splitByConstraints(root.constraints, await wanted())
    return [...local, ...inside]
  }

  async function newLeaf(held: Contents, root: Facts): Promise<Kept> {
    const now = rightTime(clock())
    const { inside } = splitByConstraints(root.constraints, await wanted())
    const { makeLeaf } = await making()
    const leaf = await makeLeaf(pairOf(held), { now, hosts: inside })
    await folder.commit({ leafCert: leaf.cert, leafKey: leaf.key })
    return { root, tls: materialOf(leaf) }
  }

  async function newRoot(held: Contents): Promise<Kept> {
    const now = rightTime(clock())
    const hosts = await wanted()
    const { owner, constraints } = services
    const { makeLeaf, makeRoot } = await making()
    const root = await makeRoot({ now, owner, constraints, hosts })
    const leaf = await makeLeaf(root, { now, hosts })
    const both = { rootCert: root.cert, rootKey: root.key, leafCert: leaf.cert, leafKey: leaf.key }
    await folder.commit(both)
    const facts = tryRead(root.cert)
    if (facts === undefined) throw new Error('Cannot read the root that was just made')
    const retired = held.rootCert === undefined ? undefined : tryRead(held.rootCert)
    log.info('made a root', { fingerprint: facts.fingerprint, constraints })
    return { root: facts, tls: materialOf(leaf), ...(retired ? { retired } : {}) }
  }

  return {
    wanted,
    async inForce() {
      const held = await folder.read()
      const verdict = judgeRoot(rootOf(held), clock())
      if (verdict.kind !== 'good') return undefined
      const names = await namesFor(verdict.root)
      return judgeLeaf(leafOf(held), verdict.root, names, clock()) === undefined
        ? readableMaterial(held, verdict.root)
        : undefined
    },
    async servable() {
      const held = await folder.read()
      const verdict = judgeRoot(rootOf(held), clock())
      if (verdict.kind !== 'good' && verdict.kind !== 'keyless') return undefined
      const leaf = fitsTogether(leafOf(held), verdict.root)
      if (typeof leaf === 'string' || clock() > leaf.notAfter) return undefined
      return readableMaterial(held, verdict.root)
    },
    async settle() {
      const held = await folder.read()
      const verdict = judgeRoot(rootOf(held), clock())
      if (verdict.kind === 'absent') return newRoot(held)
      if (verdict.kind === 'foreign') throw refused(verdict)
      if (verdict.kind === 'broken' || verdict.kind === 'expired') {
        log.warn('the root is replaced', { reason: verdict.reason })
        return newRoot(held)
      }
      const { root } = verdict
      const fits = typeof fitsTogether(leafOf(held), root) !== 'string'
      if (verdict.kind === 'early') {
        // By a clock that is wrong nothing is made; what is there may be served.
        if (!fits) throw refused(verdict)
        log.warn('the certificates are not valid yet', { reason: verdict.reason })
        return readableMaterial(held, root)
      }
      const stale = judgeLeaf(leafOf(held), root, await namesFor(root), clock())
      if (verdict.kind === 'keyless') {
        log.warn('the root cannot sign', { reason: verdict.reason })
        return stale === undefined ? readableMaterial(held, root) : newRoot(held)
      }
      if (stale === undefined) return readableMaterial(held, root)
      log.info('the leaf is renewed', { reason: stale })
      return newLeaf(held, root)
    },
    async remake(what) {
      const held = await folder.read()
      if (what === 'root') return newRoot(held)
      const verdict = judgeRoot(rootOf(held), clock())
      if (verdict.kind !== 'good') throw refused(verdict)
      return newLeaf(held, verdict.root)
    },
  }
}

export const rootOf = (held: Contents) => ({ cert: held.rootCert, key: held.rootKey })
export const leafOf = (held: Contents) => ({ cert: held.leafCert, key: held.leafKey })

const local: readonly Name[] = localNames.flatMap((name) => readName(name) ?? [])

function pairOf({ rootCert, rootKey }: Contents): Pair {
  if (rootCert === undefined || rootKey === undefined) throw new Error('Cannot sign without a root')
  return { cert: rootCert, key: rootKey }
}

function rightTime(now: number): number {
  if (now >= earliest) return now
  const shown = new Date(now).toISOString()
  throw new Problem(
    'certificate-refused',
    `Cannot make certificates: the clock says ${shown}; set it right and start again`,
  )
}

const advice: Readonly<Record<RootVerdict['kind'], string>> = {
  good: '',
  absent: 'start the connector once, or renew the root',
  broken: 'renew the root to replace it',
  keyless: 'renew the root to replace it',
  expired: 'renew the root to replace it',
  early: 'set the clock right and start again',
  foreign: 'move it away, or renew the root to replace it',
}

function refused(verdict: Exclude<RootVerdict, { kind: 'good' }>): Problem {
  const { kind, reason } = verdict
  return new Problem('certificate-refused', `Cannot use the root: ${reason}; ${advice[kind]}`)
}
