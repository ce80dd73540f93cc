/** The sample alert rules, checked by Prometheus' own tool: each fires when it should, and only then. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { parse } from 'yaml'
import { runProgram } from '../../../test/bed/program.ts'
import { proves } from '../../../test/bed/proves.ts'
import { root } from '../../../test/bed/repository.ts'
import { type AlertCase, alertCases, type Series } from './alert-cases.ts'

interface Rule {
  readonly alert: string
  readonly expr: string
  readonly labels: { readonly severity: string }
  readonly annotations: Readonly<Record<'summary' | 'description' | 'runbook', string>>
}

const file = join(root, 'docs/prometheus-alerts.yml')

let folder: string
let rules: readonly Rule[]
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cardwire-rules-'))
  const { groups } = parse(await readFile(file, 'utf8')) as { groups: { rules: Rule[] }[] }
  rules = groups.flatMap((group) => group.rules)
})
afterAll(() => rm(folder, { recursive: true, force: true }))

/** A test as promtool reads it. The annotations of an alert have their own tests: here its number counts. */
const toTest = ({ alert, interval, at }: AlertCase, series: Series, count: number) => ({
  interval,
  input_series: Object.entries(series).map(([name, values]) => ({ series: name, values })),
  promql_expr_test: [
    {
      expr: `count(ALERTS{alertname="${alert}",alertstate="firing"})`,
      eval_time: at,
      exp_samples: count === 0 ? [] : [{ labels: '{}', value: count }],
    },
  ],
})

async function runTests(cases: readonly AlertCase[], interval: AlertCase['interval']) {
  const tests = cases
    .filter((each) => each.interval === interval)
    .flatMap((each) => [toTest(each, each.fires, each.count ?? 1), toTest(each, each.holds, 0)])
  const path = join(folder, `${interval}.json`)
  const content = { rule_files: [file], evaluation_interval: interval, tests }
  await writeFile(path, JSON.stringify(content))
  const { out, err } = await runProgram(['promtool', 'test', 'rules', path])
  return { tests: tests.length, text: out + err }
}

test('promtool accepts the rules', async () => {
  proves('alert-rules')
  const { status, out } = await runProgram(['promtool', 'check', 'rules', file])
  expect(out).toContain(`SUCCESS: ${rules.length} rules found`)
  expect(status).toBe(0)
})

test('each rule has a case in which it fires, and one in which it does not', () => {
  proves('alert-rules')
  expect(alertCases.map(({ alert }) => alert)).toEqual(rules.map(({ alert }) => alert))
})

test.each(['1m', '1h'] as const)(
  'rules with samples every %s fire when they should, once for all nodes',
  async (interval) => {
    proves('alert-rules')
    const { tests, text } = await runTests(alertCases, interval)
    expect(tests).toBeGreaterThan(11)
    expect(text).toMatch(/^\s*SUCCESS\s*$/m)
    expect(text).not.toContain('FAILED')
  },
)

test('a rule that fires for what it should not is found', async () => {
  const [first] = alertCases
  if (!first) throw new Error('There are no rules')
  const { text } = await runTests([{ ...first, holds: first.fires }], '1m')
  expect(text).toContain('FAILED')
})

test('each rule says what to do, and names a section of the documents', async () => {
  proves('alert-rules')
  for (const { alert, labels, annotations } of rules) {
    expect([alert, labels.severity]).toEqual([
      alert,
      expect.stringMatching(/^(info|warning|critical)$/),
    ])
    expect(Object.keys(annotations)).toEqual(['summary', 'description', 'runbook'])
    const [document = '', section] = annotations.runbook.split('#')
    const text = await readFile(join(root, 'docs', document), 'utf8')
    const sections = [...text.matchAll(/^#+ (.*)$/gm)].map(([, title = '']) =>
      title
        .toLowerCase()
        .replaceAll(/[^\w -]/g, '')
        .replaceAll(' ', '-'),
    )
    expect([alert, sections.includes(section ?? '')]).toEqual([alert, true])
  }
})
