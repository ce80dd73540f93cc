/** `cardwire readers`: shows the readers and cards of this machine, once or as they change. */

import { toPrintableLine } from '@cardwire/protocol/printable'
import type { Reader } from '@cardwire/protocol/reader'
import { openCards } from '../api/cards/open-cards.ts'
import { createReaderView } from '../api/reader-view.ts'
import { createSandboxEnvironment } from '../sandbox/environment.ts'
import { diffReaders } from '../sandbox/readers/diff-readers.ts'
import type { PcscState, Snapshot } from '../sandbox/readers/readers.ts'
import { superviseReaders } from '../sandbox/readers/sandbox-supervisor.ts'
import { type CommandContext, getSelfCommand } from './command-context.ts'
import { printDocument, wantsJson } from './json-output.ts'
import { dim, hasColours, print, printError, red } from './terminal.ts'

/** How long the first report may take, in milliseconds. */
const firstReportMs = 5000

/**
 * How long a list that is printed once waits for the key pads, in milliseconds: what is not known then is printed as missing.
 * With `--watch` readers appear as soon as everywhere else.
 */
const holdBackMs = 2500

/** Exit status 1 when the card service cannot be reached. */
export async function showReaders(
  { settings }: CommandContext,
  { watch }: { readonly watch: boolean },
): Promise<void> {
  const readers = superviseReaders({
    command: getSelfCommand('sandbox'),
    log: { warn: () => undefined, error: () => undefined },
    env: createSandboxEnvironment(settings),
    ...(!watch && { holdBackMs }),
  })
  const toView = createReaderView(openCards())
  const view = ({ pcsc, readers }: Snapshot): ReadersView => ({
    pcsc,
    readers: readers.map(toView),
  })
  await readers.ready(firstReportMs)
  let shown = view(readers.snapshot())
  if (wantsJson()) printReadersDocument(shown)
  else printReaders(shown)
  if (!watch) {
    await readers.stop()
    process.exitCode = shown.pcsc.kind === 'up' ? 0 : 1
    return
  }
  if (!wantsJson())
    print(dim('Waiting for changes. Press Ctrl-C to stop.', hasColours(process.stdout)))
  readers.subscribe((snapshot) => {
    const now = view(snapshot)
    if (wantsJson()) printReadersDocument(now)
    else printChanges(shown, now)
    shown = now
  })
  process.once('SIGINT', async () => {
    await readers.stop()
    process.exit(0)
  })
}

function printReadersDocument({ pcsc, readers }: ReadersView): void {
  const reason = pcsc.kind === 'down' ? { reason: pcsc.reason } : {}
  const cardService = { state: pcsc.kind, ...reason }
  printDocument('readers', { time: new Date().toISOString(), cardService, readers })
}

function printReaders({ pcsc, readers }: ReadersView): void {
  if (pcsc.kind === 'down') {
    const failure = red('The smart card service cannot be reached', hasColours(process.stderr))
    printError(`${failure}: ${pcsc.reason}`)
  } else if (readers.length === 0) print('No reader is connected.')
  for (const { id, name, pinpad, card } of readers) {
    print(`${name}${pinpad ? ' (keypad)' : ''}  ${dim(id, hasColours(process.stdout))}`)
    printLines(
      card ? `  card ${formatAtr(card.atr)}${formatDescription(card.description)}` : '  no card',
    )
  }
}

function printChanges(before: ReadersView, now: ReadersView): void {
  for (const line of formatChanges(before, now)) printLines(`${new Date().toISOString()}  ${line}`)
}

export interface ReadersView {
  readonly pcsc: PcscState
  readonly readers: readonly Reader[]
}

/** The lines for the changes from one view to the next: the card service first, then readers and cards. */
export function formatChanges(before: ReadersView, now: ReadersView): readonly string[] {
  const service =
    before.pcsc.kind === now.pcsc.kind
      ? []
      : now.pcsc.kind === 'down'
        ? [`the smart card service stopped: ${toPrintableLine(now.pcsc.reason)}`]
        : ['the smart card service is back']
  const changes = diffReaders(before.readers, now.readers, 0).map(({ type, reader }) => {
    // A card that was removed with its reader is not shown.
    const card = type === 'reader-removed' ? undefined : reader.card
    const about = card ? `: ${formatAtr(card.atr)}${formatDescription(card.description)}` : ''
    return `${type.replace('-', ' ')}  ${toPrintableLine(reader.name)}${about}`
  })
  return [...service, ...changes]
}

/** An ATR as people and pcsc_scan write it. */
const formatAtr = (atr: string) => atr.replaceAll(/../g, '$& ').trim()

const formatDescription = (description: readonly string[]) =>
  description.map((line) => `\n       ${toPrintableLine(line)}`).join('')

const printLines = (text: string): void => text.split('\n').forEach(print)
