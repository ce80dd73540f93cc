/** The log: secrets planted in every way they could get in, looked for in the file. */
import {
  appendFile,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { measureProcessorMs } from '../../../test/bed/processor-time.ts'
import { proves } from '../../../test/bed/proves.ts'
import { createManualClock } from '../../test/registry/manual-clock.ts'
import { openLog, secretPatterns } from './log.ts'
import { auditedEvents, countedEvents, pageEvents } from './log-events.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cardwire-log-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const jwt = 'eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiJzaG9wIn0.c2lnbmF0dXJlLW9mLXRoZS10b2tlbg'
const codeWord = '::t1c::miksa::Ab3dEf6hIj9kLm2nOp5qRs8tUv1wXy4z'

test.each([
  ['a token', jwt],
  ['a bearer header', 'Bearer 8f7d6c5b4a39281706f5e4d3c2b1a09f'],
  ['a code word', codeWord],
  ['a code word of older clients', codeWord.replace('::t1c::miksa', 't1c')],
  ['a PIN', 'pin: 123456'],
  ['a password', 'password=hunter22'],
  ['a cookie', 'cookie: session=abcdef0123456789'],
  ['a cookie behind another', 'cookie: language=nl; session=abcdef0123456789'],
  ['a header in a JSON text', '{"authorization":"Bearer 8f7d6c5b4a39281706f5e4d3c2b1a09f"}'],
  ['a password in a JSON text', '{"user":"jan","password":"hunter22"}'],
  ['a password with a quotation mark in it', '{"password":"hun\\"ter22"}'],
  ['a cookie in a JSON text', '{"cookie":"session=abcdef0123456789"}'],
  ['an encrypted PIN', 'A'.repeat(344)],
])('%s is struck out, wherever it stands', async (_, secret) => {
  proves('uploaded-logs-clean', 'connector-log-secrets')
  const log = openLog(folder, 'api', { level: 'debug', console: false })
  log.info('received', { header: secret, nested: { deep: [secret] } })
  log.error(`failed with ${secret}`, {})
  const text = await readFile(join(folder, 'api.log'), 'utf8')
  const value = secret.split(/[\s:="{}\\]+/).findLast(Boolean) ?? secret
  expect(text).not.toContain(value)
  const lines = text.trim().split('\n')
  expect(lines).toHaveLength(2)
  for (const line of lines) expect(JSON.parse(line)).toHaveProperty('level')
})

test('lines are JSON with time, level and event', async () => {
  openLog(folder, 'api', { level: 'info', console: false }).warn('origin refused', {
    origin: 'https://evil.example',
  })
  const line = JSON.parse(await readFile(join(folder, 'api.log'), 'utf8'))
  expect(line).toMatchObject({
    level: 'WARN',
    message: 'origin refused',
    origin: 'https://evil.example',
  })
  expect(Date.parse(line['@timestamp'])).not.toBeNaN()
})

test('lines of the terminal show the time as UTC, without a day', () => {
  const write = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
  openLog(folder, 'api', { level: 'info', console: true }).info('listening', { port: 1 })
  const lines = write.mock.calls.map(([line]) => String(line))
  write.mockRestore()
  expect(lines).toEqual([
    expect.stringMatching(/^\d\d:\d\d:\d\d\.\d{3}Z {2}info {2}listening {2}port=1\n$/),
  ])
})

test('lines of the terminal have no control character of a text that came from elsewhere', () => {
  proves('service-controls-terminal')
  const write = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
  openLog(folder, 'api', { level: 'info', console: true }).warn('refused', {
    reason: '\u001b[2J\n00:00:00.000Z  info  listening',
  })
  const [line = ''] = write.mock.calls.map(([text]) => String(text))
  write.mockRestore()
  expect(line).toContain('reason=\\u001b[2J\\u000a00:00')
  expect(line.trimEnd()).not.toMatch(/\p{Cc}/u)
})

test('lines of the file have no control character of a text that came from elsewhere, and keep its meaning', async () => {
  proves('service-controls-terminal')
  const reason = 'a\u009b2J\u202e\u200b\ud800\u{e0041} é'
  openLog(folder, 'api', { level: 'info', console: false }).warn('refused', { reason })
  const line = await readFile(join(folder, 'api.log'), 'utf8')
  expect(line.trimEnd()).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}]/u)
  expect(JSON.parse(line)).toMatchObject({ reason })
})

test('a secret with a control character in it is struck out to its end', () => {
  proves('connector-log-secrets')
  const write = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
  openLog(folder, 'api', { level: 'info', console: true }).warn('refused', {
    reason: 'password=abc\u009bdef',
  })
  const [line = ''] = write.mock.calls.map(([text]) => String(text))
  write.mockRestore()
  expect(line).toContain('password=[secret]')
  expect(line).not.toContain('def')
})

