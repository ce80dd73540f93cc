/** Names the program that has a port, and logs that a server has lost one of its addresses. */
import type { Log } from './log.ts'
import { findPortOwner, findPortOwners, type PortOwner } from './port-owner.ts'
import type { ListenOptions } from './server.ts'
import { createUserNames } from './user-name.ts'

/** The account and the program that listen on a port; undefined where the system does not say. */
export async function describePortHolder(port: number): Promise<string | undefined> {
  return formatHolder(await findPortOwner(port))
}

export async function formatHolder(holder: PortOwner | undefined): Promise<string | undefined> {
  if (!holder) return undefined
  const account = `user ${(await createUserNames()(holder.user)) ?? holder.user}`
  const { program } = holder
  return program ? `${program.name}, process ${program.pid}, ${account}` : account
}

/** Logs an address that is lost with its holder, then calls `afterwards`; and that it is there again. */
export const logLostAddress = (
  log: Pick<Log, 'error' | 'info'>,
  afterwards: () => void = () => undefined,
) =>
  ({
    onLost: (address, port) => {
      void findPortOwners(port)
        .then((owners) => formatHolder(owners[address]))
        .catch(() => undefined)
        .then((holder) => {
          log.error('another program has an address of this server: it serves on neither', {
            address,
            port,
            holder: holder ?? 'not shown by the system',
            todo: 'end that program',
          })
          afterwards()
        })
    },
    onRegained: (port) => log.info('listening on both addresses again', { port }),
  }) satisfies ListenOptions
