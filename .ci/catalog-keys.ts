/** The keys of a catalog of texts, and which of them no program reads. */
import { parseSync } from 'oxc-parser'

/** A node of the tree that oxc makes, as far as it matters here. */
type Node = Readonly<Record<string, unknown>>

/** The paths of the texts in a source, such as `pin.submit.sign`: every member of its object literals. */
export function readKeys(file: string, source: string): readonly string[] {
  const keys: string[] = []
  const readObject = ({ properties }: Node, path: string): void => {
    for (const { key, value } of properties as readonly Node[]) {
      const name = toName(key as Node | undefined)
      if (name === undefined) continue
      const at = path === '' ? name : `${path}.${name}`
      if ((value as Node)['type'] === 'ObjectExpression') readObject(value as Node, at)
      else keys.push(at)
    }
  }
  const { body } = parseSync(file, source).program as unknown as { body: readonly Node[] }
  for (const { declaration } of body) {
    for (const { init } of ((declaration as Node | null)?.['declarations'] ?? []) as Node[]) {
      if ((init as Node | null)?.['type'] === 'ObjectExpression') readObject(init as Node, '')
    }
  }
  return keys
}

/** A spread has no key. */
function toName(key: Node | undefined): string | undefined {
  const name = key?.['name'] ?? key?.['value']
  return typeof name === 'string' ? name : undefined
}

/** The keys of which one part is a word of no source: nothing can read them. */
export function findUnusedKeys(
  keys: readonly string[],
  sources: readonly string[],
): readonly string[] {
  const words = new Set(sources.flatMap((source) => source.match(/[\w-]+/g) ?? []))
  return keys.filter((key) => !key.split('.').every((part) => words.has(part)))
}
