/** `npm run consents`: lists the consents of the demonstration's connector; `-- revoke <origin>` revokes one. */
import { getFolderVariables } from './connector.ts'
import { runCommand, runConnectorCommand } from './connector-command.ts'

await runCommand((data, args) =>
  runConnectorCommand(['consents', ...args], getFolderVariables(data)),
)
