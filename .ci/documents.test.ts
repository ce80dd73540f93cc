/** Contains each kind of fault of the documents once and checks that it is reported. */
import { describe, expect, test } from 'vitest'
import { checkCommands, findCommands, type Programs } from './document-commands.ts'
import { checkDrawing, checkLayerTable } from './document-layers.ts'
import { checkLinks, checkPaths, findAnchors } from './document-links.ts'

const files = ['README.md', 'docs/a.md', 'docs/b.md', 'ds/src/app.ts', 'node_modules/.bin/vitest']
const exists = (path: string) => files.includes(path)

const linkFaults = (text: string) =>
  checkLinks(
    [
      { path: 'docs/a.md', text },
      { path: 'docs/b.md', text: '# One `word`, and more\n\n## Twice\n\n## Twice\n' },
    ],
    exists,
  )

describe('links', () => {
  test.each([
    '[b](b.md)',
    '[up](../README.md)',
    '[heading](b.md#one-word-and-more)',
    '[second](b.md#twice-1)',
    '## Here\n\n[here](#here)',
    '[elsewhere](https://example.com/none)',
    '```sh\n[none](none.md)\n```',
    '1. Run:\n\n   ```sh\n   [none](none.md)\n   ```',
  ])('«%s» leads somewhere', (text) => {
    expect(linkFaults(text)).toEqual([])
  })

  test.each([
    ['[none](none.md)', 'docs/a.md:1: there is no "docs/none.md"'],
    ['\n<img src="none.png">', 'docs/a.md:2: there is no "docs/none.png"'],
    ['<source srcset="none.png">', 'docs/a.md:1: there is no "docs/none.png"'],
    ['[none](b.md#none)', 'docs/a.md:1: "docs/b.md" has no heading "#none"'],
    ['[third](b.md#twice-2)', 'docs/a.md:1: "docs/b.md" has no heading "#twice-2"'],
    ['[none](#none)', 'docs/a.md:1: "docs/a.md" has no heading "#none"'],
    ['[`none`](none.md)', 'docs/a.md:1: there is no "docs/none.md"'],
    ['[docs/c.md](b.md)', 'docs/a.md:1: "docs/c.md" leads to "b.md"'],
  ])('«%s» is a fault', (text, fault) => {
    expect(linkFaults(text)).toEqual([fault])
  })
})

test.each([
  ['See `ds/src/app.ts`.', []],
  ['See `ds/src/none.ts`.', ['docs/a.md:1: there is no "ds/src/none.ts"']],
  ['It makes `ds/dist/node.js`.', []],
])('the paths of «%s»', (text, faults) => {
  expect(checkPaths([{ path: 'docs/a.md', text }], exists)).toEqual(faults)
})

test('anchors are those that GitHub makes', () => {
  const text = '# A [link](b.md), "and" `code`\n\n```sh\n# a comment\n```\n## On Debian (12)'
  expect([...findAnchors(text)]).toEqual(['a-link-and-code', 'on-debian-12'])
})

const programs: Programs = {
  exists,
  scripts: (workspace) =>
    ({ '': { admin: 'node ds/src/admin/main.ts', test: 'x' }, ds: { bench: 'y' } })[workspace],
  knows: (_workspace, _script, word) => ['--seed', 'fleet'].includes(word),
  cardwire: new Map([
    ['', ['certs', 'readers', '--version']],
    ['certs', ['install', '--help']],
    ['certs install', ['--json']],
    ['readers', ['--watch']],
  ]),
  admin: new Set(['add', '--role']),
}
const commandFaults = (text: string) => checkCommands([{ path: 'a.md', text }], programs)

describe('commands', () => {
  test.each([
    'npm test',
    'npm install --no-save',
    'npm run bench -w ds -- fleet --seed 1',
    'npm run admin -- add NAME --role viewer',
    'npx vitest run ds/src/app.ts',
    'node --cpu-prof',
    'cardwire',
    'cardwire.conf',
    'cardwire certs install --json',
    'cardwire help certs',
    'connector/dist/cardwire readers --watch',
    'cardwire COMMAND --json-schema',
    'sudo cardwire-ds-admin add alice',
  ])('`%s` is there', (command) => {
    expect(commandFaults(`Run \`${command}\`.`)).toEqual([])
  })

  test.each([
    ['npm run none', 'there is no script "none"'],
    ['npm run test -w none', 'there is not one workspace "none"'],
    ['npm run test -w ds', 'there is no script "test"'],
    ['npm run bench -w ds -- none', '"bench" does not know "none"'],
    ['npm run bench -w ds -- fleet --none', '"bench" does not know "--none"'],
    ['npm run admin -- none', `the administrators' command does not know "none"`],
    ['cardwire-ds-admin add alice --none', `the administrators' command does not know "--none"`],
    ['npx none', 'no package brings "none"'],
    ['npx vitest run ds/src/none.ts', 'there is no "ds/src/none.ts"'],
    ['node ds/src/none.ts', 'there is no "ds/src/none.ts"'],
    ['cardwire none', 'there is no command "cardwire none"'],
    ['cardwire certs none', 'there is no command "cardwire certs none"'],
    ['cardwire readers --none', 'there is no option "cardwire readers --none"'],
  ])('`%s` is a fault', (command, fault) => {
    expect(commandFaults(`Run \`${command}\`.`)).toEqual([`a.md:1: ${fault}: "${command}"`])
  })

  test.each([
    ['```sh\nnpm run \\\n  none  # a comment\n```', [[3, 'npm run none']]],
    ['```sh\ncd x && npm test | tee y\n```', [[2, 'npm test']]],
    ['```console\n$ npm test\nnpm is what it prints\n```', [[2, 'npm test']]],
    ['```ts\nnpm test\n```', []],
    [
      '```yaml\nscript:\n  - npm test\n  - run: npm run none\n    run: bun test\n```',
      [
        [3, 'npm test'],
        [4, 'npm run none'],
        [5, 'bun test'],
      ],
    ],
    [
      '`npm test` and `sudo -u a cardwire run`',
      [
        [1, 'npm test'],
        [1, 'cardwire run'],
      ],
    ],
  ])('are found in %j', (text, expected) => {
    expect(findCommands(text).map(({ line, words }) => [line, words.join(' ')])).toEqual(expected)
  })
})

describe('layers', () => {
  const layers = [['main.ts'], ['http', 'sync']]
  const table = '| `a/src`, from the top | |\n|---|---|\n| `main.ts` | |\n| `http`, `sync` | |\n\n'

  test('a table with each layer in its row is right', () => {
    expect(checkLayerTable(table, 'a/src', layers)).toEqual([])
  })

  test.each([
    ['without a place', table.replace(', `sync`', ''), 'main.ts, http'],
    [
      'with one more',
      table.replace('| `http`', '| `none` | |\n| `http`'),
      'main.ts, none, http sync',
    ],
    ['in another order', table.replace('`http`, `sync`', '`sync`, `http`'), 'main.ts, sync http'],
    ['that is not there', '', ''],
  ])('a table %s is a fault', (_, text, shown) => {
    expect(checkLayerTable(text, 'a/src', layers)).toEqual([
      `the table of a/src has "${shown}", expected "main.ts, http sync"`,
    ])
  })

  test('a drawing of other layers is a fault', () => {
    expect(checkDrawing('```mermaid\nflowchart TB\n```\n')).toHaveLength(1)
  })
})
