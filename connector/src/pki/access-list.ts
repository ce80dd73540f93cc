/** The accounts that an access list of Windows allows: security descriptors as GetFileSecurityW writes them (winnt.h). */
import { formatSid } from '../system/windows-account.ts'

const everyone = 'S-1-1-0'
const daclPresent = 0x4
const inheritOnly = 0x8
const allowed = 0
// ACCESS_DENIED_ACE_TYPE, and the same for objects, with a condition, and both.
const denials: ReadonlySet<number> = new Set([1, 6, 10, 12])

/**
 * The access list that lets only these SIDs do anything with a file, in SDDL (learn.microsoft.com, security descriptor string
 * format). P: nothing of the parent folder is inherited. OICI: new files and folders in a folder inherit it. FA: all access.
 */
export const formatAccessList = (sids: readonly string[]): string =>
  `D:P${sids.map((sid) => `(A;OICI;FA;;;${sid})`).join('')}`

/** The SIDs that may do anything at all with the file, each once; `?` for entries of kinds that are not read here. */
export function listAllowedSids(descriptor: Buffer): readonly string[] {
  const control = descriptor.readUInt16LE(2)
  const start = descriptor.readUInt32LE(16)
  // Without a list everyone has access, with an empty one nobody.
  if ((control & daclPresent) === 0 || start === 0) return [everyone]
  const sids = new Set<string>()
  let entry = start + 8
  for (let left = descriptor.readUInt16LE(start + 4); left > 0; left -= 1) {
    const type = descriptor.readUInt8(entry)
    const forChildrenAlone = (descriptor.readUInt8(entry + 1) & inheritOnly) !== 0
    if (!forChildrenAlone && !denials.has(type))
      sids.add(type === allowed ? formatSid(descriptor.subarray(entry + 8)) : '?')
    entry += descriptor.readUInt16LE(entry + 2)
  }
  return [...sids]
}
