/** What a change to a version does before it does it: in words, and as a table by version and system. */
import type { VerdictChange, VersionReach } from '@cardwire/client/protocol'
import { platformNames } from '../../rules/platform-names.ts'
import { formatCount, Table } from '../frame/parts.tsx'

const verdictWords: Readonly<Record<VerdictChange['after'], string>> = {
  none: 'nothing',
  recommend: 'an update is recommended',
  require: 'it has to update',
  stop: 'it stops',
}

/** So many rows of the table; the rest is counted. */
const maxRows = 50

const toDevices = (count: number) => `${formatCount(count)} ${count === 1 ? 'device' : 'devices'}`

/** The sentence that an administrator must have read: `This stops 1,204 devices; 31 have no installer to go to.` */
export function describeAffected({
  reach,
  stopped,
  unserved,
  withoutInstaller,
}: VersionReach): string {
  if (unserved > 0)
    return `${toDevices(unserved)} with this version cannot synchronize until it is registered again.`
  if (reach === 0) return 'No device is told anything else than before.'
  if (stopped === 0)
    return `${toDevices(reach)} ${reach === 1 ? 'is' : 'are'} told something else; none stops.`
  const stuck =
    withoutInstaller === 0
      ? 'all have an installer to go to'
      : `${formatCount(withoutInstaller)} ${withoutInstaller === 1 ? 'has' : 'have'} no installer to go to`
  return `This stops ${toDevices(stopped)}; ${stuck}.`
}

export const AffectedDevices = ({ reach }: { readonly reach: VersionReach }) => (
  <>
    <div class={reach.stopped + reach.unserved === 0 ? 'note' : 'warning'}>
      <p>
        <strong>{describeAffected(reach)}</strong>
      </p>
    </div>
    {reach.changes.length > 0 && (
      <Table
        caption="Whom it reaches"
        head={['Version', 'System', 'Devices', 'Told now', 'Told then', 'To go to']}
        rows={reach.changes
          .slice(0, maxRows)
          .map(({ version, platform, count, before, after, target }) => [
            version,
            platformNames[platform],
            formatCount(count),
            verdictWords[before],
            verdictWords[after],
            target ?? (after === 'none' ? '' : 'no installer'),
          ])}
      />
    )}
    {reach.changes.length > maxRows && (
      <p class="soft">And {formatCount(reach.changes.length - maxRows)} smaller groups.</p>
    )}
  </>
)
