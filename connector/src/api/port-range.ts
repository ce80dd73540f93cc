/** Reports that the API listens on a port outside its range, and who has the range. */
import type { Settings } from '../settings.ts'
import type { Log } from '../system/log.ts'
import { describePortHolder } from '../system/port-holder.ts'

/** Logs the holder of the first port of the range; nothing when the API listens on a port of the range. Never rejects. */
export async function logPortOutsideRange(
  port: number,
  { first, last }: Settings['apiPorts'],
  log: Pick<Log, 'warn'>,
): Promise<void> {
  if (port >= first && port <= last) return
  const holder = await describePortHolder(first).catch(() => undefined)
  log.warn('every port of the range is taken, another one is used', {
    port,
    range: `${first}-${last}`,
    holder: holder ?? 'not shown by the system',
    todo: 'end the programs that have them, or set another range: CARDWIRE_API_PORTS',
  })
}
