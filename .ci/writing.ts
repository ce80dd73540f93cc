/** Checks the texts of the interfaces: none has a word that docs/writing.md replaces by another. */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { parseSync } from 'oxc-parser'
import { root } from '../test/bed/repository.ts'
import { findFaults, readGuide, type Text } from './writing-guide.ts'

/** Where users read what is written in a program. */
const places = [
  'connector/src/languages/en/*.ts',
  'ds/src/languages/en/*.{ts,tsx}',
  'connector/src/commands/{help-text,program,certs,registry,consents}.ts',
  'client/example/page/*.ts',
]

const read = (path: string) => readFileSync(join(root, path), 'utf8')

/** The texts in the literals, templates and elements of a source; others than types and imports. */
function readTexts(file: string): readonly Text[] {
  const source = read(file)
  const texts: Text[] = []
  const add = (start: number, text: string) =>
    texts.push({ place: `${file}:${source.slice(0, start).split('\n').length}`, text })
  const visit = (node: unknown): void => {
    if (Array.isArray(node)) {
      for (const each of node) visit(each)
      return
    }
    if (typeof node !== 'object' || node === null) return
    const { type, start, value } = node as { type?: string; start: number; value: unknown }
    if (type === 'ImportDeclaration') return
    if (type === 'Literal' && typeof value === 'string') add(start, value)
    if (type === 'TemplateElement') add(start, (value as { readonly cooked: string }).cooked)
    if (type === 'JSXText') add(start, String(value))
    // A key is a name, and no text.
    for (const [name, part] of Object.entries(node))
      if (name !== 'key' && part !== value) visit(part)
  }
  visit(parseSync(file, source).program)
  return texts
}

const guide = readGuide(read('docs/writing.md'))
const files = places.flatMap((place) => globSync(place, { cwd: root })).toSorted()
const faults = findFaults(guide, files.flatMap(readTexts))
for (const fault of faults) process.stderr.write(`${fault}\n`)
process.stdout.write(`writing: ${files.length} files, ${faults.length} faults\n`)
process.exitCode = faults.length === 0 ? 0 : 1
