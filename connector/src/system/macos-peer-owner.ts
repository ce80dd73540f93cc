/** Whether a connection is of this account, on macOS: lsof(8) tells an account about its own processes alone. */
import type { FindPeerOwner } from './peer-owner.ts'
import type { Run } from './run-command.ts'

const program = '/usr/sbin/lsof'

/** Starts a program for each look-up: for requests that are a user's acts. Never says `other` or `gone`. */
export const createMacosPeerOwner =
  (run: Run, uid: number): FindPeerOwner =>
  async ({ port: peerPort }, port) => {
    // -a: all conditions; -F n: the names of the sockets, each on a line after an n.
    const conditions = ['-a', '-u', String(uid), `-iTCP@127.0.0.1:${peerPort}`]
    const { output } = await run(program, ['-nP', ...conditions, '-Fn'])
    const isOurs = output.split('\n').includes(`n127.0.0.1:${peerPort}->127.0.0.1:${port}`)
    return { kind: isOurs ? 'ours' : 'unknown' }
  }
