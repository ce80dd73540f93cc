/** What the rendering of documents makes of links, HTML, tables and headings. */
import { expect, test } from 'vitest'
import { proves } from '../../../../test/bed/proves.ts'
import { renderDocument } from './render-document.tsx'

const render = (markdown: string) =>
  renderDocument('deploy', `# Title\n\n${markdown}\n`).html.trim()

test.each([
  ['[a](settings.md)', '<a href="documents/settings">a</a>'],
  ['[a](install.md#upgrade)', '<a href="documents/install#upgrade">a</a>'],
  ['[a](#backup)', '<a href="documents/deploy#backup">a</a>'],
  ['[a](prometheus-alerts.yml)', '<a href="documents/templates/prometheus-alerts.yml">a</a>'],
  ['[a `b`](settings.md)', '<a href="documents/settings">a <code>b</code></a>'],
  ['[a](https://example.com/?b=1&c=2)', '<a href="https://example.com/?b=1&amp;c=2">a</a>'],
  [
    '[a](https://example.com/"onclick="b)',
    '<a href="https://example.com/&quot;onclick=&quot;b">a</a>',
  ],
])('the link %s leads somewhere', (markdown, html) => {
  proves('documents-in-administration')
  expect(render(markdown)).toBe(`<p>${html}</p>`)
})

test.each([
  '[a](decisions/0079-updates.md)',
  '[a](../README.md)',
  '[a](modules.md)',
  '[a](policies)',
  '[a](http://example.com)',
  '[a](//example.com)',
  '[a](/admin/logout)',
  '[a](logout)',
  '[a](javascript:alert(1))',
  '[a](data:text/html,b)',
  '![a](screenshots/login.png)',
])('%s is text', (markdown) => {
  proves('documents-in-administration', 'document-markup')
  expect(render(markdown)).toBe('<p>a</p>')
})

test.each([
  ['<script>alert(1)</script>', '&lt;script&gt;alert(1)&lt;/script&gt;'],
  ['a <b onclick="c()">d</b>', '<p>a &lt;b onclick=&quot;c()&quot;&gt;d&lt;/b&gt;</p>'],
  ['<!-- a -->', '&lt;!-- a --&gt;'],
  ['![<i>](a.png)', '<p>&lt;i&gt;</p>'],
  ['<picture>a</picture>', '<p>&lt;picture&gt;a&lt;/picture&gt;</p>'],
])('the HTML of %s is shown', (markdown, html) => {
  proves('documents-in-administration', 'document-markup')
  expect(render(markdown)).toBe(html)
})

test('a picture is left out', () => {
  const picture = '<picture>\n  <img src="a.png" alt="A">\n</picture>'
  expect(render(`a\n\n${picture}\n\nb`)).toBe('<p>a</p>\n<p>b</p>')
  const inStep = picture.replaceAll(/^/gm, '   ')
  expect(render(`1. a\n\n${inStep}\n\n2. b`)).not.toContain('picture')
})

test('a table scrolls and has a name, and a column without a heading has no empty one', () => {
  const html = render('| `A` | | B <i> |\n|---|---|---|\n| 1 | 2 | 3 |')
  expect(html).toContain(
    '<section class="scroll" aria-label="Table 1: A, B &lt;i&gt;" tabindex="0"><table>',
  )
  expect(html).toContain('<th><code>A</code></th>\n<td></td>\n<th>B &lt;i&gt;</th>')
})

test('headings have anchors as on GitHub, and are listed in their order', () => {
  const { title, chapters, html } = renderDocument(
    'deploy',
    '# A title\n\n## Set `A=b`\n\n### What, now?\n\n## Set `A=b`\n',
  )
  expect(title).toBe('A title')
  expect(chapters).toEqual([
    { level: 2, text: 'Set A=b', anchor: 'set-ab' },
    { level: 3, text: 'What, now?', anchor: 'what-now' },
    { level: 2, text: 'Set A=b', anchor: 'set-ab-1' },
  ])
  expect(html).toContain('<h2 id="set-ab-1">Set <code>A=b</code></h2>')
  expect(html).not.toContain('A title')
})
