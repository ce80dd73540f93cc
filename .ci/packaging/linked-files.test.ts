/** The documents of an archive: each of their links leads to a file in it. */
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { root } from '../../test/bed/repository.ts'
import { findLinkedFiles, readLinks } from './linked-files.ts'

const documents = join(root, 'docs')

test('readLinks gives the files that a document links to, and no addresses', () => {
  const text =
    'See [a](settings.md#keys), [b](#here), [c](https://a.example/x.md) and [d](../README.md).'
  expect(readLinks(text)).toEqual(['settings.md', '../README.md'])
})

test('the documents of the service link only to each other', () => {
  const found = findLinkedFiles(documents, ['deploy.md', 'settings.md'])
  expect(found.slice(0, 2)).toEqual(['deploy.md', 'settings.md'])
  expect(found).toContain('card-settings.md')
  expect(found).toContain('prometheus-alerts.yml')
  for (const name of found) {
    expect(name).not.toMatch(/^\.\./)
    expect([name, existsSync(join(documents, name))]).toEqual([name, true])
    if (!name.endsWith('.md')) continue
    for (const link of readLinks(readFileSync(join(documents, name), 'utf8')))
      expect(found).toContain(join(dirname(name), link))
  }
})
