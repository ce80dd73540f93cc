/** What a change to a version does before it does it: in words, and as a table by version and system. */
import type { VersionReach } from '@cardwire/client/protocol'
import { formatCount, Table } from '../frame/parts.tsx'
import { readTexts } from '../frame/texts.ts'

/** So many rows of the table; the rest is counted. */
const maxRows = 50

export const AffectedDevices = ({ reach }: { readonly reach: VersionReach }) => {
  const texts = readTexts().versions.affected
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
