/** `cardwire readers`: what the card service of this machine shows, once or as it changes. */
import { changesBetween } from '../api/changes.ts'
import { presenter } from '../api/present.ts'
import { openCards } from '../cards/open-cards.ts'
import { superviseReaders } from '../readers/readers.ts'
import { sandboxEnvironment } from '../sandbox/role.ts'
import { type Machine, selfCommand } from './machine.ts'
import { coloured, dim, print, red } from './style.ts'

/** How long the first look may take, in milliseconds. */
const patienceMs = 5000

/** Exit status 1 when the card service cannot be reached. */
export async function showReaders(
  { settings }: Machine,
  { watch }: { readonly watch: boolean },
): Promise<void> {
  const colours = coloured(process.stdout)
  const readers = superviseReaders({
    command: selfCommand('sandbox'),
    log: () => undefined,
    env: sandboxEnvironment(settings),
  })
  const present = presenter(openCards())
  await readers.ready(patienceMs)
  const first = readers.snapshot()
  if (first.pcsc.kind === 'down') {
    process.stderr.write(
      `${red('The card service cannot be reached', coloured(process.stderr))}: ${first.pcsc.reason}\n`,
    )
    if (!watch) {
      await readers.stop()
      process.exitCode = 1
      return
    }
  }
  let seen = first.readers.map(present)
  if (seen.length === 0 && first.pcsc.kind === 'up') print('No reader is connected.')
  for (const { id, name, pinpad, card } of seen) {
    print(`${name}${pinpad ? ' (key pad)' : ''}  ${dim(id, colours)}`)
    print(card ? `  card ${spaced(card.atr)}${described(card.description)}` : '  no card')
  }
  if (!watch) {
    await readers.stop()
    return
  }
  print(dim('Watching; Ctrl-C ends it.', colours))
  readers.subscribe((snapshot) => {
    const now = snapshot.readers.map(present)
    for (const { type, reader } of changesBetween(seen, now, snapshot.sequence)) {
      const card = reader.card
        ? `: ${spaced(reader.card.atr)}${described(reader.card.description)}`
        : ''
      print(`${new Date().toISOString()}  ${type.replace('-', ' ')}  ${reader.name}${card}`)
    }
    seen = now
  })
  process.once('SIGINT', async () => {
    await readers.stop()
    process.exit(0)
  })
}

/** An ATR as people and pcsc_scan write it. */
const spaced = (atr: string) => atr.replaceAll(/../g, '$& ').trim()

const described = (description: readonly string[]) =>
  description.length > 0 ? `\n       ${description.join('\n       ')}` : ''