test('file rotates, and never more than five stay', async () => {
  proves('file-logging-default')
  const padding = 'word '.repeat(1600)
  for (let round = 0; round < 6; round += 1) {
    // As long as a file gets, without the fsync of each line.
    await appendFile(join(folder, 'api.log'), `${'x'.repeat(2 * 1024 * 1024 - 4000)}\n`)
    openLog(folder, 'api', { level: 'info', console: false }).info('line', { round, padding })
  }
  const sizes = await Promise.all(
    ['api.log', 'api.log.1', 'api.log.4'].map(
      async (name) => (await stat(join(folder, name))).size,
    ),
  )
  for (const size of sizes) expect(size).toBeLessThanOrEqual(2.3 * 1024 * 1024)
  await expect(stat(join(folder, 'api.log.5'))).rejects.toThrow()
})

test('files are for their owner alone, the first one, those that rotate, and those that were there', async () => {
  proves('private-files-read')
  await writeFile(join(folder, 'doctor.log'), '', { mode: 0o644 })
  await writeFile(join(folder, 'api.log'), '', { mode: 0o644 })
  const log = openLog(folder, 'api', { level: 'info', console: false })
  const padding = 'word '.repeat(1600)
  for (let n = 0; n < 300; n += 1) log.info('line', { n, padding })
  const names = ['api.log', 'api.log.1', 'doctor.log']
  const modes = await Promise.all(names.map(async (name) => (await stat(join(folder, name))).mode))
  expect(modes.map((mode) => mode & 0o777)).toEqual([0o600, 0o600, 0o600])
  const lines = await readFile(join(folder, 'api.log.1'), 'utf8')
  expect(JSON.parse(lines.split('\n')[0] ?? '')).toMatchObject({ before: '0644' })
})

test('file that cannot be written is reported once, and the number of lost lines when it can be again', async () => {
  proves('connector-disk-full')
  const path = join(folder, 'api.log')
  await symlink('/dev/full', path)
  const log = openLog(folder, 'api', { level: 'info', console: false })
  const report = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
  for (let n = 0; n < 3; n += 1) log.info('lost', { n })
  const reported = report.mock.calls.map(([line]) => String(line))
  report.mockRestore()
  await rm(path)
  log.info('kept')
  expect(reported).toEqual([
    `Cannot write the log "${path}": Cannot write a file: the disk is full (ENOSPC)\n`,
  ])
  const lines = (await readFile(path, 'utf8')).trim().split('\n')
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { message: 'kept' },
    { message: 'log lines were lost', count: 3 },
  ])
})

test.each([
  ['backslashes', '\\'.repeat(60_000)],
  ['the beginnings of tokens', 'eyJ-'.repeat(15_000)],
  ['parts of tokens', 'eyJ.'.repeat(15_000)],
  ['names of secrets', 'password":\\'.repeat(6000)],
  ['a name of a secret and backslashes', `password:${'\\'.repeat(60_000)}"`],
  ['spaces after a name', `cookie${' '.repeat(60_000)}`],
])('an error of 60,000 characters, %s, is logged at once and cut', async (_, text) => {
  proves('reply-large')
  const log = openLog(folder, 'api', { level: 'info', console: false })
  const ms = await measureProcessorMs(() => {
    log.error('failed', { reason: text, nested: { deep: [text, text] } })
    log.error(text)
  })
  expect(ms).toBeLessThan(3000)
  expect((await stat(join(folder, 'api.log'))).size).toBeLessThan(100_000)
})

test.each([
  ['backslashes', (n: number) => '\\'.repeat(n)],
  ['the beginnings of tokens', (n: number) => 'eyJ-'.repeat(n / 4)],
  ['names of secrets', (n: number) => 'password":\\'.repeat(n / 11)],
  ['quoted backslashes', (n: number) => `password:${'\\'.repeat(n / 2)}"${'\\"'.repeat(n / 4)}`],
])(
  'a million characters of %s are searched for secrets in proportion to their length',
  async (_, create) => {
    proves('reply-large')
    const text = create(1_000_000)
    const ms = await measureProcessorMs(() => {
      for (const { pattern, replacement } of secretPatterns) {
        // The two forms of replaceAll.
        if (typeof replacement === 'string') text.replaceAll(pattern, replacement)
        else text.replaceAll(pattern, replacement)
      }
    })
    expect(ms).toBeLessThan(10_000)
  },
)

