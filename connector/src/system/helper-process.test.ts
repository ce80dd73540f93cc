/** A helper for one request: what it answers, and how one that does not is ended. */
import { expect, test } from 'vitest'
import { createHelperProcess } from './helper-process.ts'

const shell = (script: string) =>
  createHelperProcess(['/bin/sh', '-c', script], { PATH: '/usr/bin:/bin', KEPT: 'kept' })
const limits = () => ({ signal: AbortSignal.timeout(60_000), maxBytes: 1000 })

test('a helper reads the request as JSON on standard input, and its output is the response', async () => {
  const request = { act: 'list', data: 'x'.repeat(200_000) }
  const size = JSON.stringify(request).length
  expect((await shell('wc -c')(request, limits()))?.trim()).toBe(String(size))
  expect(await shell('echo "$KEPT $HOME"')(request, limits())).toBe('kept \n')
})

test.each([
  ['fails', 'echo text; exit 3'],
  ['is killed', 'echo text; kill -SEGV $$'],
  ['writes more than it may', 'head -c 2000 /dev/zero; exec sleep 60'],
])('a helper that %s has no response', async (_, script) => {
  expect(await shell(script)({}, limits())).toBeUndefined()
})

test('a helper that reads nothing has a response', async () => {
  expect(await shell('echo text')('x'.repeat(1_000_000), limits())).toBe('text\n')
})

test('a helper that is not there has no response', async () => {
  const run = createHelperProcess(['/nonexistent/helper'], {})
  expect(await run({}, limits())).toBeUndefined()
})

test('a helper that hangs ends with the signal, and one that has not begun does not begin', async () => {
  const gone = new AbortController()
  const running = shell('exec sleep 600')({}, { signal: gone.signal, maxBytes: 1000 })
  gone.abort()
  expect(await running).toBeUndefined()
  const late = { signal: gone.signal, maxBytes: 1000 }
  expect(await shell('echo text')({}, late)).toBeUndefined()
})
