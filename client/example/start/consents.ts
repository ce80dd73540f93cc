/** `npm run consents`: whom the connector of the demonstration lets in; `-- revoke <origin>` takes it back. */
import process from 'node:process'
import { mustHaveStarted, runByHand } from './by-hand.ts'
import { ownFolders } from './connector.ts'
import { readSettings } from './settings.ts'

const { data } = await readSettings(process.env)
mustHaveStarted(data)
process.exitCode = runByHand(['consents', ...process.argv.slice(2)], ownFolders(data))
