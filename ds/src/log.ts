/** The log: one JSON object a line, on standard output. */
import {
  configureSync,
  getConsoleSink,
  getJsonLinesFormatter,
  getLogger,
  type LogRecord,
  type Sink,
} from '@logtape/logtape'
import type { Log } from './ports.ts'
import { toEcs } from './rules/ecs.ts'
import { version } from './version.ts'

/** How a line is written: with the names of the service, or with those of the Elastic Common Schema. */
export type LogFormat = 'json' | 'ecs'

const category = ['cardwire', 'ds']

const formatters: Readonly<Record<LogFormat, (record: LogRecord) => string>> = {
  json: getJsonLinesFormatter({ message: 'template', properties: 'flatten' }),
  ecs: ({ level, rawMessage, timestamp, properties }) =>
    `${JSON.stringify(toEcs({ level, event: String(rawMessage), timestamp }, properties, version))}\n`,
}

/** A sink for the console, which Workers collect. */
export const createConsoleSink = (format: LogFormat): Sink =>
  getConsoleSink({ formatter: formatters[format] })

/** `sink` is where the lines go. */
export function createLog(sink: Sink = createConsoleSink('json')): Log {
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
  (write: (line: string, mayWait: boolean) => void, format: LogFormat): Sink =>
  (record) =>
    write(formatters[format](record), record.level === 'info')

/** A line of the log that does not pass through it. */
export const formatLogLine = (
  format: LogFormat,
  level: 'warning',
  event: string,
  fields: Readonly<Record<string, unknown>>,
): string =>
  formatters[format]({
    category,
    level,
    message: [event],
    rawMessage: event,
    timestamp: Date.now(),
    properties: { ...fields },
  })
