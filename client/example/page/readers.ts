/** The readers of the person and the cards in them, on the screen as they change. */
import type { CardwireClient, Reader, ReaderChange } from '@cardwire/client'
import { element, say, show } from './screens.ts'

/** Ends only with a failure: the connector has gone, or the consent. */
export async function watchReaders(
  client: CardwireClient,
  follow: (readers: readonly Reader[]) => void,
): Promise<void> {
  for await (const change of client.readerEvents()) {
    show('readers')
    showReaders(change.readers)
    follow(change.readers)
    say(sentenceOf(change))
  }
}

/** What the card is, as well as anybody knows. */
const nameOf = ({ card }: Reader): string =>
  card ? (card.description[0] ?? 'An unknown card') : 'No card'

function sentenceOf(change: ReaderChange): string {
  if (change.type === 'snapshot') {
    const cards = change.readers.filter(({ card }) => card).length
    return `Card readers: ${change.readers.length}. Cards in them: ${cards}.`
  }
  const { reader } = change
  const happened = {
    'reader-added': 'was connected',
    'reader-removed': 'was disconnected',
    'card-inserted': `has a card: ${nameOf(reader)}`,
    'card-removed': 'has no card any more',
  }[change.type]
  return `${reader.name} ${happened}.`
}

/** Items stay the same elements, so that a card is seen going in. */
const items = new Map<string, HTMLElement>()

function showReaders(readers: readonly Reader[]): void {
  for (const [id, item] of items) {
    if (readers.some((reader) => reader.id === id)) continue
    item.remove()
    items.delete(id)
  }
  for (const reader of readers) {
    const item = items.get(reader.id) ?? newItem(reader)
    item.classList.toggle('holding', reader.card !== undefined)
    write(item, '.holds', nameOf(reader))
    write(item, '.atr', reader.card?.atr.replaceAll(/../g, '$& ').trim() ?? '')
  }
  element('no-readers').hidden = readers.length > 0
}

function newItem({ id, name, pinpad }: Reader): HTMLElement {
  const template = element('reader') as HTMLTemplateElement
  const item = template.content.querySelector('li')?.cloneNode(true) as HTMLElement
  write(item, 'h3', pinpad ? `${name}, with a key pad` : name)
  element('reader-list').append(item)
  items.set(id, item)
  return item
}

function write(item: HTMLElement, selector: string, text: string): void {
  const place = item.querySelector(selector)
  if (place) place.textContent = text
}
