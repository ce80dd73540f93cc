/** The changes from one list of readers to the next. */
import type { Reader, ReaderEvent } from '@cardwire/protocol/reader'

type Change = Exclude<ReaderEvent, { type: 'snapshot' }>

/** Removals first, then additions, so that each change can be applied by itself. */
export function diffReaders(
  before: readonly Reader[],
  after: readonly Reader[],
  sequence: number,
): Change[] {
  const old = new Map(before.map((reader) => [reader.id, reader]))
  const now = new Map(after.map((reader) => [reader.id, reader]))
  const change =
    (type: Change['type']) =>
    (reader: Reader): Change => ({ type, sequence, reader })
  const stayed = after.flatMap((reader) => {
    const was = old.get(reader.id)
    return was ? [{ was, is: reader }] : []
  })
  const swapped = stayed.filter(({ was, is }) => was.card?.atr !== is.card?.atr)
  return [
    ...before.filter(({ id }) => !now.has(id)).map(change('reader-removed')),
    ...swapped
      .filter(({ was }) => was.card)
      .map(({ is }) => removeCard(is))
      .map(change('card-removed')),
    ...after.filter(({ id }) => !old.has(id)).map(change('reader-added')),
    ...swapped
      .filter(({ is }) => is.card)
      .map(({ is }) => is)
      .map(change('card-inserted')),
  ]
}

function removeCard({ card: _, ...reader }: Reader): Reader {
  return reader
}
