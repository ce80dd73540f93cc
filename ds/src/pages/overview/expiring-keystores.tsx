/** The keystores that expire soon, or have expired: connectors would serve their sites with another certificate, or not at all. */
import { type DeviceSummary, listConfigurations } from '@cardwire/client/protocol'
import { toWarningTime } from '../configurations/certificate.tsx'
import type { PageContext } from '../frame/page-env.ts'
import { Time } from '../frame/parts.tsx'
import { readTexts } from '../frame/texts.ts'

export interface Expiring {
  readonly items: readonly {
    readonly version: string
    readonly at: string
    readonly hasExpired: boolean
  }[]
  /** All, of which `items` has the first. */
  readonly total: number
}

const maxShown = 5

/** First those of versions that devices had in the days of the summary, then those that expire first. */
export async function listExpiring(
  { var: { api } }: PageContext,
  { at, days }: DeviceSummary,
): Promise<Expiring> {
  const now = Date.parse(at)
  const query = { expiresBefore: toWarningTime(now), size: '100' }
  const { data } = await api.call(listConfigurations, { query })
  const used = new Set(days.map(({ version }) => version))
  const found = data.items.flatMap(({ type, versionId, config }) =>
    type === 'SSL_KEYSTORE' && config.certificate !== undefined
      ? [{ version: versionId, at: config.certificate.notAfter }]
      : [],
  )
  const items = found
    .toSorted(
      (one, other) =>
        Number(used.has(other.version)) - Number(used.has(one.version)) ||
        Date.parse(one.at) - Date.parse(other.at),
    )
    .slice(0, maxShown)
    .map((each) => ({ ...each, hasExpired: Date.parse(each.at) <= now }))
  return { items, total: data.total }
}

export const ExpiringKeystores = ({ items, total }: Expiring) => {
  const texts = readTexts().overview.keystores
  return (
    <>
      {items.map(({ version, at, hasExpired }) => (
        <li>
          <a href={`keystore/${encodeURIComponent(version)}`}>{texts.link(version)}</a>{' '}
          {(hasExpired ? texts.expired : texts.expires)(<Time at={at} />)}
        </li>
      ))}
      {total > items.length && <li>{texts.more(total - items.length)}</li>}
    </>
  )
}
