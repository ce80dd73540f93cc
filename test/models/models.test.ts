/** The functions that the steps of the models stand for exist; in a whole run, the models hold and each invariant sees a mistake. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { isWholeRun } from '../bed/amounts.ts'
import { root } from '../bed/repository.ts'
import { checkModel } from './check-model.ts'
import { models } from './models.ts'

describe.each(models)('$file', ({ file, sizes, invariants }) => {
  const source = readFileSync(join(import.meta.dirname, file), 'utf8')

  const mistakes = Object.entries(invariants).flatMap(([name, all]) =>
    all.map((mistake) => [mistake, name] as const),
  )

  // A change of a model changes what follows, and nothing else does.
  if (isWholeRun()) {
    test('keeps its invariants in every state that it can reach', async () => {
      const { broken, states } = await checkModel(file, sizes.short)
      expect(broken).toBeUndefined()
      // A model that can do little would hold, too.
      expect(states).toBeGreaterThan(100_000)
    })

    test.each(mistakes)('with the mistake %s breaks %s', async (mistake, name) => {
      const { broken, trail } = await checkModel(
        file,
        { ...sizes.short, [mistake]: '' },
        { optimize: false },
      )
      expect([broken, trail.includes('assertion violated')]).toEqual([name, true])
    })
  }

  test.each(mistakes)('has the mistake %s', (mistake) => {
    expect(source).toMatch(new RegExp(`^#if(n?def) ${mistake}$`, 'm'))
  })

  test('has an invariant in words for each assertion', () => {
    const asserted = [...source.matchAll(/assert\(.*\/\* (\w+) \*\/$/gm)].map(([, name]) => name)
    const inWords = [...source.matchAll(/^ \* ([a-z_]+) {2,}[A-Z]/gm)].map(([, name]) => name)
    expect(asserted.length).toBe(source.match(/assert\(/g)?.length)
    expect([...new Set(asserted)].toSorted()).toEqual(Object.keys(invariants).toSorted())
    expect(inWords.toSorted()).toEqual(Object.keys(invariants).toSorted())
  })

  test('names functions that exist', () => {
    const named = [...source.matchAll(/code: (\S+) (\w+) \*\//g)]
    expect(named.length).toBeGreaterThan(10)
    const missing = named.filter(([, path = '', name]) => {
      const definition = new RegExp(
        `(function|const) ${name}\\b|^ +(async )?${name}\\(.*\\{$|^ +${name}: `,
        'm',
      )
      return (
        !existsSync(join(root, path)) || !definition.test(readFileSync(join(root, path), 'utf8'))
      )
    })
    expect(missing.map(([line]) => line)).toEqual([])
  })
})
