/** `cardwire open`: a page of this machine for this user, in their browser, with the state of the connector. */

import { createPageAccess, ticketMs } from '../../api/page/page-access.ts'
import { createPageApp } from '../../api/page/page-app.ts'
import { readPageFiles } from '../../api/page/read-page-files.ts' with { type: 'macro' }
import { limitConnections } from '../../system/connection-limit.ts'
import { openDesktop } from '../../system/desktop/open-desktop.ts'
import { openLog } from '../../system/log.ts'
import { createMacosPeerOwner } from '../../system/macos-peer-owner.ts'
import { openPeerOwner } from '../../system/open-peer-owner.ts'
import type { FindPeerOwner } from '../../system/peer-owner.ts'
import { createRunner } from '../../system/run-command.ts'
import { listenWithoutTls } from '../../system/server.ts'
import { hasDesktop, readUser } from '../../system/user.ts'
import { findFolders, getSelfCommand } from '../command-context.ts'
import { printDocument, printFailure, wantsJson } from '../json-output.ts'
import { print } from '../terminal.ts'
import { createFailureReport } from './failure-report.ts'
import { createPageActions } from './page-actions.ts'
import { createPageEnd } from './page-end.ts'

export interface OpenOptions {
  /** Whether the user's browser is to show it. */
  readonly browser: boolean
}

/** Connections: other accounts get a refusal, and the memory of no more. */
const connectionLimit = { own: Number.POSITIVE_INFINITY, other: 4, others: 16 }

/** Of refused connections: the connector logs its own. */
const silentLog = { warn: () => undefined }

/** Serves the page until it is closed, or nobody has used it for long; exit status 1 when nobody opened it. */
export async function openPage(
  flags: Readonly<Record<string, string | undefined>>,
  { browser }: OpenOptions,
): Promise<void> {
  const access = createPageAccess(() => performance.now())
  const { logs } = findFolders().folders
  const reportFailure = createFailureReport(() =>
    openLog(logs, 'page', { level: 'error', console: true }),
  )
  const actions = createPageActions(flags, reportFailure)
  const end = createPageEnd()
  const { language } = readUser(process.env)
  const app = createPageApp({
    files: readPageFiles(),
    access,
    language,
    ownerOf: openOwnerLookup(),
    actions,
    onWatching: end.setWatching,
    onUse: end.recordUse,
    onFailure: reportFailure,
  })
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, end.endNow)
  const server = listenWithoutTls((request, connection) => app.fetch(request, connection))
  const address = `http://127.0.0.1:${server.port}/#${access.ticket}`
  const stopLimit = limitConnections({ port: server.port, limit: connectionLimit, log: silentLog })
  const opened = browser && (await openBrowser(address))
  announce(address, opened)
  actions.start().catch((error) => reportFailure(error))
  const wasUsed = await end.ended
  stopLimit()
  await Promise.all([server.stop(), actions.stop()])
  if (!wasUsed)
    printFailure('No one opened the page in time', 1, 'run cardwire open again for a new URL')
  process.exit()
}

function openOwnerLookup(): FindPeerOwner {
  const uid = process.getuid?.()
  return process.platform === 'darwin' && uid !== undefined
    ? createMacosPeerOwner(createRunner(), uid)
    : openPeerOwner()
}

async function openBrowser(address: string): Promise<boolean> {
  const { platform, env: environment } = process
  if (!hasDesktop(platform, environment)) return false
  const desktop = openDesktop({ platform, environment, helper: getSelfCommand('desktop') })
  return desktop.openLink(address)
}

function announce(address: string, opened: boolean): void {
  if (wantsJson()) printDocument('open', { address, validMs: ticketMs, opened })
  else if (opened) print('The page is open in your browser; this command ends when you close it.')
  else {
    print(`Open this URL in a browser on this computer, within ${ticketMs / 1000} seconds:`)
    print(address)
  }
}
