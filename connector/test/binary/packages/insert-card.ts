/** Puts a card into the first reader of a booted machine, and leaves it there until this process ends. */
import { cardPorts } from '../../../../test/bed/pcscd.ts'
import { insertCard } from '../../../../test/bed/virtual-card.ts'

// That of a Belgian identity card.
await insertCard(cardPorts[0], { atr: '3B9813400AA503010101AD1311' })
