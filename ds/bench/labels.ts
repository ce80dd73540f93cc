/** Labels with an API key each; creating each over HTTP would be another measurement. */
import { createHash } from 'node:crypto'

export interface LabelRow {
  readonly id: string
  readonly apiKey: string
  /** What is stored of the key. */
  readonly hash: string
}

export const createLabelRows = (count: number): LabelRow[] =>
  Array.from({ length: count }, (_, at) => {
    const apiKey = crypto.randomUUID()
    return { id: `bench${at}`, apiKey, hash: createHash('sha256').update(apiKey).digest('hex') }
  })
