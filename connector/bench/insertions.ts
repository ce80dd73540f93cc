/** From a card that is inserted to the event at a client, against a bare wait for the same. */
import { formatMs, getMedian, printRow } from '../../test/bed/bench-table.ts'
import { insertCard } from '../../test/bed/virtual-card.ts'
import { type RunningConnector, watchEvents } from './binary.ts'
import { startBareWait } from './pcsc-baseline.ts'

const atr = '3B9813400AA503010101AD1311'
const rounds = 5

/** `reader`: one of vpcd, which waits for its card on `port`. `meanwhile`: what happens, for the rows. */
export async function measureInsertions(
  connector: RunningConnector,
  { reader, port, meanwhile = '' }: { reader: string; port: number; meanwhile?: string },
): Promise<void> {
  const times = { bare: [] as number[], events: [] as number[] }
  const events = await watchEvents(connector)
  for (let round = 0; round < rounds; round += 1) {
    const waiting = await startBareWait(reader)
    const started = performance.now()
    const card = await insertCard(port, { atr })
    const [returned, reported] = await Promise.all([waiting.returned, events.next('card-inserted')])
    times.bare.push(returned - started)
    times.events.push(reported - started)
    const removed = events.next('card-removed')
    await card.remove()
    await removed
  }
  events.stop()
  const delay = getMedian(times.events) - getMedian(times.bare)
  printRow(`card in to return of a bare wait${meanwhile}`, formatMs(getMedian(times.bare)))
  printRow(
    `card in to event at an https client${meanwhile}`,
    formatMs(getMedian(times.events)),
    `≤ bare + 20 ms; ${delay.toFixed(1)} ms more`,
  )
}
