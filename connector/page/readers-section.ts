/** The readers and the cards in them, as they come and go. */
import { announce, find, make } from './elements.ts'
import type { Words } from './languages.ts'
import type { ReaderView, View } from './view.ts'

export function createReadersSection(words: Words): (view: View) => void {
  const [list, none] = [find('readers'), find('no-readers')]
  let before: readonly ReaderView[] | undefined
  return ({ readers, cardService }) => {
    list.replaceChildren(...readers.map((reader) => createItem(words, reader)))
    none.hidden = readers.length > 0
    none.textContent = words.texts[cardService === 'up' ? 'noReaders' : 'noCardService']
    const changes = before ? describeChanges(words, before, readers) : []
    if (changes.length > 0) announce(changes.join(' '))
    before = readers
  }
}

function createItem(words: Words, { name, pinpad, card }: ReaderView): HTMLLIElement {
  const kind = card ? describeCard(words, card) : words.texts.noCard
  return make(
    'li',
    { data: { card: card ? 'yes' : 'no' } },
    make('h3', { text: pinpad ? `${name} (${words.texts.pinpad})` : name }),
    make('p', { class: 'soft', text: kind }),
  )
}

const describeCard = ({ texts }: Words, { description }: NonNullable<ReaderView['card']>) =>
  description ? texts.card(description) : texts.unknownCard

function describeChanges(
  words: Words,
  before: readonly ReaderView[],
  now: readonly ReaderView[],
): readonly string[] {
  const [old, current] = [before, now].map((readers) => new Map(readers.map((it) => [it.id, it])))
  const removed = before.filter(({ id }) => !current?.has(id))
  return [
    ...removed.map(({ name: reader }) => words.texts.readerRemoved(reader)),
    ...now.flatMap((each) => {
      const known = old?.get(each.id)
      if (!known) return words.texts.readerConnected(each.name)
      if (known.card?.atr === each.card?.atr) return []
      return words.texts[each.card ? 'cardInserted' : 'cardRemoved'](each.name)
    }),
  ]
}
