/** Programs by another clock: faketime(1), which stumbles over what a dead one with its number has left. */
import { existsSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'

const memory = '/dev/shm'

/** What stands before the command: `time` as faketime(1) reads it, `-2 years` say. */
export function byClock(time: string): readonly string[] {
  for (const name of readdirSync(memory)) {
    const pid = /^(?:sem\.)?faketime_(?:sem|shm)_(\d+)$/.exec(name)?.[1]
    if (pid !== undefined && !existsSync(`/proc/${pid}`))
      rmSync(join(memory, name), { force: true })
  }
  return ['faketime', time]
}
