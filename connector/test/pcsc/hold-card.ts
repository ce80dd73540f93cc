/** A program that is connected to the card in a reader and does nothing until its input ends: `hold-card.ts <reader>`. */
import { openPcsc } from '../../src/sandbox/pcsc/pcsc.ts'

const [reader = ''] = process.argv.slice(2)
const pcsc = openPcsc(undefined)
const context = pcsc.establish()
const card = pcsc.connect(context, reader, 'shared')
process.stdout.write('connected\n')
await Bun.stdin.text()
pcsc.disconnect(card, 'alone')
pcsc.release(context)
