/** The sample dashboard: its shape, and that each of its queries is PromQL. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { runProgram } from '../../../test/bed/program.ts'
import { proves } from '../../../test/bed/proves.ts'
import { listExpressions, readDashboard } from './dashboard.ts'

test('docs/grafana-dashboard.json has the shape of a dashboard; no two panels are the same or overlap', async () => {
  proves('dashboard')
  const { panels } = await readDashboard()
  expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length)
  const cells = panels.flatMap(({ gridPos: { x, y, w, h } }) =>
    Array.from({ length: w * h }, (_, at) => `${x + (at % w)} ${y + Math.floor(at / w)}`),
  )
  expect(new Set(cells).size).toBe(cells.length)
})

test('promtool parses every query of the dashboard', async () => {
  proves('dashboard')
  const folder = await mkdtemp(join(tmpdir(), 'cardwire-dashboard-'))
  const path = join(folder, 'queries.json')
  const expressions = await listExpressions()
  const rules = expressions.map((expr, at) => ({ record: `query:${at}`, expr }))
  await writeFile(path, JSON.stringify({ groups: [{ name: 'queries', rules }] }))
  const { status, out, err } = await runProgram(['promtool', 'check', 'rules', path])
  await rm(folder, { recursive: true })
  expect([status, out + err]).toEqual([
    0,
    expect.stringContaining(`${expressions.length} rules found`),
  ])
})

test('what every node shows the same is never added up over nodes', async () => {
  proves('dashboard')
  const same =
    /cardwire_ds_(devices|device_faults|keys|key_created_\w+|keystore_\w+|rollouts|rollout_share|rollout_test_ratio)\b/
  for (const expression of (await listExpressions()).filter((each) => same.test(each)))
    expect(expression).toMatch(/max( by \([\w, ]+\) )?\(cardwire_ds_/)
})
