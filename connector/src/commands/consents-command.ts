/** `cardwire consents` and its commands. */
import { Command } from 'commander'
import type { AddSettings } from './command-context.ts'

/** Loaded when one of them runs: every other command starts sooner. */
const acts = () => import('./consents.ts')

export function createConsentsCommand(addSettings: AddSettings): Command {
  const consents = new Command('consents')
    .enablePositionalOptions()
    .description('list the allowed sites, or revoke their access')
  addSettings(consents, async (machine) => (await acts()).listConsents(machine))
  addSettings(
    consents
      .command('revoke [origin]')
      .description('revoke access for one site; its open pages notice within a second')
      .option('--all', 'for every site')
      .option('--folders', 'only the folders of the site; its consent stays'),
    async (machine, options, [origin]) => {
      const { revoke, revokeOriginFolders } = await acts()
      if (options['folders'] === true) revokeOriginFolders(machine, origin)
      else revoke(machine, origin, options['all'] === true)
    },
  )
  return consents
}
