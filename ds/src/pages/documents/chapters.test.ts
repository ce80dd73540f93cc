/** The documents of this repository as pages: every link in them and to them leads to a chapter that exists. */
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { proves } from '../../../../test/bed/proves.ts'
import { documentNames } from '../../rules/documents.ts'
import { chapters } from './chapters.ts'
import { renderDocument } from './render-document.tsx'

const documents = new Map(
  documentNames.map((name) => {
    const file = new URL(`../../../../docs/${name}.md`, import.meta.url)
    return [name as string, renderDocument(name, readFileSync(file, 'utf8'))]
  }),
)
const exists = (document: string, anchor: string) =>
  documents.get(document)?.chapters.some((chapter) => chapter.anchor === anchor)

test.each(Object.entries(chapters))('the chapter %s exists', (_, { document, anchor }) => {
  proves('documents-in-administration')
  expect([document, anchor, exists(document, anchor)]).toEqual([document, anchor, true])
})

test.each([...documents])(
  'the links in %s lead to documents and chapters that exist',
  (_, { html }) => {
    for (const [, document = '', anchor] of html.matchAll(
      /href="documents\/(?!templates\/)([\w-]+)(?:#([^"]*))?"/g,
    ))
      expect([document, anchor, anchor === undefined || exists(document, anchor)]).toEqual([
        document,
        anchor,
        true,
      ])
    expect(html).not.toMatch(/href="(?!documents\/|https:)/)
  },
)

test.each([...documents])(
  '%s has a title, names for its tables, and no name of the frame',
  (_, document) => {
    expect(document.title).not.toBe('')
    const tables = [...document.html.matchAll(/aria-label="([^"]*)"/g)].map(([, label]) => label)
    expect(tables.length).toBe(document.html.split('<table>').length - 1)
    const anchors = document.chapters.map(({ anchor }) => anchor)
    expect(anchors.filter((anchor) => ['main', 'menu', 'search'].includes(anchor))).toEqual([])
  },
)
