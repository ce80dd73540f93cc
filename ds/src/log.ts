/** The log: one JSON object a line, on standard output. */
import {
  configureSync,
  getConsoleSink,
  getJsonLinesFormatter,
  getLogger,
  type Sink,
} from '@logtape/logtape'
import type { Log } from './services.ts'

const category = ['cardwire', 'ds']

const formatter = getJsonLinesFormatter({ message: 'template', properties: 'flatten' })

/** The console is where Workers and Deno take lines from; Node hands in a stream. */
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

/** Writes lines with `write`. */
export const lineSink =
  (write: (line: string) => void): Sink =>
  (record) =>
    write(formatter(record))
