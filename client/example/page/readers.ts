/** Shows the readers and the cards in them, as they change. */
import type { CardService, CardwireClient, Reader, ReaderChange } from '@cardwire/client'
import { announce, getElement, showScreen } from './screens.ts'

/** Ends only with an error: the connector stopped, or the consent ended. */
export async function watchReaders(
  client: CardwireClient,
  onReaders: (readers: readonly Reader[]) => void,
): Promise<void> {
  for await (const change of client.readerEvents()) {
    showScreen('readers')
    if (change.type === 'snapshot') showCardService(change.cardService)
    showReaders(change.readers)
    onReaders(change.readers)
    announce(describeChange(change))
  }
}

const count = (number: number, what: string) => `${number} ${what}${number === 1 ? '' : 's'}`

/** The description of the card, if its ATR is known. */
const describeCard = ({ card }: Reader): string =>
  card ? (card.description[0] ?? 'Unknown card') : 'No card'

function describeChange(change: ReaderChange): string {
  if (change.type === 'snapshot') {
    if (change.cardService?.state === 'down')
      return 'This computer’s smart card service isn’t running.'
    const cards = change.readers.filter(({ card }) => card).length
    return `${count(change.readers.length, 'card reader')} connected, ${count(cards, 'card')} inserted.`
  }
  const { reader } = change
  const happened = {
    'reader-added': 'was connected',
    'reader-removed': 'was disconnected',
    'card-inserted': `has a card: ${describeCard(reader)}`,
    'card-removed': 'no longer has a card',
  }[change.type]
  return `${reader.name} ${happened}.`
}

let isServiceDown = false

function showCardService(cardService: CardService | undefined): void {
  isServiceDown = cardService?.state === 'down'
  getElement('no-card-service').hidden = !isServiceDown
  const reason = cardService?.reason ?? ''
  getElement('card-service-details').hidden = !isServiceDown || reason === ''
  getElement('card-service-reason').textContent = reason
}

/** Items keep their elements, so that the style sheet animates a card. */
const items = new Map<string, HTMLElement>()

function showReaders(readers: readonly Reader[]): void {
  for (const [id, item] of items) {
    if (readers.some((reader) => reader.id === id)) continue
    item.remove()
    items.delete(id)
  }
  for (const reader of readers) {
    const item = items.get(reader.id) ?? addItem(reader)
    item.classList.toggle('holding', reader.card !== undefined)
    setText(item, '.holds', describeCard(reader))
    setText(item, '.atr', reader.card?.atr.replaceAll(/../g, '$& ').trim() ?? '')
  }
  getElement('no-readers').hidden = readers.length > 0 || isServiceDown
}

function addItem({ id, name, pinpad }: Reader): HTMLElement {
  const template = getElement('reader') as HTMLTemplateElement
  const item = template.content.querySelector('li')?.cloneNode(true) as HTMLElement
  setText(item, 'h3', pinpad ? `${name}, with a keypad` : name)
  getElement('reader-list').append(item)
  items.set(id, item)
  return item
}

function setText(item: HTMLElement, selector: string, text: string): void {
  const place = item.querySelector(selector)
  if (place) place.textContent = text
}
