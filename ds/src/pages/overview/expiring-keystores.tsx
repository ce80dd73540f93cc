/** The keystores that expire soon, or have expired: connectors would serve their sites with another certificate, or not at all. */
import { type DeviceSummary, listConfigurations } from '@cardwire/protocol'
import { toWarningTime } from '../configurations/certificate.tsx'
import { addGroup, toConfigurationAddress } from '../configurations/configuration-data.ts'
import type { PageContext } from '../frame/page-env.ts'
import { Time } from '../frame/parts.tsx'
import { readTexts } from '../frame/texts.ts'
import { readGroupNames } from '../groups/group-names.ts'

export interface Expiring {
  readonly items: readonly {
    readonly version: string
    readonly at: string
    readonly hasExpired: boolean
    /** The page that shows it. */
    readonly to: string
    /** Where it is for one group only. */
    readonly groupName: string | undefined
  }[]
  /** All, of which `items` has the first. */
  readonly total: number
}

const maxShown = 5

const toKeystoreAddress = (version: string) => `keystore/${encodeURIComponent(version)}`

/** First those of versions that devices had in the days of the summary, then those that expire first. */
export async function listExpiring(
  context: PageContext,
  { at, days }: DeviceSummary,
): Promise<Expiring> {
  const now = Date.parse(at)
  const query = { expiresBefore: toWarningTime(now), size: '100' }
  const { data } = await context.var.api.call(listConfigurations, { query })
  const used = new Set(days.map(({ version }) => version))
  const nameGroup = await readGroupNames(context)
  const found = data.items.flatMap(({ id, type, versionId, groupId, config }) =>
    type === 'SSL_KEYSTORE' && config.certificate !== undefined
      ? [
          {
            version: versionId,
            at: config.certificate.notAfter,
            to: groupId === undefined ? toKeystoreAddress(versionId) : toConfigurationAddress(id),
            groupName: nameGroup(groupId),
          },
        ]
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
      {items.map(({ version, at, hasExpired, to, groupName }) => (
        <li>
          <a href={to}>{addGroup(texts.link(version), groupName)}</a>{' '}
          {(hasExpired ? texts.expired : texts.expires)(<Time at={at} />)}
        </li>
      ))}
      {total > items.length && <li>{texts.more(total - items.length)}</li>}
    </>
  )
}
