/** The log: one JSON object a line, in files that rotate, with what must not be read struck out. */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { getRotatingFileSink } from '@logtape/file'
import {
  configureSync,
  getConsoleSink,
  getJsonLinesFormatter,
  getLogger,
  getTextFormatter,
  type Sink,
} from '@logtape/logtape'
import { JWT_PATTERN, type RedactionPattern, redactByPattern } from '@logtape/redaction'

export interface Log {
  debug(event: string, fields?: Readonly<Record<string, unknown>>): void
  info(event: string, fields?: Readonly<Record<string, unknown>>): void
  warn(event: string, fields?: Readonly<Record<string, unknown>>): void
  error(event: string, fields?: Readonly<Record<string, unknown>>): void
}

/** Five files of 2 MB: some weeks of a quiet connector. */
const rotation = { maxSize: 2 * 1024 * 1024, maxFiles: 5 }

// A name that tells what stands behind it, also in a JSON text within a JSON text.
const named = String.raw`(?:\\*")?\b(?:pin|puk|password|passphrase|cookie|apikey|codeWord|authorization)(?:\\*")?\s*[:=]\s*`

// Nothing below is ever logged on purpose; this is the second lock on the door.
const secrets: readonly RedactionPattern[] = [
  JWT_PATTERN,
  // Code words of deployed clients, with what stands behind them.
  { pattern: /:{0,2}t1c::[\w:]*/g, replacement: '[code word]' },
  { pattern: /\b(Bearer|Basic)\s+[^\s"'\\]+/gi, replacement: '$1 [token]' },
  // Keys and encrypted PINs: long runs of base64.
  { pattern: /[A-Za-z0-9+/_-]{120,}={0,2}/g, replacement: '[long value]' },
  // To the quotation mark that is as deep as the first one.
  {
    pattern: new RegExp(String.raw`(${named}(\\*)")(?:(?!(?<!\\)\2").)*`, 'gi'),
    replacement: '$1[secret]',
  },
  { pattern: /(\bcookie\s*[:=]\s*)[^"\\\r\n]+/gi, replacement: '$1[secret]' },
  {
    pattern: new RegExp(String.raw`(${named})(?!\\*")[^\s,;}"'\\]+`, 'gi'),
    replacement: '$1[secret]',
  },
]

/** Opens the log of a role (api, registry, sandbox). `console`: also for the person at the terminal, on standard error. */
export function openLog(
  folder: string,
  role: string,
  options: { readonly level: 'debug' | 'info' | 'warning' | 'error'; readonly console: boolean },
): Log {
  const sinks: Record<string, Sink> = {}
  const formatter = redactByPattern(
    getJsonLinesFormatter({ message: 'template', properties: 'flatten' }),
    [...secrets],
  )
  let failure: string | undefined
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    sinks['file'] = getRotatingFileSink(join(folder, `${role}.log`), {
      ...rotation,
      formatter,
      // A line is in the file before what it tells of goes on.
      bufferSize: 0,
    })
  } catch (error) {
    // A full disk or a folder that cannot be written stops the log, not the connector.
    failure = error instanceof Error ? error.message : String(error)
  }
  if (options.console || failure !== undefined) {
    const text = redactByPattern(
      getTextFormatter({
        timestamp: timeOfDay,
        level: 'full',
        format: ({ timestamp, level, message, record }) =>
          [timestamp, level, message, ...Object.entries(record.properties).map(field)].join('  '),
      }),
      [...secrets],
    )
    const writer: Pick<Console, 'log' | 'debug' | 'info' | 'warn' | 'error'> = {
      log: standardError,
      debug: standardError,
      info: standardError,
      warn: standardError,
      error: standardError,
    }
    sinks['console'] = getConsoleSink({ formatter: text, console: writer as Console })
  }
  configureSync({
    reset: true,
    sinks,
    loggers: [
      { category: ['cardwire'], lowestLevel: options.level, sinks: Object.keys(sinks) },
      { category: ['logtape', 'meta'], lowestLevel: 'warning', sinks: Object.keys(sinks) },
    ],
  })
  const logger = getLogger(['cardwire', role])
  const log: Log = {
    debug: (event, fields) => logger.debug(event, { ...fields }),
    info: (event, fields) => logger.info(event, { ...fields }),
    warn: (event, fields) => logger.warn(event, { ...fields }),
    error: (event, fields) => logger.error(event, { ...fields }),
  }
  if (failure !== undefined) log.error('no log file', { folder, reason: failure })
  return log
}

/** As `15:37:53.939Z`: UTC, as in the files, where the day stands too. */
const timeOfDay = (at: number) => new Date(at).toISOString().slice('2026-11-21T'.length)

const standardError = (line: unknown) => void process.stderr.write(`${String(line).trimEnd()}\n`)

const field = ([name, value]: [string, unknown]) =>
  `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`
