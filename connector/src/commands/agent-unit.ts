/** The unit of the package that starts a user's connector. */
import type { Run } from '../system/run-command.ts'

export const agentUnit = 'cardwire.service'

/** Whether this user, or an administrator for everybody, wants that nothing starts it (systemctl(1), "mask"). */
export async function isAgentMasked(
  run: Run,
  platform: string = process.platform,
): Promise<boolean> {
  if (platform !== 'linux') return false
  const { output } = await run('systemctl', ['--user', 'is-enabled', agentUnit])
  return /^masked(-runtime)?$/m.test(output)
}
