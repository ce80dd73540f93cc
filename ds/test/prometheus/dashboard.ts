/** The sample dashboard, as Grafana reads it. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as z from 'zod'
import { root } from '../../../test/bed/repository.ts'

/** Grafana shows a panel on 24 columns. */
const columns = 24

const GridPosition = z
  .strictObject({
    h: z.int().min(1),
    w: z.int().min(1).max(columns),
    x: z
      .int()
      .min(0)
      .max(columns - 1),
    y: z.int().min(0),
  })
  .refine(({ w, x }) => w + x <= columns, 'a panel leaves the grid')

const DataSource = z.strictObject({
  type: z.literal('prometheus'),
  // A variable: the dashboard names no data source of one installation.
  uid: z.literal('$' + '{datasource}'),
})

const Target = z.strictObject({
  refId: z.string().regex(/^[A-Z]$/),
  datasource: DataSource,
  expr: z.string().min(1),
  legendFormat: z.string(),
  range: z.boolean(),
  instant: z.boolean(),
})

const Threshold = z.strictObject({ color: z.string(), value: z.number().nullable() })

const Defaults = z.strictObject({
  unit: z.enum(['short', 's', 'reqps', 'percentunit', 'bytes']),
  min: z.number().optional(),
  color: z.strictObject({ mode: z.literal('thresholds') }).optional(),
  thresholds: z
    .strictObject({ mode: z.literal('absolute'), steps: z.array(Threshold).min(2) })
    // The first step has no value: it begins at minus infinity.
    .refine(
      ({ steps }) =>
        steps[0]?.value === null && steps.slice(1).every(({ value }) => value !== null),
    )
    .optional(),
  custom: z.record(z.string(), z.unknown()).optional(),
})

const Panel = z.strictObject({
  id: z.int().min(1),
  type: z.enum(['timeseries', 'stat', 'bargauge']),
  title: z.string().min(1),
  description: z.string(),
  datasource: DataSource,
  gridPos: GridPosition,
  fieldConfig: z.strictObject({ defaults: Defaults, overrides: z.tuple([]) }),
  options: z.record(z.string(), z.unknown()),
  targets: z.array(Target).min(1),
})

const RowPanel = z.strictObject({
  id: z.int().min(1),
  type: z.literal('row'),
  title: z.string().min(1),
  collapsed: z.literal(false),
  gridPos: GridPosition,
  panels: z.tuple([]),
})

/** By the published model of a dashboard (grafana.com/docs: Dashboard JSON model), as far as this one uses it. */
const Dashboard = z.strictObject({
  title: z.string().min(1),
  uid: z.string().regex(/^[\w-]{1,40}$/),
  description: z.string(),
  tags: z.array(z.string()),
  schemaVersion: z.int().min(36),
  version: z.int(),
  editable: z.boolean(),
  graphTooltip: z.union([z.literal(0), z.literal(1), z.literal(2)]),
  timezone: z.enum(['browser', 'utc']),
  refresh: z.string(),
  time: z.strictObject({ from: z.string(), to: z.string() }),
  timepicker: z.strictObject({}),
  annotations: z.strictObject({ list: z.tuple([]) }),
  links: z.tuple([]),
  templating: z.strictObject({
    list: z.array(
      z.looseObject({
        name: z.string().regex(/^\w+$/),
        type: z.enum(['datasource', 'query']),
        query: z.unknown(),
      }),
    ),
  }),
  panels: z.array(z.discriminatedUnion('type', [Panel, RowPanel])),
})

/** Throws when Grafana could not show it. */
export async function readDashboard(): Promise<z.output<typeof Dashboard>> {
  const text = await readFile(join(root, 'docs/grafana-dashboard.json'), 'utf8')
  return Dashboard.parse(JSON.parse(text))
}

/** The PromQL of its panels and variables, with values for what Grafana replaces. */
export async function listExpressions(): Promise<readonly string[]> {
  const { panels } = await readDashboard()
  return panels
    .flatMap((panel) => (panel.type === 'row' ? [] : panel.targets))
    .map(({ expr }) => expr.replaceAll('$__rate_interval', '5m').replaceAll('$instance', '.*'))
}
