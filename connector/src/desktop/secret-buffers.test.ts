/** Buffers that a secret passes on its way from a window: each is overwritten, but for the one that the caller gets. */
import { expect, onTestFinished, test, vi } from 'vitest'
import { readDialog } from './assuan.ts'
import { createPrograms } from './programs.ts'
import { takeLine } from './secret-entry.ts'
import { createHelper } from './windows-helper.ts'

const secret = '90817263'

/** The bytes that are joined from now on, and what they are joined to. */
function watchBuffers(): () => readonly Uint8Array[] {
  const concat = vi.spyOn(Buffer, 'concat')
  onTestFinished(() => void concat.mockRestore())
  return () => [
    ...concat.mock.calls.flatMap(([parts]) => [...parts]),
    ...concat.mock.results.map(({ value }) => value as Buffer),
  ]
}
const isZero = (bytes: Iterable<number>) => [...bytes].every((byte) => byte === 0)

/** Prints it in two parts, which come one after the other. */
const printer = (first: string, second: string) => [
  '-c',
  `printf '${first}'; sleep 0.2; printf '${second}'`,
]

test('the output of a program is in one place, whatever the parts in which it came', async () => {
  const buffers = watchBuffers()
  const outcome = await createPrograms({ PATH: process.env['PATH'] }).run(
    '/bin/sh',
    printer('9081', '7263'),
    { signal: AbortSignal.timeout(10_000), maxBytes: 100 },
  )
  if (outcome.kind !== 'ended') throw new Error('Expected it to end')
  expect(outcome.output.toString()).toBe(secret)
  const others = buffers().filter((buffer) => buffer !== outcome.output)
  expect(others.filter(({ length }) => length > 0).length).toBeGreaterThanOrEqual(3)
  expect(others.every(isZero)).toBe(true)
})

test('the line of a program is the secret alone, and its output is overwritten', () => {
  const output = Buffer.from(`${secret}\nnoise`)
  expect(Buffer.from(takeLine(output)).toString()).toBe(secret)
  expect(isZero(output)).toBe(true)
})

test('what a pinentry escaped is overwritten, as are the numbers that it was read to', () => {
  const buffers = watchBuffers()
  const from = vi.spyOn(Uint8Array, 'from')
  onTestFinished(() => void from.mockRestore())
  const answer = readDialog(Buffer.from('OK\nD 9081%257263\nOK\nOK\n'))
  expect(answer.kind === 'entered' && Buffer.from(answer.secret).toString()).toBe('9081%7263')
  expect(buffers().filter(({ length }) => length > 0).length).toBeGreaterThan(0)
  expect(buffers().every(isZero)).toBe(true)
  const numbers = from.mock.calls.map(([values]) => values as unknown as number[])
  expect(numbers.map(({ length }) => length)).toEqual([9])
  expect(numbers.every(isZero)).toBe(true)
})

test('the output of the helper on Windows is overwritten, whatever the parts in which it came', async () => {
  const buffers = watchBuffers()
  const args = printer(`{"kind":"entered","bytes":8}\\n9081`, '7263')
  const helper = createHelper(['/bin/sh', ...args], {})
  const request = { act: 'enter', title: '', text: '', field: '' } as const
  const reply = await helper(request, AbortSignal.timeout(10_000))
  expect(reply?.kind === 'entered' && Buffer.from(reply.secret).toString()).toBe(secret)
  expect(buffers().filter(({ length }) => length > 0).length).toBeGreaterThanOrEqual(3)
  expect(buffers().every(isZero)).toBe(true)
})
