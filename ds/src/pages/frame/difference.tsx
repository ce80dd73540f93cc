/** The difference between two values, part by part and line by line. */
import { Table } from './parts.tsx'
import { readTexts } from './texts.ts'

/** A part of a value, for people; several lines where it is a list. */
export interface Part {
  readonly label: string
  readonly text: string
}

/** The lines of two texts that only one of them has: origins, files and what is said about cards are sets, their order means nothing. */
export function findDifference(
  before: string,
  after: string,
): { readonly removed: readonly string[]; readonly added: readonly string[] } {
  const [old, next] = [before, after].map((text) => text.split('\n').filter(Boolean))
  const without = (lines: readonly string[] = [], others: readonly string[] = []) => {
    const known = new Set(others)
    return lines.filter((line) => !known.has(line))
  }
  return { removed: without(old, next), added: without(next, old) }
}

/** The parts that differ, with their lines on both sides. */
export function listDifferences(before: readonly Part[], after: readonly Part[]) {
  const labels = [...new Set([...before, ...after].map(({ label }) => label))]
  const textOf = (parts: readonly Part[], wanted: string) =>
    parts.find(({ label }) => label === wanted)?.text ?? ''
  return labels
    .map((label) => ({ label, ...findDifference(textOf(before, label), textOf(after, label)) }))
    .filter(({ removed, added }) => removed.length + added.length > 0)
}

/** Whether people see no difference between two values. */
export const isSame = (before: readonly Part[], after: readonly Part[]): boolean =>
  listDifferences(before, after).length === 0

/** What a change removes and adds. */
export const Changes = ({
  caption,
  before,
  after,
}: {
  readonly caption: string
  readonly before: readonly Part[]
  readonly after: readonly Part[]
}) => {
  const texts = readTexts().history
  const differences = listDifferences(before, after)
  if (differences.length === 0) return <p>{texts.same}</p>
  return (
    <Table
      caption={caption}
      head={[texts.part, texts.removedLines, texts.addedLines]}
      rows={differences.map(({ label, removed, added }) => [
        label,
        removed.length > 0 && <pre>{removed.join('\n')}</pre>,
        added.length > 0 && <pre>{added.join('\n')}</pre>,
      ])}
    />
  )
}
