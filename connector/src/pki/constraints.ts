/** Name constraints of a root (RFC 5280 §4.2.1.10): encoded, decoded, and applied to a name. */
import { concatBytes, decodeElements, encodeElement } from './der.ts'
import { type Name, readName, toIpName } from './names.ts'

/** OID of the extension. */
export const nameConstraintsOid = '2.5.29.30'

/**
 * What is constrained: `full` host names and addresses, `dns` host names alone (any address may be signed), `none`
 * nothing. Some TLS clients cannot read constraints of addresses; for those there is `dns`.
 */
export type ConstraintKind = 'full' | 'dns' | 'none'

/** The permitted names; undefined where names of that kind are not constrained. */
export interface Constraints {
  readonly kind: ConstraintKind
  readonly dns: readonly string[] | undefined
  /** Single addresses, or `address/mask`. */
  readonly ip: readonly string[] | undefined
}

/** Whether a root with these constraints may sign for a name. */
export function permitsName(constraints: Constraints, name: Name): boolean {
  const permitted = name.kind === 'dns' ? constraints.dns : constraints.ip
  if (permitted === undefined) return true
  if (name.kind === 'ip') return permitted.some((entry) => isInNetwork(name.bytes, entry))
  return permitted.some(
    (entry) => entry === '' || entry === name.value || name.value.endsWith(`.${entry}`),
  )
}

// GeneralName: [2] dNSName, [7] iPAddress; GeneralSubtrees: [0] permitted, [1] excluded.
const tags = { sequence: 0x30, permitted: 0xa0, excluded: 0xa1, dns: 0x82, ip: 0x87 }

/** The value of the extension that permits these names and no others of the kinds constrained. */
export function encodeConstraints(
  kind: 'full' | 'dns',
  names: readonly Name[],
): Uint8Array<ArrayBuffer> {
  const trees = names
    .filter((name) => kind === 'full' || name.kind === 'dns')
    .map((name) =>
      name.kind === 'dns'
        ? encodeElement(tags.dns, new TextEncoder().encode(name.value))
        : // An address is followed by its mask: all ones, one host.
          encodeElement(
            tags.ip,
            concatBytes([name.bytes, new Uint8Array(name.bytes.length).fill(0xff)]),
          ),
    )
    .map((base) => encodeElement(tags.sequence, base))
  return encodeElement(tags.sequence, encodeElement(tags.permitted, concatBytes(trees)))
}

/** Reads the extension of any root; one that excludes names is read as permitting none. Throws when it is not DER. */
export function decodeConstraints(value: Uint8Array | undefined): Constraints {
  if (value === undefined) return { kind: 'none', dns: undefined, ip: undefined }
  const dns: string[] = []
  const ip: string[] = []
  for (const sequence of decodeElements(value))
    for (const subtrees of decodeElements(sequence.content)) {
      if (subtrees.tag === tags.excluded) return { kind: 'full', dns: [], ip: [] }
      for (const tree of decodeElements(subtrees.content)) {
        const base = decodeElements(tree.content)[0]
        if (base?.tag === tags.dns)
          dns.push(new TextDecoder().decode(base.content).toLowerCase().replace(/^\./, ''))
        if (base?.tag === tags.ip) ip.push(toNetwork(base.content))
      }
    }
  const kind = dns.length === 0 ? 'none' : ip.length === 0 ? 'dns' : 'full'
  return { kind, dns: dns.length > 0 ? dns : undefined, ip: ip.length > 0 ? ip : undefined }
}

function toNetwork(content: Uint8Array): string {
  const half = content.length / 2
  const address = toIpName(content.slice(0, half)).value
  const mask = content.slice(half)
  return mask.every((byte) => byte === 0xff) ? address : `${address}/${toIpName(mask).value}`
}

function isInNetwork(bytes: Uint8Array, entry: string): boolean {
  const [address, mask] = entry.split('/').map(readName)
  if (address?.kind !== 'ip' || address.bytes.length !== bytes.length) return false
  const bits = mask?.kind === 'ip' ? mask.bytes : new Uint8Array(bytes.length).fill(0xff)
  return bytes.every((byte, at) => ((byte ^ (address.bytes[at] ?? 0)) & (bits[at] ?? 0)) === 0)
}
