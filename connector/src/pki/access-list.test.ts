/** Security descriptors, byte by byte as winnt.h lays them out. */
import { expect, test } from 'vitest'
import { proves } from '../../../test/bed/proves.ts'
import { formatAccessList, listAllowedSids } from './access-list.ts'

/** The bytes of a SID. */
function sid(text: string): Buffer {
  const [revision = 0, authority = 0, ...parts] = text.split('-').slice(1).map(Number)
  const bytes = Buffer.alloc(8 + 4 * parts.length)
  bytes.writeUInt8(revision)
  bytes.writeUInt8(parts.length, 1)
  bytes.writeUIntBE(authority, 2, 6)
  for (const [index, part] of parts.entries()) bytes.writeUInt32LE(part, 8 + 4 * index)
  return bytes
}

interface Entry {
  readonly type?: number
  readonly flags?: number
  readonly who: string
}

function descriptor(entries: readonly Entry[] | undefined): Buffer {
  const list = (entries ?? []).map(({ type = 0, flags = 0, who }) => {
    const head = Buffer.from([type, flags, 0, 0, 0xff, 0x01, 0x1f, 0])
    const entry = Buffer.concat([head, sid(who)])
    entry.writeUInt16LE(entry.length, 2)
    return entry
  })
  const bytes = Buffer.concat([Buffer.alloc(28), ...list])
  bytes.writeUInt8(1)
  bytes.writeUInt16LE(0x8004, 2)
  bytes.writeUInt32LE(entries ? 20 : 0, 16)
  bytes.writeUInt8(2, 20)
  bytes.writeUInt16LE(bytes.length - 20, 22)
  bytes.writeUInt16LE(list.length, 24)
  return bytes
}

const ada = 'S-1-5-21-3623811015-3361044348-30300820-1013'

test.each<[string, readonly Entry[] | undefined, readonly string[]]>([
  ['accounts, each once', [{ who: ada }, { who: 'S-1-5-18' }, { who: ada }], [ada, 'S-1-5-18']],
  ['what is inherited', [{ who: 'S-1-5-32-545', flags: 0x10 }], ['S-1-5-32-545']],
  ['nothing that is for children alone', [{ who: 'S-1-3-0', flags: 0x0b }], []],
  ['nothing that is denied', [{ who: 'S-1-1-0', type: 1 }], []],
  ['a kind that is not read', [{ who: 'S-1-1-0', type: 9 }], ['?']],
  ['nobody by an empty list', [], []],
  ['everyone where there is no list', undefined, ['S-1-1-0']],
])('an access list lets in %s', (_, entries, expected) => {
  expect(listAllowedSids(descriptor(entries))).toEqual(expected)
})

test('a list in SDDL allows these accounts, and takes nothing from the parent folder', () => {
  proves('windows-private-files')
  expect(formatAccessList([ada, 'S-1-5-18', 'S-1-5-32-544'])).toBe(
    `D:P(A;OICI;FA;;;${ada})(A;OICI;FA;;;S-1-5-18)(A;OICI;FA;;;S-1-5-32-544)`,
  )
})
