/** The log: secrets planted in every way they could get in, looked for in the file. */
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { openLog } from './log.ts'

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

test('lines are JSON and say when, how bad and what', async () => {
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

test('lines of the terminal say that their time is UTC, and no day', () => {
  const said = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
  openLog(folder, 'api', { level: 'info', console: true }).info('listening', { port: 1 })
  const lines = said.mock.calls.map(([line]) => String(line))
  said.mockRestore()
  expect(lines).toEqual([
    expect.stringMatching(/^\d\d:\d\d:\d\d\.\d{3}Z {2}info {2}listening {2}port=1\n$/),
  ])
})

test('file rotates, and never more than five stay', async () => {
  const log = openLog(folder, 'api', { level: 'info', console: false })
  const padding = 'word '.repeat(40_000)
  for (let n = 0; n < 80; n += 1) log.info('line', { n, padding })
  const sizes = await Promise.all(
    ['api.log', 'api.log.1', 'api.log.4'].map(
      async (name) => (await stat(join(folder, name))).size,
    ),
  )
  for (const size of sizes) expect(size).toBeLessThanOrEqual(2.3 * 1024 * 1024)
  await expect(stat(join(folder, 'api.log.6'))).rejects.toThrow()
})

test('folder that cannot be made stops the log file, not the connector', async () => {
  await writeFile(join(folder, 'file'), '')
  const log = openLog(join(folder, 'file', 'logs'), 'api', { level: 'info', console: false })
  expect(() => log.info('still here')).not.toThrow()
})
