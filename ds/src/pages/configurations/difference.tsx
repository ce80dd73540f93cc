/** The difference between the configurations of two versions, line by line. */
import {
  type Configuration,
  ConfigurationType,
  listConfigurations,
} from '@cardwire/client/protocol'
import { Field } from '../frame/fields.tsx'
import { showPage } from '../frame/layout.tsx'
import type { PageApp, PageContext } from '../frame/page-env.ts'
import { Table } from '../frame/parts.tsx'
import {
  configurationNames,
  configurationsHome,
  describeConfiguration,
} from './configuration-data.ts'
import { findDifference } from './find-difference.ts'
import { listVersionIds, VersionList } from './version-list.tsx'

export function addConfigurationDifference(pages: PageApp): void {
  pages.get('/configurations/difference', async (context) => {
    const { from = '', to = '' } = context.req.query()
    const [before, after] = [await readParts(context, from), await readParts(context, to)]
    return showPage(context, {
      title: 'Difference between two versions',
      trail: [configurationsHome],
      children: (
        <>
          <search>
            <form class="filters" method="get" action="configurations/difference">
              <Field name="from" label="Version" value={from} list="versions" />
              <Field name="to" label="Compared with" value={to} list="versions" />
              <VersionList ids={await listVersionIds(context)} />
              <button type="submit">Compare</button>
            </form>
          </search>
          {from && to && <Differences from={from} to={to} before={before} after={after} />}
        </>
      ),
    })
  })
}

interface Part {
  readonly label: string
  readonly text: string
}

/** The parts of all configurations of a version; the address and digest of a keystore, never its password. */
async function readParts(context: PageContext, versionId: string): Promise<readonly Part[]> {
  if (!versionId) return []
  const query = { versionId, size: '10' }
  const { data } = await context.var.api.call(listConfigurations, { query })
  const toParts = (configuration: Configuration) =>
    describeConfiguration(configuration)
      .filter(({ label }) => label !== 'Password')
      .map(({ label, text }) => ({
        label: `${configurationNames[configuration.type]}: ${label}`,
        text,
      }))
  return ConfigurationType.options.flatMap((type) =>
    data.items.filter((item) => item.type === type).flatMap(toParts),
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
  const labels = [...new Set([...before, ...after].map(({ label }) => label))]
  const textOf = (parts: readonly Part[], wanted: string) =>
    parts.find(({ label }) => label === wanted)?.text ?? ''
  const differences = labels
    .map((label) => ({ label, ...findDifference(textOf(before, label), textOf(after, label)) }))
    .filter(({ removed, added }) => removed.length + added.length > 0)
  if (differences.length === 0)
    return (
      <p>
        {labels.length === 0
          ? 'Neither of the two has a configuration.'
          : 'Both have the same configurations. Passwords of keystores are not compared.'}
      </p>
    )
  return (
    <Table
      caption="What differs"
      head={['Part', `Only in ${from}`, `Only in ${to}`]}
      rows={differences.map(({ label, removed, added }) => [
        label,
        removed.length > 0 && <pre>{removed.join('\n')}</pre>,
        added.length > 0 && <pre>{added.join('\n')}</pre>,
      ])}
    />
  )
}
