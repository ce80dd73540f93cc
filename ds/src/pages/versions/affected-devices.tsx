/** What a change to a version does before it does it: in words, and as a table by version and system. */
import type { LostSites, VerdictChange, VersionReach } from '@cardwire/protocol'
import { compare } from 'semver'
import { formatCount, Table } from '../frame/parts.tsx'
import { readTexts } from '../frame/texts.ts'

/** So many rows of the table; the rest is counted. */
const maxRows = 50

/** They have a version that is blocked, and the latest allowed one is earlier. */
const goesBack = ({ version, target }: VerdictChange) =>
  target !== undefined && compare(target, version) < 0

/** Whether no device stops, loses its sites or installs something else. */
const isHarmless = ({
  stopped,
  unserved,
  stoppedWithoutInstaller,
  withoutAllowlist,
  withOtherInstaller,
  lostSites,
}: VersionReach) =>
  stopped +
    unserved +
    stoppedWithoutInstaller +
    withoutAllowlist +
    withOtherInstaller +
    lostSites.total ===
  0

export const AffectedDevices = ({
  reach,
  of,
}: {
  readonly reach: VersionReach
  /** The change, where a page has several. */
  readonly of?: string
}) => {
  const texts = readTexts().versions.affected
  const goingBack = reach.changes.filter(goesBack).reduce((total, { count }) => total + count, 0)
  return (
    <>
      <div class={isHarmless(reach) ? 'note' : 'warning'}>
        <p>
          <strong>{texts.sentence(reach)}</strong>
          {reach.stoppedWithoutInstaller > 0 && (
            <> {texts.stoppedWithoutInstaller(reach.stoppedWithoutInstaller)}</>
          )}
          {reach.withoutAllowlist > 0 && <> {texts.lost(reach)}</>}
          {reach.lostSites.total > 0 && <> {texts.lostSites.sentence(reach.lostSites.total)}</>}
          {reach.withOtherInstaller > 0 && <> {texts.otherInstallers(reach.withOtherInstaller)}</>}
        </p>
      </div>
      <LostSitesTable sites={reach.lostSites} of={of} />
      {goingBack > 0 && <p>{texts.goBack(goingBack)}</p>}
      {reach.changes.length > 0 && (
        <Table
          caption={texts.captionUnblocked}
          of={of}
          head={[texts.version, texts.system, texts.devices, texts.now, texts.after, texts.target]}
          rows={reach.changes
            .slice(0, maxRows)
            .map((change) => [
              change.version,
              readTexts().systems[change.platform],
              formatCount(change.count),
              texts.verdicts[change.before],
              texts.verdicts[change.after],
              describeTarget(change),
            ])}
        />
      )}
      {reach.changes.length > maxRows && (
        <p class="soft">{texts.more(reach.changes.length - maxRows)}</p>
      )}
    </>
  )
}

const LostSitesTable = ({
  sites: { items, total },
  of,
}: {
  readonly sites: LostSites
  readonly of: string | undefined
}) => {
  const texts = readTexts().versions.affected
  if (total === 0) return null
  return (
    <>
      <Table
        caption={texts.lostSites.caption}
        of={of}
        head={[texts.lostSites.site, texts.devices]}
        rows={items.map(({ origin, devices }) => [<code>{origin}</code>, formatCount(devices)])}
      />
      {total > items.length && <p class="soft">{texts.lostSites.more(total - items.length)}</p>}
    </>
  )
}

function describeTarget({ after, target, otherInstaller }: VerdictChange): string {
  const texts = readTexts().versions.affected
  if (target === undefined) return after === 'none' ? '' : texts.noInstaller
  return otherInstaller ? texts.otherInstaller(target) : target
}
