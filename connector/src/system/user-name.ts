/** What people call a user, by what the system calls the user. */
import { runner } from '../trust/run.ts'

/** Names that are remembered: a machine has few users, and each look starts a program. */
const most = 1000

/** `id -un` for user numbers (POSIX); undefined for anything else. */
export function userNames(
  run = runner({ ...process.env, LC_ALL: 'C' }),
): (user: string) => Promise<string | undefined> {
  const known = new Map<string, Promise<string | undefined>>()
  return (user) => {
    const found = known.get(user)
    if (found) return found
    if (known.size >= most) known.clear()
    const name = nameOf(user)
    known.set(user, name)
    return name
  }

  async function nameOf(user: string): Promise<string | undefined> {
    if (!/^\d{1,10}$/.test(user)) return undefined
    const { status, output } = await run('id', ['-un', user])
    return status === 0 ? output.trim() : undefined
  }
}
