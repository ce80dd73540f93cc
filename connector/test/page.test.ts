/** The files of the local page: what one of them imports is served too. */
import { expect, test } from 'vitest'
import { createWords } from '../page/languages.ts'
import { readPageFiles } from '../src/api/page/read-page-files.ts'

test('every module that a file of the page imports is served, as JavaScript', () => {
  const files = readPageFiles()
  expect(files['/']?.type).toBe('text/html; charset=utf-8')
  const imported = Object.entries(files).flatMap(([path, { text, type }]) =>
    type === 'text/javascript; charset=utf-8'
      ? [...text.matchAll(/from ['"]([^'"]+)['"]/g)].map(
          ([, specifier = '']) => new URL(specifier, `http://page${path}`).pathname,
        )
      : [],
  )
  expect(imported).toContain('/src/languages/fr/page.ts')
  expect(imported.filter((path) => !files[path])).toEqual([])
})

test('times are written as in the country of the user', () => {
  const at = Date.UTC(2026, 1, 3, 12)
  expect(createWords(['en-US']).formatTime(at)).toContain('Feb 3, 2026')
  expect(createWords(['pt', 'en-GB']).formatTime(at)).toContain('3 Feb 2026')
})

test('every text that the page names in its markup exists', () => {
  const names = [...(readPageFiles()['/']?.text ?? '').matchAll(/data-text="(\w+)"/g)]
  const { texts } = createWords(['nl'])
  expect(names.length).toBeGreaterThan(0)
  expect(
    names.filter(([, name]) => typeof new Map(Object.entries(texts)).get(name ?? '') !== 'string'),
  ).toEqual([])
})
