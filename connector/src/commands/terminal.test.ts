/** Lines of commands: a text of others stays in its line. */
import { afterEach, expect, test, vi } from 'vitest'
import { proves } from '../../../test/bed/proves.ts'
import { printFailure } from './json-output.ts'
import { print, printError } from './terminal.ts'

const foreign = 'Reader\n  card eID\r\u2028\u001b[1A'
const shown = 'Reader\\u000a  card eID\\u000d\\u2028\\u001b[1A\n'

afterEach(() => {
  vi.restoreAllMocks()
  process.exitCode = 0
})

test.each<[string, () => void, string]>([
  ['print', () => print(foreign), shown],
  ['printError', () => printError(foreign), shown],
  ['a failure', () => printFailure(foreign, 1), shown],
  ['a failure of two lines', () => printFailure(['Cannot:', foreign], 1), `Cannot:\n${shown}`],
])('%s', (_, act, expected) => {
  proves('foreign-line')
  const written: string[] = []
  for (const stream of [process.stdout, process.stderr]) {
    vi.spyOn(stream, 'write').mockImplementation((text) => {
      written.push(String(text))
      return true
    })
  }
  act()
  vi.restoreAllMocks()
  expect(written.join('')).toBe(expected)
})
