/** Groups rejected registrations: a rollout that fails is one line, and not a thousand. */
import type { ProblemName } from '@cardwire/protocol'

interface Refusal {
  readonly reason: ProblemName
  readonly version: string | null
  readonly keyVersion: string | null
  readonly detail: string
  readonly address: string
  readonly count: number
  readonly lastAt: number
}

export interface RefusalGroup {
  readonly reason: ProblemName
  readonly version: string | null
  /** These two are of the latest one. */
  readonly keyVersion: string | null
  readonly detail: string
  readonly network: string
  readonly devices: number
  readonly count: number
  readonly lastAt: number
}

/** By reason, version and network; those with most devices first. */
export function groupRefusals(refusals: readonly Refusal[]): readonly RefusalGroup[] {
  const groups = new Map<string, RefusalGroup>()
  for (const { reason, address, count, lastAt, ...refusal } of refusals) {
    const version = refusal.version ?? refusal.keyVersion
    const network = toNetwork(address)
    const key = JSON.stringify([reason, version, network])
    const known = groups.get(key)
    const latest = known && known.lastAt >= lastAt ? known : refusal
    groups.set(key, {
      ...{ reason, version, network, keyVersion: latest.keyVersion, detail: latest.detail },
      devices: (known?.devices ?? 0) + 1,
      count: (known?.count ?? 0) + count,
      lastAt: Math.max(known?.lastAt ?? 0, lastAt),
    })
  }
  return [...groups.values()].toSorted(
    (a, b) => b.devices - a.devices || b.count - a.count || b.lastAt - a.lastAt,
  )
}

const ipv4 = /^(\d+\.\d+\.\d+\.)\d+$/

/** The /24 of an IPv4 address; an IPv6 address is stored as its /56. */
export const toNetwork = (address: string): string =>
  address.replace(ipv4, (_, start: string) => `${start}0/24`)

/** What the addresses of a network begin with; undefined where the network is one address. */
export const toPrefix = (network: string): string | undefined =>
  /^(\d+\.\d+\.\d+\.)0\/24$/.exec(network)?.[1]
