/** What is kept of a command of the system, and when it is ended. */
import { expect, test } from 'vitest'
import { createRunner } from './run-command.ts'

const run = createRunner()

test('a command has its exit status and all of its output', async () => {
  const script = 'echo out; echo err >&2; exit 3'
  const { status, output } = await run('sh', ['-c', script])
  expect([status, output.split('\n').filter(Boolean).toSorted()]).toEqual([3, ['err', 'out']])
})

test('a command that prints without end is killed, and the beginning of its output is kept', async () => {
  const { status, output } = await run('yes', ['question'])
  expect([status, output.length, output.slice(0, 9)]).toEqual([-1, 4 * 1024 * 1024, 'question\n'])
}, 10_000)

test('a program that does not exist has the status -1', async () => {
  expect((await run('/nonexistent/program', [])).status).toBe(-1)
})
