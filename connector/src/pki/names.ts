/** Names of servers: host names and addresses, as certificates, name constraints and callers write them. */
import { isIP } from 'node:net'

/** What every local certificate is for (specification, Versioning §4). */
export const localNames = ['localhost', '127.0.0.1', '::1'] as const

export type Name =
  | { readonly kind: 'dns'; readonly value: string }
  | { readonly kind: 'ip'; readonly value: string; readonly bytes: Uint8Array<ArrayBuffer> }

const label = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/

/**
 * Reads a host name or address: lower case, final dot dropped, IPv6 in its shortest spelling. Answers with undefined
 * for anything else, wildcards and numbers in place of host names included.
 */
export function readName(text: string): Name | undefined {
  const host = text.trim().toLowerCase().replace(/\.$/, '')
  const bare = host.startsWith('[') && host.endsWith(']') ? host.slice(1, -1) : host
  if (isIP(bare) === 4) return toIpName(Uint8Array.from(bare.split('.'), Number))
  // A zone (`fe80::1%eth0`) names an interface, not a host.
  if (isIP(bare) === 6 && !bare.includes('%')) return toIpName(parseIpv6(bare))
  const labels = host.split('.')
  const isHost = host.length <= 253 && labels.every((part) => label.test(part))
  return isHost && !/^\d+$/.test(labels.at(-1) ?? '') ? { kind: 'dns', value: host } : undefined
}

/** The name of an address of 4 or 16 bytes. */
export function toIpName(bytes: Uint8Array<ArrayBuffer>): Name {
  return { kind: 'ip', value: bytes.length === 4 ? bytes.join('.') : formatIpv6(bytes), bytes }
}

/** Whether a name is among those of a certificate: a wildcard stands for one label (RFC 9525 §6.3). */
export function covers(names: readonly string[], name: Name): boolean {
  const parent = name.value.slice(name.value.indexOf('.') + 1)
  const wildcard = name.kind === 'dns' && parent.includes('.') ? `*.${parent}` : undefined
  return names.some((candidate) => candidate === name.value || candidate === wildcard)
}

function parseIpv6(text: string): Uint8Array<ArrayBuffer> {
  // The platform's own parser knows every spelling, `::ffff:1.2.3.4` included.
  const [head = '', tail] = new URL(`http://[${text}]`).hostname.slice(1, -1).split('::')
  const groups = (part: string) => (part === '' ? [] : part.split(':'))
  const [first, last] = [groups(head), groups(tail ?? '')]
  const zeros = Array<string>(8 - first.length - last.length).fill('0')
  const all = [...first, ...zeros, ...last].map((group) => Number.parseInt(group, 16))
  return Uint8Array.from(all.flatMap((group) => [group >> 8, group & 0xff]))
}

function formatIpv6(bytes: Uint8Array): string {
  const groups = Array.from({ length: 8 }, (_, at) =>
    (((bytes[2 * at] ?? 0) << 8) | (bytes[2 * at + 1] ?? 0)).toString(16),
  )
  return new URL(`http://[${groups.join(':')}]`).hostname.slice(1, -1)
}
