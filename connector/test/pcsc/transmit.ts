/** Sends a command to the card in a reader through the PC/SC port and prints the response: `transmit.ts <reader> <command in hex>`. */
import { PcscError } from '../../src/sandbox/pcsc/codes.ts'
import { openPcsc } from '../../src/sandbox/pcsc/pcsc.ts'

const [reader = '', command = ''] = process.argv.slice(2)
const pcsc = openPcsc(undefined)
const context = pcsc.establish()
const card = pcsc.connect(context, reader, 'shared')
pcsc.begin(card)
const answer = Buffer.from(pcsc.transmit(card, Buffer.from(command, 'hex'))).toString('hex')
pcsc.end(card, 'alone')
const status = pcsc.status(card)
pcsc.disconnect(card, 'reset')
const refused = refusal(() => pcsc.connect(context, 'No Such Reader', 'shared'))
pcsc.release(context)
process.stdout.write(JSON.stringify({ answer, status, refused, valid: pcsc.isValid(context) }))

function refusal(act: () => unknown): string | undefined {
  try {
    act()
    return undefined
  } catch (error) {
    if (error instanceof PcscError) return error.code
    throw error
  }
}
