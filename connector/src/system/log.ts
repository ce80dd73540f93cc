/** The log: one JSON object a line, in files that rotate, with secrets removed. */
import { chmodSync, lstatSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { toPrintableLine } from '@cardwire/protocol/printable'
import { getRotatingFileSink } from '@logtape/file'
import {
  configureSync,
  getConsoleSink,
  getJsonLinesFormatter,
  getLogger,
  getTextFormatter,
  type Sink,
  type TextFormatter,
} from '@logtape/logtape'
import { type RedactionPattern, redactByPattern } from '@logtape/redaction'
import { backgroundClock, type Clock } from './clock.ts'
import { createEventCounter } from './event-counter.ts'
import { describeError } from './file-error.ts'
import { auditedEvents, countedEvents, pageEvents } from './log-events.ts'
import { type OpenPath, requireOwnFolder, restrictFolder } from './restrict-folder.ts'

export interface Log {
  debug(event: string, fields?: Readonly<Record<string, unknown>>): void
  info(event: string, fields?: Readonly<Record<string, unknown>>): void
  warn(event: string, fields?: Readonly<Record<string, unknown>>): void
  error(event: string, fields?: Readonly<Record<string, unknown>>): void
}

/** Five files of 2 MB, some weeks of a quiet connector: the library counts those behind the one that is written. */
const rotation = { maxSize: 2 * 1024 * 1024, maxFiles: 4 }

// A name with a secret as its value, also in a JSON text within a JSON text. Every pattern takes time in proportion to the
// length of the text: none begins with a repetition, so that each run of characters is read from its beginning alone.
const secretName = String.raw`\b(?:pin|puk|password|passphrase|cookie|apikey|codeWord|authorization)(?:\\*")?\s*[:=]\s*`

// None of these is ever logged on purpose; the patterns are a second safeguard.
export const secretPatterns: readonly RedactionPattern[] = [
  { pattern: /(?<![\w-])[\w-]+(?:\.[\w-]*){2,}/g, replacement: redactToken },
  // Code words of legacy clients, with what follows them.
  { pattern: /:{0,2}t1c::[\w:]*/g, replacement: '[code word]' },
  { pattern: /\b(Bearer|Basic)\s+[^\s"'\\]+/gi, replacement: '$1 [token]' },
  // Keys and encrypted PINs: long runs of base64.
  { pattern: /[A-Za-z0-9+/_-]{120,}={0,2}/g, replacement: '[long value]' },
  // Up to the quotation mark that is escaped as often as the first one.
  {
    pattern: new RegExp(String.raw`(${secretName}(\\*)")(?:(?!(?<!\\)\2").)*`, 'gi'),
    replacement: '$1[secret]',
  },
  { pattern: /(\bcookie\s*[:=]\s*)[^"\\\r\n]+/gi, replacement: '$1[secret]' },
  {
    pattern: new RegExp(String.raw`(${secretName})(?!\\*")[^\s,;}"'\\]+`, 'gi'),
    replacement: '$1[secret]',
  },
]

/** Characters of a text in a line, and texts and values in one field: messages of other programs have any length. */
const maxTextLength = 8192
const maxFieldValues = 100

/** Cuts what is too long, before it is formatted and searched for secrets. */
function cutValue(
  value: unknown,
  left = { values: maxFieldValues, characters: maxTextLength },
): unknown {
  if (typeof value === 'string') {
    const text = value.slice(0, left.characters)
    left.characters -= text.length
    return text.length < value.length ? `${text}… (${value.length} characters)` : value
  }
  if (value instanceof Error) return cutValue(value.stack ?? value.message, left)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).slice(0, left.values)
  left.values -= entries.length
  const cut = entries.map(([name, each]) => [name.slice(0, 256), cutValue(each, left)] as const)
  return Array.isArray(value) ? cut.map(([, each]) => each) : Object.fromEntries(cut)
}

const cutFields = (fields: Readonly<Record<string, unknown>> = {}) =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, cutValue(value)]))

const cutEvent = (event: string) => String(cutValue(event))

/** Removes a token from parts with dots between: a JSON object in base64url, and two parts or more after it. */
function redactToken(text: string): string {
  const parts = text.split('.')
  const first = parts.findIndex((part) => part.includes('eyJ'))
  if (first < 0 || first > parts.length - 3) return text
  const before = parts[first]?.split('eyJ', 1) ?? []
  return [...parts.slice(0, first), `${before}[token]`].join('.')
}

/** Where consents and changes of trust are kept, of every role. */
export const auditFileName = 'audit.log'

/** Opens the log of a role (api, registry, sandbox). `console`: also for the user at the terminal, on standard error. */
export function openLog(
  folder: string,
  role: string,
  options: {
    readonly level: 'debug' | 'info' | 'warning' | 'error'
    readonly console: boolean
    readonly clock?: Clock
  },
): Log {
  const sinks: Record<string, Sink> = {}
  const formatter = toSafeFormatter(
    getJsonLinesFormatter({ message: 'template', properties: 'flatten' }),
  )
  let failure: string | undefined
  let wereOpen: readonly OpenPath[] = []
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    requireOwnFolder(folder)
    wereOpen = restrictFolder(folder)
    sinks['file'] = openFileSink(join(folder, `${role}.log`), formatter, (count) =>
      log.warn('log lines were lost', { count }),
    )
    sinks['audit'] = openAuditFile(join(folder, auditFileName), formatter, (count) =>
      log.warn('log lines were lost', { count, file: auditFileName }),
    )
  } catch (error) {
    // A full disk or a folder that cannot be written stops the log, not the connector.
    failure = describeError(error)
  }
  if (options.console || failure !== undefined) {
    sinks['console'] = createConsoleSink()
  }
  const { audit, ...ordinary } = sinks
  configureSync({
    reset: true,
    sinks,
    loggers: [
      { category: ['cardwire'], lowestLevel: options.level, sinks: Object.keys(ordinary) },
      { category: ['audit'], lowestLevel: 'info', sinks: audit ? ['audit'] : [] },
      { category: ['logtape', 'meta'], lowestLevel: 'warning', sinks: Object.keys(ordinary) },
    ],
  })
  const log = createEventLog(role, options.clock ?? backgroundClock)
  if (failure !== undefined) log.error('no log file', { folder, reason: failure })
  logOpenPaths(wereOpen, log)
  return log
}

