/** The difference between the configurations of two versions, line by line. */
import { type Configuration, ConfigurationType } from '@cardwire/protocol'
import { listDifferences, type Part } from '../frame/difference.tsx'
import { Field } from '../frame/fields.tsx'
import { showPage } from '../frame/layout.tsx'
import type { PageApp, PageContext } from '../frame/page-env.ts'
import { Table } from '../frame/parts.tsx'
import { readTexts } from '../frame/texts.ts'
import { readAllGroups, readGroupNames } from '../groups/group-names.ts'
import { describeConfiguration, toConfigurationsTrail } from './configuration-data.ts'
import { findOfVersion } from './taken.tsx'
import { listVersionIds, VersionList } from './version-list.tsx'

export function addConfigurationDifference(pages: PageApp): void {
  pages.get('/configurations/difference', async (context) => {
    const { from = '', to = '' } = context.req.query()
    const [before, after] = [await readParts(context, from), await readParts(context, to)]
    const texts = readTexts().configurations.difference
    return showPage(context, {
      title: texts.title,
      trail: toConfigurationsTrail(),
      children: (
        <>
          <search>
            <form class="filters" method="get" action="configurations/difference">
              <Field name="from" label={texts.from} value={from} list="versions" />
              <Field name="to" label={texts.to} value={to} list="versions" />
              <VersionList ids={await listVersionIds(context)} />
              <button type="submit">{texts.button}</button>
            </form>
          </search>
          {from && to && <Differences from={from} to={to} before={before} after={after} />}
        </>
      ),
    })
  })
}

/** The parts of all configurations of a version; the address and digest of a keystore, never its password. */
export async function readParts(context: PageContext, versionId: string): Promise<readonly Part[]> {
  if (!versionId) return []
  const items = await findOfVersion(context, versionId)
  const nameGroup = await readGroupNames(context)
  const toParts = (configuration: Configuration) =>
    describeConfiguration(configuration)
      .filter(({ isSecret }) => isSecret !== true)
      .map(({ label, text }) => {
        const group = nameGroup(configuration.groupId)
        const part = readTexts().configurations.types[configuration.type].part(label)
        return { label: group === undefined ? part : `${part} (${group})`, text }
      })
  const order = [undefined, ...(await readAllGroups(context)).map(({ id }) => id)]
  const sorted = items.toSorted(
    (one, other) => order.indexOf(one.groupId) - order.indexOf(other.groupId),
  )
  return ConfigurationType.options.flatMap((type) =>
    sorted.filter((item) => item.type === type).flatMap(toParts),
  )
}

const Differences = ({
  from,
  to,
  before,
  after,
}: {
  readonly from: string
  readonly to: string
  readonly before: readonly Part[]
  readonly after: readonly Part[]
}) => {
  const differences = listDifferences(before, after)
  const texts = readTexts().configurations.difference
  if (differences.length === 0)
    return <p>{before.length + after.length === 0 ? texts.neither : texts.same}</p>
  return (
    <Table
      caption={texts.caption}
      head={[texts.part, texts.onlyIn(from), texts.onlyIn(to)]}
      rows={differences.map(({ label, removed, added }) => [
        label,
        removed.length > 0 && <pre>{removed.join('\n')}</pre>,
        added.length > 0 && <pre>{added.join('\n')}</pre>,
      ])}
    />
  )
}
