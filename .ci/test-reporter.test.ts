/** What a run leaves for the one that adds several up, from a real run of Vitest. */
import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { root, toolPath } from '../test/bed/repository.ts'
import { type RunReport, runName, runsFile } from './test-reporter.ts'

/** The report of a run of these files, by their names. */
async function runFiles(files: Readonly<Record<string, string>>): Promise<RunReport> {
  // Below node_modules, so that the files find Vitest.
  const folder = mkdtempSync(join(root, 'node_modules/.cache/cardwire-report-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const reporter = fileURLToPath(new URL('./test-reporter.ts', import.meta.url))
  const config = `import { reporter } from ${JSON.stringify(reporter)}
export default { test: { reporters: [reporter] } }`
  for (const [name, text] of Object.entries({ 'vitest.config.ts': config, ...files }))
    writeFileSync(join(folder, name), text)
  const report = join(folder, 'runs')
  const env = { ...process.env, [runsFile]: report, [runName]: 'a run' }
  await new Promise<void>((resolve) => {
    execFile(toolPath('vitest'), ['run'], { cwd: folder, env }, () => resolve())
  })
  return JSON.parse(readFileSync(report, 'utf8'))
}

test('tests that fail, hooks that fail and files that do not load are failures of their file', async () => {
  const { failures, tests } = await runFiles({
    'load.test.ts': "throw new Error('it does not load')",
    'hook.test.ts': `import { beforeAll, describe, expect, test } from 'vitest'
describe('a service', () => {
  beforeAll(() => { throw new Error('it does not start') })
  test('answers', () => expect(1).toBe(1))
})
test('is named', () => expect('name').toBe('no name'))`,
  })
  const named = failures.map(({ module, name, reason }) => [module, name, reason.split('\n')[0]])
  expect(named.toSorted()).toEqual([
    ['hook.test.ts', 'a service', 'it does not start'],
    ['hook.test.ts', 'is named', expect.stringContaining("expected 'name' to be 'no name'")],
    ['load.test.ts', '', 'it does not load'],
  ])
  expect(tests.map(({ title, state }) => [title, state])).toEqual([
    ['a service > answers', 'skipped'],
    ['is named', 'failed'],
  ])
})
