/** Looks up the name of a user number. */
import { createRunner } from './run-command.ts'

/** Names that are cached: a machine has few users, and each lookup starts a program. */
const maxNames = 1000

/** `id -un` for user numbers (POSIX); undefined for anything else. */
export function createUserNames(
  run = createRunner({ ...process.env, LC_ALL: 'C' }),
): (user: string) => Promise<string | undefined> {
  const known = new Map<string, Promise<string | undefined>>()
  return (user) => {
    const found = known.get(user)
    if (found) return found
    if (known.size >= maxNames) known.clear()
    const name = lookUpName(user)
    known.set(user, name)
    return name
  }

  async function lookUpName(user: string): Promise<string | undefined> {
    if (!/^\d{1,10}$/.test(user)) return undefined
    const { status, output } = await run('id', ['-un', user])
    return status === 0 ? output.trim() : undefined
  }
}