test('consents are kept in a file of their own, whatever else happens 43,000 times', async () => {
  proves('log-rotated-away')
  const log = openLog(folder, 'api', { level: 'error', console: false, clock: createManualClock() })
  log.info('consent granted', { origin: 'https://shop.example' })
  for (let n = 0; n < 43_000; n += 1)
    log.error('origin refused', { origin: `https://${n}.example` })
  openLog(folder, 'consents', { level: 'info', console: false }).info('consents revoked', {
    origin: 'https://shop.example',
    token: jwt,
  })
  const lines = (await readFile(join(folder, 'audit.log'), 'utf8')).trim().split('\n')
  expect(lines.map((line) => JSON.parse(line).message)).toEqual([
    'consent granted',
    'consents revoked',
  ])
  expect(lines.join()).not.toContain(jwt)
  expect((await readFile(join(folder, 'api.log'), 'utf8')).trim().split('\n')).toHaveLength(20)
})

test('a page that is refused 1,000 times keeps no line of another page or of other events out of the log', async () => {
  proves('log-rotated-away')
  const log = openLog(folder, 'api', { level: 'info', console: false, clock: createManualClock() })
  log.info('printed', { origin: 'https://shop.example', printer: 'labels' })
  for (let n = 0; n < 1000; n += 1)
    log.info('folder asked for', { origin: 'https://mean.example', entity: '\u2062'.repeat(100) })
  log.info('folder asked for', { origin: 'https://shop.example', entity: 'invoices' })
  expect(await readdir(folder)).toEqual(['api.log'])
  const lines = (await readFile(join(folder, 'api.log'), 'utf8')).trim().split('\n')
  expect(lines).toHaveLength(1 + 20 + 1)
  expect([lines[0], lines.at(-1)].map((line) => JSON.parse(line ?? '').origin)).toEqual([
    'https://shop.example',
    'https://shop.example',
  ])
})

/** The names and texts of the sources, in these folders or all. */
async function readSources(folders = ['.']): Promise<readonly string[]> {
  const sources = join(import.meta.dirname, '..')
  const names = await Promise.all(
    folders.map(async (name) =>
      (await readdir(join(sources, name), { recursive: true })).map((file) => join(name, file)),
    ),
  )
  const files = names
    .flat()
    .filter((name) => /(?<!\.test)\.ts$/.test(name) && !name.endsWith('log-events.ts'))
  return Promise.all(files.map((name) => readFile(join(sources, name), 'utf8')))
}

test('events that are kept or counted exist: each has a line in the sources', async () => {
  proves('log-rotated-away')
  const texts = await readSources()
  for (const event of [...auditedEvents, ...countedEvents, ...pageEvents]) {
    expect(texts.some((text) => new RegExp(`log\\s*\\.\\w+\\(\\s*'${event}'`).test(text))).toBe(
      true,
    )
  }
})

/** Events that pages and other accounts cannot repeat at will. */
const rareEvents: ReadonlySet<string> = new Set([
  // Of a start, a change of files or settings, or the end of a process, after which the next one waits.
  'CARDWIRE_CARDS is not read: the distribution service says what pages may do',
  'settings for cards',
  'page-key.pem is gone: responses are signed with a new key',
  'every port of the range is taken, another one is used',
  'made the keys of the virtual card',
  'virtual card without keys',
  'certificates replaced',
  'certificate not renewed',
  'certificate not published',
  'changes of the certificates are not seen',
  'allowlist too long for the registry',
  'cannot listen',
  'cannot start',
  'no service manages this registry',
  'state not published',
  'sandbox ended',
  'sandbox not spawned',
  'rest of a download removed',
  'rest of a download not removed',
  // Of a registry or a card service that comes or goes.
  'registry found',
  'no registry',
  'registry started',
  'registry not started',
  'registry connection failed',
  'registration not updated',
  'responses not delivered',
  'the smart card service is responding',
  'no card service',
  'listener failed',
  // Once a second at most.
  'end of consents not recorded',
  // Each folder once.
  'files of pages written without a mark: the disk keeps none',
  'folder not used: no page may have it',
  // With a grant of the administrator, and each takes a process and a printer or card.
  'printed',
  'session with a card opened',
  'session with a card ended',
])

test('what serves requests logs no event that is neither kept, nor counted, nor rare', async () => {
  proves('log-rotated-away')
  const texts = await readSources(['api', 'files', 'http', 'registry', 'sandbox', 'user'])
  const events = texts.flatMap((text) =>
    [...text.matchAll(/\blog\s*\.(?:info|warn|error)\(\s*'([^']+)'/g)].map(
      ([, event = '']) => event,
    ),
  )
  const known = [auditedEvents, countedEvents, pageEvents, rareEvents]
  expect(events.length).toBeGreaterThan(50)
  expect(events.filter((event) => !known.some((each) => each.has(event)))).toEqual([])
  expect([...rareEvents].filter((event) => !events.includes(event))).toEqual([])
})

test('folder that cannot be made stops the log file, not the connector', async () => {
  await writeFile(join(folder, 'file'), '')
  const log = openLog(join(folder, 'file', 'logs'), 'api', { level: 'info', console: false })
  expect(() => log.info('still here')).not.toThrow()
})
