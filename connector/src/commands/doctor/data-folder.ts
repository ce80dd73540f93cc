/** Checks what the connector has lost of its data, and whether it waits for the clock. */
import { join } from 'node:path'
import { clockFileName, type JudgedClock, judgeClock } from '../../system/clock-watch.ts'
import { type DamagedFile, listDamagedFiles } from '../../system/damaged-files.ts'
import type { Folders } from '../../system/folders.ts'
import type { Finding } from './finding.ts'

export const checkDataFolder = async ({
  folders,
}: {
  readonly folders: Pick<Folders, 'runtime' | 'certificates'>
}): Promise<readonly Finding[]> => [
  ...toClockFindings(judgeClock(join(folders.runtime, clockFileName), Date.now())),
  ...[folders.runtime, folders.certificates].flatMap(listDamagedFiles).map(toDamageFinding),
]

const hourMs = 3_600_000

/** None for a clock that is trusted. */
export function toClockFindings({ trustedAt, now, waitMs }: JudgedClock): readonly Finding[] {
  if (waitMs === undefined) return []
  const hours = Math.ceil(waitMs / hourMs)
  const [from, to] = [trustedAt, now].map((time) => new Date(time).toISOString().slice(0, 16))
  return [
    {
      level: 'note',
      code: 'clock-jumped',
      what: `the clock of this computer jumped from ${from}Z to ${to}Z; until the connector trusts the clock again, it does not replace root certificates, and consents and policies do not expire`,
      remedy: `if the clock is wrong, correct it; otherwise, run cardwire sync, or leave the connector running for ${hours} more ${hours === 1 ? 'hour' : 'hours'}`,
    },
  ]
}

const toDamageFinding = ({ path, name, day, consequence }: DamagedFile): Finding => ({
  level: 'note',
  code: 'file-damaged',
  what: `${name} was damaged and was replaced on ${day}${consequence === undefined ? '' : `: ${consequence}`}`,
  remedy: `check the disk, then delete the damaged file: ${path}`,
})
