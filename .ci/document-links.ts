/** The links of the documents: each leads to a file of the repository, and to a heading that it has. */
import { posix } from 'node:path'

export interface Document {
  /** From the root of the repository. */
  readonly path: string
  readonly text: string
}

/** What is wrong with the links of these documents, and with the files that they name in code. */
export function checkLinks(
  documents: readonly Document[],
  exists: (path: string) => boolean,
): readonly string[] {
  const anchors = new Map(documents.map(({ path, text }) => [path, findAnchors(text)]))
  return documents.flatMap(({ path, text }) =>
    findLinks(text).flatMap(({ line, label, target }) => {
      const [file = '', anchor] = target.split('#')
      const place = `${path}:${line}`
      if (label.endsWith('.md') && posix.basename(label) !== posix.basename(file))
        return `${place}: "${label}" leads to "${file}"`
      const linked = file === '' ? path : posix.join(posix.dirname(path), file)
      if (!exists(linked)) return `${place}: there is no "${linked}"`
      if (anchor === undefined || anchors.get(linked)?.has(anchor)) return []
      return `${place}: "${linked}" has no heading "#${anchor}"`
    }),
  )
}

/** The files that documents name in code, such as `` `ds/src/app.ts` ``, and that are not there. */
export function checkPaths(
  documents: readonly Document[],
  exists: (path: string) => boolean,
): readonly string[] {
  return documents.flatMap(({ path, text }) =>
    eachLine(withoutBlocks(text)).flatMap(({ line, content }) =>
      [...content.matchAll(/`([^`\s]+)`/g)]
        .map(([, named = '']) => named)
        .filter((named) => isRepositoryPath(named) && !exists(named))
        .map((named) => `${path}:${line}: there is no "${named}"`),
    ),
  )
}

/** Whether a word is the path of a file that is in the repository, and not built. */
export const isRepositoryPath = (word: string): boolean =>
  /^(?:ds|connector|client|drizzle|docs|test|\.ci)\/[\w./-]+$/.test(word) &&
  !/\/dist\b|\.tgz$/.test(word)

interface Link {
  readonly line: number
  readonly label: string
  readonly target: string
}

function findLinks(text: string): readonly Link[] {
  const link = /(?:\[([^[\]]*))?\]\(([^)\s]+)\)|(?:src|srcset|href)="([^"]+)"/g
  return eachLine(withoutBlocks(text)).flatMap(({ line, content }) =>
    [...content.matchAll(link)]
      .map(([, label = '', markdown, html]) => ({ line, label, target: markdown ?? html ?? '' }))
      .filter(({ target }) => !/^[a-z]+:/.test(target)),
  )
}

/** The anchors of the headings, as GitHub makes them. */
export function findAnchors(text: string): ReadonlySet<string> {
  const counts = new Map<string, number>()
  const anchors = eachLine(withoutBlocks(text)).flatMap(({ content }) => {
    const [, heading] = /^#{1,6} (.*)$/.exec(content) ?? []
    if (heading === undefined) return []
    const shown = heading.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1').toLowerCase()
    const anchor = shown.replaceAll(/[^\p{L}\p{N}\s_-]/gu, '').replaceAll(' ', '-')
    const count = counts.get(anchor) ?? 0
    counts.set(anchor, count + 1)
    return count === 0 ? anchor : `${anchor}-${count}`
  })
  return new Set(anchors)
}

/** The text with an empty line for each line of a code block. */
const withoutBlocks = (text: string): string =>
  text.replaceAll(/^ *```[\s\S]*?^ *```/gm, (block) => block.replaceAll(/.+/g, ''))

const eachLine = (text: string) =>
  text.split('\n').map((content, index) => ({ line: index + 1, content }))
