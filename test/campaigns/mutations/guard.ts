/** Guards of the threat model, and how each is removed: a text of a source file and what stands in its place then. */

export interface Guard {
  /** The row of docs/threat-model.md. */
  readonly rule: string
  /** From the root of the repository. */
  readonly file: string
  /** Occurs exactly once in the file. */
  readonly search: string
  /** The same code without the guard. */
  readonly replace: string
  /** Of the files that prove the rule, those that are run; all by default. Give the cheapest that suffice. */
  readonly tests?: readonly string[]
}

/** A row without a guard that could be removed by a change of one place, and why. */
export type Unguarded = Readonly<Record<string, string>>

/** The source without the guard. Throws when the text is not there exactly once. */
export function removeGuard(source: string, { file, search, replace }: Guard): string {
  const count = source.split(search).length - 1
  if (count !== 1) {
    const found = count === 0 ? 'is not there' : `is there ${count} times`
    throw new Error(`Cannot remove the guard of "${file}": ${JSON.stringify(search)} ${found}`)
  }
  return source.replace(search, () => replace)
}
