/** Reports the use of a month by organization, and exports it as CSV. */
import {
  exportOrganizationUse,
  listOrganizationUse,
  type OrganizationUse,
} from '@cardwire/protocol'
import { and, between, sql } from 'drizzle-orm'
import { counters, labels, organizations } from '../db/schema.ts'
import { countDevices } from '../db/unique-devices.ts'
import type { Bind } from '../http/bind.ts'
import { sendCsv } from '../http/csv-response.ts'
import { toDays, toMonth } from '../rules/months.ts'
import type { Services } from '../services.ts'

type ReportServices = Pick<Services, 'reader' | 'clock'>

/** `of`: what the row counts. */
const columns = [
  'month',
  'of',
  'orgId',
  'organization',
  'label',
  'application',
  'uses',
  'devices',
] as const

export function bindOrganizationUseRoutes(bind: Bind, services: ReportServices): void {
  const { clock } = services

  bind(listOrganizationUse, async ({ query: { page, size, month = toMonth(clock()) } }) => {
    const { items, ...total } = await readReport(services, month)
    const first = (page - 1) * size
    return {
      data: {
        ...{ month, ...total, page, size, total: items.length },
        items: items.slice(first, first + size),
      },
    }
  })

  bind(exportOrganizationUse, async ({ query: { month = toMonth(clock()) } }, context) => {
    const rows = listRows(await readReport(services, month))
    const parts = [rows.map((row) => [month, ...row])]
    return sendCsv(context, { filename: `use-${month}.csv`, columns, parts: readAll(parts) })
  })
}

interface Report extends Pick<OrganizationUse, 'uses' | 'devices'> {
  /** By name; uses without an organization are the last. */
  readonly items: readonly OrganizationUse[]
}

async function readReport({ reader, clock }: ReportServices, month: string): Promise<Report> {
  const { first, last } = toDays(month)
  const uses = await reader
    // The sum of whole numbers is text in PostgreSQL.
    .select({ label: counters.label, uses: sql<number>`sum(${counters.count})`.mapWith(Number) })
    .from(counters)
    .where(and(between(counters.day, first, last)))
    .groupBy(counters.label)
  const counted = await countDevices(reader, month, clock())
  const devices = new Map(counted?.map((row) => [`${row.scope} ${row.id}`, row.devices]))
  const countOf = (scope: string, id: string) =>
    counted === undefined ? null : (devices.get(`${scope} ${id}`) ?? 0)

  const { id, name } = organizations
  const names = new Map(
    (await reader.select({ id, name }).from(organizations)).map((row) => [row.id, row.name]),
  )
  const { orgId } = labels
  const known = new Map(
    (await reader.select({ id: labels.id, name: labels.name, orgId }).from(labels)).map((row) => [
      row.id,
      row,
    ]),
  )
  const byOrganization = Map.groupBy(uses, ({ label }) => known.get(label)?.orgId ?? '')
  const items = [...byOrganization].map(([orgId, ofLabels]) => ({
    ...(orgId !== '' && { orgId, name: names.get(orgId) }),
    uses: sum(ofLabels),
    devices: countOf('organization', orgId),
    labels: ofLabels
      .map(({ label, uses }) => ({
        label,
        name: known.get(label)?.name,
        uses,
        devices: countOf('label', label),
      }))
      .toSorted((one, other) => compareNames(one, other) || (one.label < other.label ? -1 : 1)),
  }))
  return {
    uses: sum(uses),
    devices: countOf('total', ''),
    items: items.toSorted(
      (one, other) =>
        compareNames(one, other) || ((one.orgId ?? '') < (other.orgId ?? '') ? -1 : 1),
    ),
  }
}

const sum = (rows: readonly { readonly uses: number }[]): number =>
  rows.reduce((total, { uses }) => total + uses, 0)

interface Named {
  readonly name?: string | undefined
}

/** What has no name comes last. */
function compareNames({ name: one }: Named, { name: other }: Named): number {
  if (one === other) return 0
  if (one === undefined) return 1
  return other === undefined || one < other ? -1 : 1
}

const listRows = ({ items, uses, devices }: Report) => [
  ['total', '', '', '', '', uses, devices ?? ''],
  ...items.flatMap(({ orgId = '', name = '', uses, devices, labels }) => [
    ['organization', orgId, name, '', '', uses, devices ?? ''],
    ...labels.map((row) => [
      ...['label', orgId, name, row.label, row.name ?? ''],
      ...[row.uses, row.devices ?? ''],
    ]),
  ]),
]

async function* readAll<T>(parts: readonly T[]): AsyncGenerator<T> {
  yield* parts
}
