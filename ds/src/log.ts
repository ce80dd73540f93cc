/** The log: one JSON object a line, on standard output. */
import {
  configureSync,
  getConsoleSink,
  getJsonLinesFormatter,
  getLogger,
  type Sink,
} from '@logtape/logtape'
import type { Log } from './ports.ts'

const category = ['cardwire', 'ds']

const formatter = getJsonLinesFormatter({ message: 'template', properties: 'flatten' })

/** `sink` is where the lines go: the console by default, which Workers collect. */
export function createLog(sink: Sink = getConsoleSink({ formatter })): Log {
  configureSync({
    reset: true,
    sinks: { lines: sink },
    loggers: [
      { category, lowestLevel: 'info', sinks: ['lines'] },
      { category: ['logtape', 'meta'], lowestLevel: 'warning', sinks: ['lines'] },
    ],
  })
  const logger = getLogger(category)
  return {
    info: (event, fields) => logger.info(event, { ...fields }),
    warn: (event, fields) => logger.warn(event, { ...fields }),
    error: (event, fields) => logger.error(event, { ...fields }),
  }
}

/** A sink that passes each line to `write`; the line of what went well may wait for others. */
export const createLineSink =
  (write: (line: string, mayWait: boolean) => void): Sink =>
  (record) =>
    write(formatter(record), record.level === 'info')

/** A line of the log that does not pass through it. */
export const formatLogLine = (
  level: 'warning',
  event: string,
  fields: Readonly<Record<string, unknown>>,
): string =>
  formatter({
    category,
    level,
    message: [event],
    rawMessage: event,
    timestamp: Date.now(),
    properties: { ...fields },
  })
