/** A Debian package with a slot: its control.tar is not compressed, so that a member of it lies at a known place (deb(5)). */
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { createEmptySlot } from '../empty-slot.ts'
import type { Slot } from '../package-facts.ts'

/** The name of the member; dpkg keeps it as /var/lib/dpkg/info/cardwire.slot. */
export const slotName = 'slot'

/** Writes the package anew, with the control.tar that is in it, not compressed; returns where its slot is. */
export function openSlot(file: string, writtenAt: number): Slot {
  const [version, , data] = readMembers(readFileSync(file))
  if (version === undefined || data === undefined) throw new Error(`Cannot read "${file}"`)
  const control = execFileSync('dpkg-deb', ['--ctrl-tarfile', file])
  const members = [version, { name: 'control.tar', content: control }, data]
  const bytes = Buffer.concat([
    Buffer.from(magic),
    ...members.flatMap((member) => writeMember(member, writtenAt)),
  ])
  const slot = findSlot(bytes, control)
  writeFileSync(file, bytes)
  return slot
}

/** Throws unless there is one, in the control.tar: a service writes wherever the manifest says. */
function findSlot(bytes: Buffer, control: Buffer): Slot {
  const slot = createEmptySlot()
  const offset = bytes.indexOf(slot)
  const isAlone = offset >= 0 && bytes.indexOf(slot, offset + 1) === -1
  if (isAlone && control.indexOf(slot) >= 0) return { offset, length: slot.length }
  throw new Error('Cannot find the slot: expected one in the whole package, in its control.tar')
}

interface Member {
  readonly name: string
  readonly content: Buffer
}

const magic = '!<arch>\n'
const headerLength = 60

function readMembers(archive: Buffer): readonly Member[] {
  const members: Member[] = []
  for (let at = magic.length; at < archive.length; ) {
    const header = archive.toString('latin1', at, at + headerLength)
    const size = Number(header.slice(48, 58))
    const begin = at + headerLength
    members.push({
      name: header.slice(0, 16).trim(),
      content: archive.subarray(begin, begin + size),
    })
    at = begin + size + (size % 2)
  }
  return members
}

/** ar(5): name, time, owner, group, mode, size; an odd content has one byte more. */
function writeMember({ name, content }: Member, writtenAt: number): readonly Buffer[] {
  const header = [
    name.padEnd(16),
    String(writtenAt).padEnd(12),
    '0'.padEnd(6),
    '0'.padEnd(6),
    '100644'.padEnd(8),
    String(content.length).padEnd(10),
    '`\n',
  ]
  return [Buffer.from(header.join('')), content, Buffer.from('\n'.repeat(content.length % 2))]
}
