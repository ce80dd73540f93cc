/** Which documents an archive has: those that administrators read first, and everything that they link to. */
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** The paths below `folder` of `documents` and of all files that links lead to from there. */
export function findLinkedFiles(folder: string, documents: readonly string[]): readonly string[] {
  const found = new Set(documents)
  // A set gives also what is added while it is read.
  for (const name of found)
    if (name.endsWith('.md'))
      for (const link of readLinks(readFileSync(join(folder, name), 'utf8')))
        found.add(join(dirname(name), link))
  return [...found]
}

/** The targets of the links of a document to other files, without the places in them. */
export const readLinks = (text: string): readonly string[] =>
  [...text.matchAll(/\]\(([^)#\s]+)/g)]
    .map(([, target = '']) => target)
    .filter((target) => !/^[a-z]+:/.test(target))
