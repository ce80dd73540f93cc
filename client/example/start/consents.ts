/** `npm run consents`: lists the consents of the demonstration's connector; `-- revoke <origin>` revokes one. */
import process from 'node:process'
import { getFolderVariables } from './connector.ts'
import { requireStarted, runConnectorCommand } from './connector-command.ts'
import { readSettings } from './settings.ts'

const { data } = await readSettings(process.env)
requireStarted(data)
process.exitCode = runConnectorCommand(
  ['consents', ...process.argv.slice(2)],
  getFolderVariables(data),
)
