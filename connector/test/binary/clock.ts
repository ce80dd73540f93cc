/** Runs programs with another time by faketime(1), and removes the shared memory that its ended processes left. */
import { existsSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'

const memory = '/dev/shm'

/** The prefix of a command; `time` as faketime(1) reads it, for example `-2 years`. */
export function createFaketimePrefix(time: string): readonly string[] {
  for (const name of readdirSync(memory)) {
    const pid = /^(?:sem\.)?faketime_(?:sem|shm)_(\d+)$/.exec(name)?.[1]
    if (pid !== undefined && !existsSync(`/proc/${pid}`))
      rmSync(join(memory, name), { force: true })
  }
  return ['faketime', time]
}
