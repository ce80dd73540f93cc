/** What the local page does on behalf of the user, by the same functions as the commands. */
import type { FindingView, FormFaults, SaveResult, ServiceForm } from '../../../page/view.ts'
import { openCards } from '../../api/cards/open-cards.ts'
import type { PageActions } from '../../api/page/page-app.ts'
import { createSandboxEnvironment } from '../../sandbox/environment.ts'
import { superviseReaders } from '../../sandbox/readers/sandbox-supervisor.ts'
import { describeError } from '../../system/file-error.ts'
import { createRunner } from '../../system/run-command.ts'
import { checkOwnInstallationKey, findUnreachableReason } from '../ask-service.ts'
import { getSelfCommand } from '../command-context.ts'
import { revokeConsents, revokeFolders, revokeIdentity } from '../consents.ts'
import { findFindings } from '../doctor/doctor.ts'
import { endOwnConnector } from '../stop.ts'
import type { ReportFailure } from './failure-report.ts'
import { type PageContext, readPageContext } from './page-context.ts'
import { readSlowView } from './read-view.ts'
import { runUpdate } from './run-update.ts'
import { checkForm, writeFields } from './service-settings.ts'
import { startConnector } from './start-connector.ts'
import { createViewWatch } from './watch-view.ts'

/** How long the first report of the readers, and each request to the service, may take, in milliseconds. */
const timeouts = { readersMs: 5000, connectMs: 5000, overallMs: 10_000 }

/**
 * Settings are read anew for each act: the user may have changed them elsewhere. `reportFailure`: calls back with why something
 * is not shown.
 */
export function createPageActions(
  flags: PageContext['flags'],
  reportFailure: ReportFailure,
): PageActions & {
  stop(): Promise<void>
} {
  const first = readPageContext(flags)
  // What is only shown has those of the last act: on a Mac, reading them starts programs.
  let context = first
  const readContext = () => {
    context = readPageContext(flags)
    return context
  }
  const readers = superviseReaders({
    command: getSelfCommand('sandbox'),
    log: { warn: () => undefined, error: () => undefined },
    env: createSandboxEnvironment(first.machine.settings),
  })
  let starts = 0
  const readSlow = async () => {
    await readers.ready(timeouts.readersMs)
    return readSlowView(context, { isStarting: starts > 0, reportFailure })
  }
  const view = createViewWatch(readers, openCards(), readSlow, reportFailure)

  async function start(): Promise<void> {
    const { machine, flagArguments, hasOwnSettings } = readContext()
    starts += 1
    try {
      await startConnector(machine.folders, flagArguments, hasOwnSettings)
    } finally {
      starts -= 1
      await view.refresh()
    }
  }

  return {
    watch: view.watch,
    start,
    async findFindings() {
      const { machine, fault } = readContext()
      return [...(fault ? [toSettingsFinding(fault)] : []), ...(await findFindings(machine))]
    },
    async revoke({ origin, what }) {
      const { machine } = readContext()
      const revoke = { consent: revokeConsents, identity: revokeIdentity, folders: revokeFolders }
      revoke[what](machine, origin)
      await view.refresh()
    },
    async trust() {
      const [program = '', ...args] = [...getSelfCommand('certs'), 'install']
      await createRunner()(program, args)
    },
    async saveService(form) {
      const result = await saveService(form, readContext())
      if (isSaved(result)) {
        // It reads its settings when it starts.
        await endOwnConnector(first.machine.folders)
        await start()
      }
      return result
    },
    update: () => runUpdate(first.flagArguments),
    stop: () => readers.stop(),
  }
}

const toSettingsFinding = (fault: string): FindingView => ({
  level: 'bad',
  code: 'settings-invalid',
  what: fault,
})

const isSaved = ({ faults, failure }: SaveResult) =>
  Object.keys(faults).length === 0 && failure === undefined

/** Asks the service first: a mistyped address is found while the letter is still at hand. */
async function saveService(
  typed: ServiceForm,
  { machine, fields }: PageContext,
): Promise<SaveResult> {
  const form = { address: typed.address.trim(), installationKey: typed.installationKey.trim() }
  const mistyped = checkForm(form, fields)
  if (Object.keys(mistyped).length > 0) return { faults: mistyped }
  const refused = await askService(form, { machine, fields })
  if (Object.keys(refused).length > 0) return { faults: refused }
  try {
    writeFields(machine.settingsFile, form, fields)
    return { faults: {} }
  } catch (error) {
    return { faults: {}, failure: describeError(error) }
  }
}

async function askService(
  form: ServiceForm,
  { machine: { settings }, fields }: Pick<PageContext, 'machine' | 'fields'>,
): Promise<FormFaults> {
  const { caFile, installationKey: ownKey } = settings
  const { connectMs, overallMs } = timeouts
  const options = { caFile, deadlines: { connectMs, overallMs } }
  const isFixed = fields.address.fixedBy !== undefined || form.address === ''
  const dsUrl = (isFixed ? fields.address.value : form.address).replace(/\/+$/, '')
  if ((await findUnreachableReason(dsUrl, options)) !== undefined) return { address: 'unreachable' }
  const key = form.installationKey === '' ? ownKey : form.installationKey
  const state = await checkOwnInstallationKey(dsUrl, key, options)
  return state === 'refused' || state === 'used-up' ? { installationKey: state } : {}
}
