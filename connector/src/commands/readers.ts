/** `cardwire readers`: what the card service of this machine shows, once or as it changes. */
import type { Reader } from '@cardwire/client/protocol'
import { changesBetween } from '../api/changes.ts'
import { presenter } from '../api/present.ts'
import { openCards } from '../cards/open-cards.ts'
import { type PcscState, superviseReaders } from '../readers/readers.ts'
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
  let seen: Seen = { pcsc: first.pcsc, readers: first.readers.map(present) }
  if (seen.readers.length === 0 && first.pcsc.kind === 'up') print('No reader is connected.')
  for (const { id, name, pinpad, card } of seen.readers) {
    print(`${name}${pinpad ? ' (key pad)' : ''}  ${dim(id, colours)}`)
    print(card ? `  card ${spaced(card.atr)}${described(card.description)}` : '  no card')
  }
  if (!watch) {
    await readers.stop()
    return
  }
  print(dim('Watching; Ctrl-C ends it.', colours))
  readers.subscribe(({ pcsc, readers }) => {
    const now = { pcsc, readers: readers.map(present) }
    for (const line of changeLines(seen, now)) print(`${new Date().toISOString()}  ${line}`)
    seen = now
  })
  process.once('SIGINT', async () => {
    await readers.stop()
    process.exit(0)
  })
}

export interface Seen {
  readonly pcsc: PcscState
  readonly readers: readonly Reader[]
}

/** What a person is told between two looks: the card service first, then readers and cards. */
export function changeLines(before: Seen, now: Seen): readonly string[] {
  const service =
    before.pcsc.kind === now.pcsc.kind
      ? []
      : now.pcsc.kind === 'down'
        ? [`the card service has gone: ${now.pcsc.reason}`]
        : ['the card service is back']
  const changes = changesBetween(before.readers, now.readers, 0).map(({ type, reader }) => {
    // A card that went with its reader is not there any more.
    const card = type === 'reader-removed' ? undefined : reader.card
    const about = card ? `: ${spaced(card.atr)}${described(card.description)}` : ''
    return `${type.replace('-', ' ')}  ${reader.name}${about}`
  })
  return [...service, ...changes]
}

/** An ATR as people and pcsc_scan write it. */
const spaced = (atr: string) => atr.replaceAll(/../g, '$& ').trim()

const described = (description: readonly string[]) =>
  description.length > 0 ? `\n       ${description.join('\n       ')}` : ''
