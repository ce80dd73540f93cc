/** `npm run sync`: makes the connector of the demonstration get what the service has now, such as a changed allowlist. */
import { getFolderVariables } from './connector.ts'
import { runCommand, runConnectorCommand } from './connector-command.ts'
import { readServiceUrl } from './env-file.ts'
import { StartError, toShownPath, UsageError } from './terminal.ts'

/** Of `cardwire status`: the connector does not run. */
const stopped = 3

await runCommand(async (data, [other]) => {
  if (other !== undefined) {
    throw new UsageError(`Cannot use "${other.slice(0, 80)}": npm run sync only has --data FOLDER`)
  }
  const dsUrl = await readServiceUrl(data)
  const folders = { ...getFolderVariables(data), ...(dsUrl && { CARDWIRE_DS_URL: dsUrl }) }
  if (dsUrl === undefined || runConnectorCommand(['status'], folders, 'hidden') === stopped) {
    throw new StartError(
      `Nothing to sync: Cardwire isn’t running with the data in ${toShownPath(data)}. Start it with npm start`,
    )
  }
  return runConnectorCommand(['sync'], folders)
})
