/** Documents of commands: JSON that a program reads, and that no terminal obeys. */
import { afterEach, expect, test, vi } from 'vitest'
import { proves } from '../../../test/bed/proves.ts'
import { printDocument, printFailure } from './json-output.ts'

afterEach(() => {
  vi.restoreAllMocks()
  process.exitCode = 0
})

const hostile = 'a\u001b[2J \\u0009 \t \u009b31m \u007f \u202e \u{e0041} "'
const shown = 'a\\u001b[2J \\\\u0009 \\t \\u009b31m \\u007f \\u202e \\udb40\\udc41 \\"'

test('a document has what a service names, and no terminal obeys it', () => {
  proves('service-controls-terminal')
  const written: string[] = []
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => written.push(String(text)) > 0)
  printDocument('version', { version: hostile })
  expect(written).toEqual([`{"version":"${shown}"}\n`])
  expect(JSON.parse(written.join(''))).toEqual({ version: hostile })
})

test('so has a failure', () => {
  proves('service-controls-terminal')
  const written: string[] = []
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => written.push(String(text)) > 0)
  vi.spyOn(process, 'argv', 'get').mockReturnValue(['cardwire', '--json'])
  printFailure(hostile, 1)
  expect(written).toEqual([`{"description":"${shown}","status":1}\n`])
})