/** Counts and cuts what is logged, and keeps what is audited. */
function createEventLog(role: string, clock: Clock): Log {
  const logger = getLogger(['cardwire', role])
  const auditLogger = getLogger(['audit', role])
  const counter = createEventCounter(clock, (event, fields) => logger.warn(event, { ...fields }))
  const write =
    (level: keyof Log): Log['info'] =>
    (event, fields = {}) => {
      const cause = findCause(event, fields)
      if (cause && !counter.count(event, cause)) return
      const [text, values] = [cutEvent(event), cutFields(fields)]
      logger[level](text, values)
      if (auditedEvents.has(event)) auditLogger.info(text, values)
    }
  return {
    debug: write('debug'),
    info: write('info'),
    warn: write('warn'),
    error: write('error'),
  }
}

/** Whose events of this kind are counted together; undefined: each has its line. */
function findCause(event: string, { user, origin }: Readonly<Record<string, unknown>>) {
  if (pageEvents.has(event)) return { ...(origin !== undefined && { origin }) }
  return countedEvents.has(event) ? { ...(user !== undefined && { user }) } : undefined
}

/** Lines for the user at the terminal, on standard error. */
function createConsoleSink(): Sink {
  const text = toSafeFormatter(
    getTextFormatter({
      timestamp: formatTimeOfDay,
      level: 'full',
      format: ({ timestamp, level, message, record }) =>
        [timestamp, level, message, ...Object.entries(record.properties).map(formatField)].join(
          '  ',
        ),
    }),
  )
  const writer: Pick<Console, 'log' | 'debug' | 'info' | 'warn' | 'error'> = {
    log: writeToStandardError,
    debug: writeToStandardError,
    info: writeToStandardError,
    warn: writeToStandardError,
    error: writeToStandardError,
  }
  return getConsoleSink({ formatter: text, console: writer as Console })
}

/**
 * One line without secrets and without characters that a terminal obeys: logs are read there too. Secrets first, because
 * an escape within one would end it. In JSON the escapes mean the same as the characters.
 */
function toSafeFormatter(format: TextFormatter): TextFormatter {
  const redact = redactByPattern(format, [...secretPatterns])
  return (record) => `${toPrintableLine(redact(record).replace(/\n$/, ''))}\n`
}

export function logOpenPaths(found: readonly OpenPath[], log: Pick<Log, 'warn' | 'error'>): void {
  for (const { path, before, reason } of found) {
    if (reason === undefined) log.warn('a path was open to others', { path, before })
    else log.error('a path is open to others', { path, before, reason })
  }
}

/**
 * A file that rotates. A disk that is full costs lines, never the process: the first one lost is reported on standard error,
 * their number as soon as lines can be written again. Throws when the file cannot be opened at first.
 */
function openFileSink(
  path: string,
  formatter: TextFormatter,
  reportLost: (count: number) => void,
): Sink {
  const open = () => {
    const opened = getRotatingFileSink(path, {
      ...rotation,
      formatter,
      // Each line is in the file before the program continues.
      bufferSize: 0,
    })
    keepPrivate(path)
    return opened
  }
  let current: ReturnType<typeof open> | undefined = open()
  let lost = 0
  return (record) => {
    try {
      current ??= open()
      current(record)
      keepPrivate(path)
    } catch (error) {
      if (lost === 0)
        writeToStandardError(`Cannot write the log "${path}": ${describeError(error)}`)
      lost += 1
      // Its descriptor may be closed: a rotation closes it first.
      closeSink(current)
      current = undefined
      return
    }
    if (lost === 0) return
    const count = lost
    lost = 0
    reportLost(count)
  }
}

function closeSink(sink: Disposable | undefined): void {
  try {
    sink?.[Symbol.dispose]()
  } catch {
    // It was closed already.
  }
}

/** A line may have begun a new file, which the library creates with the default mode; one more look beside its fsync. */
function keepPrivate(path: string): void {
  if (process.platform === 'win32') return
  const found = lstatSync(path)
  if (found.isFile() && (found.mode & 0o077) !== 0) chmodSync(path, 0o600)
}

/** Opened with the first line: most commands write none. */
function openAuditFile(
  path: string,
  formatter: TextFormatter,
  reportLost: (count: number) => void,
): Sink {
  let sink: Sink | undefined
  return (record) => {
    sink ??= openFileSink(path, formatter, reportLost)
    sink(record)
  }
}

/** As `15:37:53.939Z`: UTC, as in the files, where the day stands too. */
const formatTimeOfDay = (at: number) => new Date(at).toISOString().slice('2026-11-21T'.length)

const writeToStandardError = (line: unknown) =>
  void process.stderr.write(`${String(line).trimEnd()}\n`)

const formatField = ([name, value]: [string, unknown]) =>
  `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`
