/** The processes of `npm start`: what the user reads when one is missing, ends or is never ready. */
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { afterAll, expect, test } from 'vitest'
import { proves } from '../../../test/bed/proves.ts'
import { createProcessGroup } from '../start/processes.ts'
import { StartError } from '../start/terminal.ts'

const logs = mkdtempSync(join(tmpdir(), 'cardwire-processes-'))
const group = createProcessGroup(logs)
afterAll(async () => {
  await group.stop()
  rmSync(logs, { recursive: true })
})

const startScript = (name: string, script: string) =>
  group.start({ name, program: process.execPath, args: ['-e', script] })

test('a program that is missing is named, with what to do', async () => {
  const sentence =
    'Cannot run the page, because /nowhere/bun is missing. Run npm install, then try again'
  const command = { name: 'the page', program: '/nowhere/bun', args: [] }
  await expect(group.run(command)).rejects.toThrow(new StartError(sentence))
  const started = group.start(command)
  await expect(started.waitForOutput({ pattern: /x/, withinMs: 60_000 })).rejects.toThrow(
    new StartError(`Cannot start: ${sentence}`),
  )
})

test('a program that is not ready in time is an error with the last lines of its log', async () => {
  proves('start-not-ready')
  const script =
    "for (let n = 1; n <= 20; n += 1) console.log(n + ' \\u001b[2J'); console.log('y'.repeat(3000)); setInterval(() => 0, 1e6)"
  const started = startScript('the slow one', script)
  await started.waitForOutput({ pattern: /y{3000}\n/, withinMs: 60_000 })
  const error = await started.waitForOutput({ pattern: /never/, withinMs: 5 }).catch((e) => e)
  expect(error).toBeInstanceOf(StartError)
  expect(error.message.split('\n')).toEqual([
    `Cannot start: the slow one isn’t ready after 0 s. Its log (${logs}/slow one.log) ends with:`,
    ...[10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20].map((n) => `  ${n} \\u001b[2J`),
    `  ${'y'.repeat(1000)}`,
  ])
  await started.stop()
})

test('a program that says why it will not be ready ends the wait at once', async () => {
  proves('start-not-ready')
  const started = startScript(
    'it',
    "console.log('no registry  reason=taken'); setInterval(() => 0, 1e6)",
  )
  const wait = { pattern: /never/, failure: /no registry .*\n/, withinMs: 600_000 }
  await expect(started.waitForOutput(wait)).rejects.toThrow(
    `Cannot start: it isn’t ready. Its log (${logs}/it.log) ends with:\n  no registry  reason=taken`,
  )
  await started.stop()
})

test('the log has the output from the first byte, for its owner only', async () => {
  const started = startScript('the first', "process.stdout.write('first\\nready\\nlast\\n')")
  await started.waitForOutput({ pattern: /ready/, withinMs: 60_000 })
  expect(await started.ended).toBe('the first ended with status 0:\n  first\n  ready\n  last')
  const file = join(logs, 'first.log')
  await expect.poll(() => readFileSync(file, 'utf8')).toBe('first\nready\nlast\n')
  expect(statSync(file).mode & 0o777).toBe(0o600)
})
