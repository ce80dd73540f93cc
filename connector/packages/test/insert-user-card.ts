/** Puts the card of a virtual user into the first reader of a booted machine: `FILE` stands for it, beside its authority. Runs on Bun. */
import process from 'node:process'
import { cardPorts } from '../../../test/bed/pcscd.ts'
import { prepareVirtualCard } from '../../src/api/cards/prepare-virtual-card.ts'
import { loadCardKeys, virtualCardPin } from '../../src/sandbox/virtual-card/stored-card.ts'
import { insertPivCard } from '../../test/cards/emulated-card.ts'

const [file = ''] = process.argv.slice(2)
const ignore = () => undefined
await prepareVirtualCard(file, { info: ignore, warn: ignore })
const keys = loadCardKeys(file)
if (!keys) throw new Error(`Cannot make the keys of a card beside "${file}"`)
await insertPivCard(cardPorts[0], { keys, pin: virtualCardPin, protocol: 'T=1' })
