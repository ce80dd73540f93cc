/** What a change to a version does before it does it: in words, and as a table by version and system. */
import type { VerdictChange, VersionReach } from '@cardwire/client/protocol'
import { compare } from 'semver'
import { formatCount, Table } from '../frame/parts.tsx'
import { readTexts } from '../frame/texts.ts'

/** So many rows of the table; the rest is counted. */
const maxRows = 50

/** They have a version that is blocked, and the latest allowed one is earlier. */
const goesBack = ({ version, target }: VerdictChange) =>
  target !== undefined && compare(target, version) < 0

export const AffectedDevices = ({ reach }: { readonly reach: VersionReach }) => {
  const texts = readTexts().versions.affected
  const goingBack = reach.changes.filter(goesBack).reduce((total, { count }) => total + count, 0)
  return (
    <>
      <div
        class={reach.stopped + reach.unserved + reach.withoutAllowlist === 0 ? 'note' : 'warning'}
      >
        <p>
          <strong>{texts.sentence(reach)}</strong>
          {reach.withoutAllowlist > 0 && <> {texts.lost(reach)}</>}
        </p>
      </div>
      {goingBack > 0 && <p>{texts.goBack(goingBack)}</p>}
      {reach.changes.length > 0 && (
        <Table
          caption={texts.caption}
          head={[texts.version, texts.system, texts.devices, texts.now, texts.after, texts.target]}
          rows={reach.changes
            .slice(0, maxRows)
            .map(({ version, platform, count, before, after, target }) => [
              version,
              readTexts().systems[platform],
              formatCount(count),
              texts.verdicts[before],
              texts.verdicts[after],
              target ?? (after === 'none' ? '' : texts.noInstaller),
            ])}
        />
      )}
      {reach.changes.length > maxRows && (
        <p class="soft">{texts.more(reach.changes.length - maxRows)}</p>
      )}
    </>
  )
}
