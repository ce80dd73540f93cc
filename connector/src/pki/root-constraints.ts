/** Judges the name constraints of a root before it is trusted (RFC 5280 §4.2.1.10): only names of this machine, one by one. */
import { decodeStrict, toHex } from './der.ts'
import { localNames, type Name, readName } from './names.ts'

const faults = {
  form: 'its name constraints cannot be read',
  excluded: 'its name constraints exclude names, but must only permit names',
  distance: 'its name constraints have a distance',
  kind: 'its name constraints name something other than hosts and addresses',
  names: 'it can sign for names other than those of this computer',
  local: 'its name constraints lack localhost, 127.0.0.1 or ::1',
} as const

// GeneralSubtrees: [0] permitted, [1] excluded. GeneralName: [2] dNSName, [7] iPAddress.
const tags = { sequence: 0x30, permitted: 0xa0, excluded: 0xa1, dns: 0x82, ip: 0x87 }

/** Why they permit too much or too little; undefined: they permit exactly names of this machine, the local ones among them. */
export function findConstraintFault(
  value: Uint8Array,
  hosts: readonly string[],
): string | undefined {
  const [sequence, ...after] = decodeStrict(value)
  if (sequence?.tag !== tags.sequence || after.length > 0) return faults.form
  const lists = decodeStrict(sequence.content)
  if (lists.some(({ tag }) => tag === tags.excluded)) return faults.excluded
  const [permitted, ...others] = lists
  // Without a permitted name of a kind, every name of that kind is permitted.
  if (permitted === undefined) return faults.local
  if (permitted.tag !== tags.permitted || others.length > 0) return faults.form

  const known = new Set(toKnownNames(hosts).map(toKey))
  const found = new Set<string>()
  for (const tree of decodeStrict(permitted.content)) {
    const [base, ...distances] = decodeStrict(tree.content)
    if (tree.tag !== tags.sequence || base === undefined) return faults.form
    if (distances.length > 0) return faults.distance
    if (base.tag !== tags.dns && base.tag !== tags.ip) return faults.kind
    const key = `${base.tag}:${toHex(base.content)}`
    if (!known.has(key)) return faults.names
    found.add(key)
  }
  // The addresses of both families are there, so that neither is open to every address.
  return toKnownNames([]).every((name) => found.has(toKey(name))) ? undefined : faults.local
}

/** The local names and those of the settings. A name of one label other than localhost would be a part of the web. */
function toKnownNames(hosts: readonly string[]): readonly Name[] {
  return [...localNames, ...hosts]
    .flatMap((text) => readName(text) ?? [])
    .filter(({ kind, value }) => kind === 'ip' || value === 'localhost' || value.includes('.'))
}

/** As the constraint has it: a host in lower case, or one address, which is the address and a mask of ones. */
const toKey = (name: Name) =>
  name.kind === 'dns'
    ? `${tags.dns}:${toHex(new TextEncoder().encode(name.value))}`
    : `${tags.ip}:${toHex(name.bytes)}${'ff'.repeat(name.bytes.length)}`
