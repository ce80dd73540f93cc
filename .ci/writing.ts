/** Checks the texts of the interfaces: none has a word that docs/writing.md replaces by another, and each is read by its program. */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { root } from '../test/bed/repository.ts'
import { findUnusedKeys, readKeys } from './catalog-keys.ts'
import { readTexts } from './source-texts.ts'
import { findFaults, isSentence, readGuide, type Text } from './writing-guide.ts'

/** Where everything that is written in a program is for users. */
const places = [
  'connector/src/languages/en/*.ts',
  'ds/src/languages/en/*.{ts,tsx}',
  'connector/src/commands/**/!(*.test).ts',
  'client/protocol/src/!(*.test).ts',
  'ds/src/admin/*.ts',
  'connector/publish/*.ts',
  'client/src/languages/{,steps/}en.ts',
  'client/example/page/*.ts',
]

/** Where messages for users and administrators are among names that only programs read: errors, logs, settings. */
const messagePlaces = [
  'connector/src/**/!(*.test).ts',
  'ds/src/environment.ts',
  'ds/src/{http,self-hosted}/**/!(*.test).ts',
]
const isTranslation = /\/languages\/(?:de|fr|nl)\//

/** Documents for users; the tables of rules and threats have the words of the specification. */
const documents = [
  'README.md',
  'client/*.md',
  'client/{guides,protocol,react,server}/*.md',
  'docs/*.md',
]
const isOther = /^docs\/(?:writing|conformance|threat-model)\.md$/

const read = (path: string) => readFileSync(join(root, path), 'utf8')

/** The lines of a document, without code and the targets of its links. */
const readProse = (file: string): readonly Text[] =>
  read(file)
    .replaceAll(/^```.*?^```$/gms, (code) => code.replaceAll(/[^\n]/g, ''))
    .split('\n')
    .map((line, at) => ({
      place: `${file}:${at + 1}`,
      text: line.replaceAll(/`[^`]*`|(?<=\])\([^)]*\)/g, ''),
    }))

/** The texts of a program that no other source of it can name. */
function findUnusedTexts(program: string): readonly string[] {
  const exclude = (path: string) => /\/languages(\/|$)|\.test\.tsx?$/.test(path)
  const readers = globSync(
    `{${program},client,client/{protocol,react,server}}/{page,src}/**/*.{ts,tsx,html}`,
    {
      cwd: root,
      exclude,
    },
  )
  const catalogs = globSync(`${program}/src/languages/{en.ts,en/*.{ts,tsx}}`, { cwd: root })
  const keys = catalogs.flatMap((file) => readKeys(file, read(file)).map((key) => ({ file, key })))
  const unused = new Set(
    findUnusedKeys(
      keys.map(({ key }) => key),
      readers.map(read),
    ),
  )
  return keys
    .filter(({ key }) => unused.has(key))
    .map(({ file, key }) => `${file}: nothing reads "${key}"`)
}

const guide = readGuide(read('docs/writing.md'))
const find = (patterns: readonly string[]) =>
  patterns.flatMap((pattern) => globSync(pattern, { cwd: root })).toSorted()
const sources = find(places)
const messages = find(messagePlaces).filter(
  (file) => !sources.includes(file) && !isTranslation.test(file),
)
const prose = find(documents).filter((file) => !isOther.test(file))
const faults = [
  ...findFaults(guide, [
    ...sources.flatMap((file) => readTexts(file, read(file))),
    ...messages.flatMap((file) => readTexts(file, read(file))).filter(isSentence),
    ...prose.flatMap(readProse),
  ]),
  ...['client', 'connector', 'ds'].flatMap(findUnusedTexts),
]
for (const fault of faults) process.stderr.write(`${fault}\n`)
const count = sources.length + messages.length + prose.length
process.stdout.write(`writing: ${count} files, ${faults.length} faults\n`)
process.exitCode = faults.length === 0 ? 0 : 1
