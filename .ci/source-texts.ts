/** The texts in a source: those of its literals, templates and elements. */
import { parseSync } from 'oxc-parser'
import type { Text } from './writing-guide.ts'

/** Leaves out types, imports, and the names of members. */
export function readTexts(file: string, source: string): readonly Text[] {
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
    for (const [name, part] of Object.entries(node)) if (name !== 'key') visit(part)
  }
  visit(parseSync(file, source).program)
  return texts
}
