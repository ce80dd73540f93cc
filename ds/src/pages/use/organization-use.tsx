/** Uses and unique devices of a month, by organization and application. */
import {
  exportOrganizationUse,
  listOrganizationUse,
  noLabel,
  type OrganizationUse,
} from '@cardwire/protocol'
import type { Clock } from '../../ports.ts'
import { createAddress } from '../frame/api.ts'
import { Select } from '../frame/fields.tsx'
import { showPage } from '../frame/layout.tsx'
import type { PageApp, PageContext } from '../frame/page-env.ts'
import { createHref, Empty, formatCount, PageLinks, Table } from '../frame/parts.tsx'
import { readTexts } from '../frame/texts.ts'

const here = 'organization-use'

/** How many months there are to choose from. */
const months = 24

export function addOrganizationUse(pages: PageApp, { clock }: { readonly clock: Clock }): void {
  pages.get('/organization-use', (context) => showOrganizationUse(context, clock()))

  pages.get('/organization-use.csv', (context) => {
    const query = { month: context.req.query('month') }
    return context.var.api.send('GET', createAddress(exportOrganizationUse, { query }))
  })
}

/** The current month and those before, newest first. */
function listMonths(now: number): readonly string[] {
  const date = new Date(now)
  return Array.from({ length: months }, (_, ago) =>
    new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() - ago)).toISOString().slice(0, 7),
  )
}

async function showOrganizationUse(context: PageContext, now: number) {
  const query = { month: context.req.query('month') || undefined, page: context.req.query('page') }
  const { data } = await context.var.api.call(listOrganizationUse, { query })
  const { month, uses, devices, items } = data
  const { numbers, use } = readTexts()
  const texts = use.organizations
  const known = listMonths(now)
  return showPage(context, {
    title: texts.title,
    screen: 'use',
    trail: [{ to: 'use', text: use.title }],
    children: (
      <>
        <p>{texts.about}</p>
        <search>
          <form class="filters" method="get" action={here}>
            <Select
              name="month"
              label={texts.month}
              value={month}
              options={[...known, ...(known.includes(month) ? [] : [month])].map((value) => ({
                value,
                text: numbers.month(value),
              }))}
            />
            <button type="submit">{texts.show}</button>
          </form>
        </search>
        {items.length === 0 ? (
          <Empty>
            <p>{texts.empty}</p>
          </Empty>
        ) : (
          <>
            <p>
              {texts.total(uses, devices)}{' '}
              <a href={createHref('organization-use.csv', { month })}>{use.download}</a>
            </p>
            <UseTable items={items} />
          </>
        )}
        <PageLinks to={here} query={{ month }} {...data} />
      </>
    ),
  })
}

const UseTable = ({ items }: { readonly items: readonly OrganizationUse[] }) => {
  const texts = readTexts().use.organizations
  const toCells = ({ uses, devices }: Pick<OrganizationUse, 'uses' | 'devices'>) => [
    formatCount(uses),
    devices === null ? texts.notCounted : formatCount(devices),
  ]
  return (
    <Table
      caption={texts.caption}
      head={[texts.organization, texts.application, texts.uses, texts.devices]}
      numbers={[2, 3]}
      rows={items.flatMap((one) => {
        const owner =
          one.orgId === undefined ? (
            texts.none
          ) : (
            <a href={`organizations/${encodeURIComponent(one.orgId)}`}>{one.name}</a>
          )
        return [
          [owner, texts.all, ...toCells(one)],
          ...one.labels.map((row) => [
            owner,
            row.name === undefined ? (
              row.label === noLabel ? (
                texts.none
              ) : (
                row.label
              )
            ) : (
              <a href={`labels/${encodeURIComponent(row.label)}`}>{row.name}</a>
            ),
            ...toCells(row),
          ]),
        ]
      })}
    />
  )
}
