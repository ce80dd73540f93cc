/** What is kept of a command of the system, and when it is ended. */
import { expect, test } from 'vitest'
import { proves } from '../../../test/bed/proves.ts'
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

test.each([
  ['prints without end', 'yes question & wait', 60_000],
  ['does not end in time', 'sleep 600 & wait', 500],
])(
  'a command whose child %s is ended with that child',
  async (_, script, maxMs) => {
    proves('command-endless')
    const { status } = await createRunner(process.env, maxMs)('sh', ['-c', script])
    expect(status).toBe(-1)
  },
  10_000,
)
