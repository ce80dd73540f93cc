/** Log lines are written together, whole and in order. */
import { setImmediate as turn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { lineWriter } from './lines.ts'

function recording() {
  const written: string[] = []
  return { written, lines: lineWriter((text) => written.push(text)) }
}

test('lineWriter writes the lines of one turn in one call, in order', async () => {
  const { lines, written } = recording()
  lines.write('one\n')
  lines.write('two\n')
  await Promise.resolve()
  lines.write('three\n')
  expect(written).toEqual([])
  await turn()

  expect(written).toEqual(['one\ntwo\nthree\n'])
})

test('lineWriter writes the lines of the next turn in a call of their own', async () => {
  const { lines, written } = recording()
  lines.write('one\n')
  await turn()
  lines.write('two\n')
  await turn()

  expect(written).toEqual(['one\n', 'two\n'])
})

test('lineWriter writes nothing when there was nothing', async () => {
  const { lines, written } = recording()
  lines.flush()
  await turn()

  expect(written).toEqual([])
})

test('flush writes what is left at once, and only once', async () => {
  const { lines, written } = recording()
  lines.write('one\n')
  lines.flush()
  expect(written).toEqual(['one\n'])
  await turn()

  expect(written).toEqual(['one\n'])
})

test('lineWriter keeps lines that come while it writes', async () => {
  const written: string[] = []
  const lines = lineWriter((text) => {
    written.push(text)
    if (text === 'one\n') lines.write('two\n')
  })
  lines.write('one\n')
  await turn()
  await turn()

  expect(written).toEqual(['one\n', 'two\n'])
})

test('lineWriter goes on after a write that failed', async () => {
  const written: string[] = []
  let broken = true
  const lines = lineWriter((text) => {
    if (broken) throw new Error('broken pipe')
    written.push(text)
  })
  lines.write('lost\n')
  expect(() => lines.flush()).toThrow('broken pipe')
  broken = false
  lines.write('kept\n')
  await turn()

  expect(written).toEqual(['kept\n'])
})
