/** `npm run publish` where something else answers in place of the service: it ends with one line. */
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type RequestListener, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createEnvironment, runProgram } from '../../test/bed/program.ts'
import { proves } from '../../test/bed/proves.ts'
import { root, toolPath } from '../../test/bed/repository.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cardwire-publish-'))
  await writeFile(join(folder, 'cardwire_4.0.1_amd64.deb'), 'a deb')
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const publish = (url: string, ...args: readonly string[]) =>
  runProgram(
    [
      ...[toolPath('node'), join(root, 'connector/publish/main.ts')],
      ...['--ds', url, '--version', '4.0.1', '--folder', folder, ...args],
    ],
    { env: createEnvironment(folder), cwd: root, input: 'the password\n' },
  )

/** One answer for each path; the last one that is given answers what is not named. */
async function listen(answers: Answers) {
  const answer: RequestListener = (request, response) => {
    const { pathname } = new URL(request.url ?? '', 'http://here')
    const [, first, name = '', id] = pathname.split('/')
    const isList = request.method === 'GET' && name === 'versions' && id === undefined
    const answered = pathname.endsWith('/reach') ? 'reach' : isList ? 'list' : name
    const kind = first === 'auth' ? 'login' : answered
    const known: Answers = { list: none, reach, ...answers }
    const [status, body] = known[`${request.method} ${kind}`] ?? known[kind] ?? [404, '{}']
    request.resume()
    if (typeof body === 'function') body(response.writeHead(status))
    else response.writeHead(status).end(typeof body === 'string' ? body : JSON.stringify(body))
  }
  const server = createServer(answer).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    [Symbol.dispose]() {
      server.closeAllConnections()
      server.close()
    },
  }
}

type Answer = readonly [status: number, body: unknown]
type Answers = Readonly<Record<string, Answer>>

const login: Answer = [200, { access_token: 'a.token', expires_in: 300 }]
const stored: Answer = [200, { data: { sha256: 'ab' } }]
const version = { id: '4.0.1', recommended: false, mandatory: false, allowed: true, uris: [] }
const none: Answer = [200, { data: { items: [] } }]
const reach: Answer = [200, { data: { reach: 0, withoutAllowlist: 0 } }]
const registered: Answer = [200, { data: version }]
const endless = (response: ServerResponse) => {
  const send = () => {
    while (response.write('x'.repeat(65_536)));
    response.once('drain', send)
  }
  send()
}

const cases: readonly (readonly [string, Readonly<Record<string, Answer>>, RegExp])[] = [
  ['a page after the login', { login: [200, '<html>'] }, /sign in as "admin": the response is not/],
  [
    'a token of two lines',
    { login: [200, { access_token: 'secret\r\nx', expires_in: 300 }] },
    /sign in as "admin": the response is not/,
  ],
  ['an endless answer to the login', { login: [200, endless] }, /its response is longer/],
  ['no digest of a package', { login, installers: [200, { data: {} }] }, /the response is not/],
  [
    'a page to an upload',
    { login, 'PUT installers': [200, '<html>'] },
    /upload "cardwire_4\.0\.1_amd64\.deb": the response is not/,
  ],
  ['an endless answer to an upload', { login, 'PUT installers': [200, endless] }, /is longer/],
  [
    'a version without installers',
    { login, installers: stored, versions: [200, { data: { ...version, uris: undefined } }] },
    /look for version 4\.0\.1: the response is not/,
  ],
  [
    'nothing to a registration',
    { login, 'PUT installers': stored, list: none, reach, 'PUT versions': [200, 'null'] },
    /register version 4\.0\.1: the response is not/,
  ],
  [
    'a number of devices that is none',
    { login, 'PUT installers': stored, list: none, reach: [200, { data: { reach: 'all' } }] },
    /count the devices that version 4\.0\.1 affects: the response is not/,
  ],
  [
    'a list of versions that is none',
    { login, 'PUT installers': stored, list: [200, { data: { items: [{}] } }] },
    /list the versions: the response is not/,
  ],
  [
    'no number of allowlists',
    {
      ...{ login, 'PUT installers': stored, list: none, reach, 'PUT versions': registered },
      configurations: [200, '<html>'],
    },
    /look for the allowlist of 4\.0\.1: the response is not/,
  ],
  [
    'a refusal with commands for a terminal',
    { login: [400, { error_description: '\u001b[2J\u001b]0;title\u0007\nall is well' }] },
    /^Cannot sign in as "admin": \\u001b\[2J\\u001b\]0;title\\u0007\\u000aall is well$/,
  ],
  [
    'a refusal of a megabyte',
    { login, installers: [403, { description: 'x'.repeat(900_000) }] },
    /^Cannot look for "cardwire_4\.0\.1_amd64\.deb": x{1000}$/,
  ],
]

test.each(cases)('publish ends with one line for %s', async (_, answers, line) => {
  proves('publish-misled')
  using server = await listen(answers)
  const { status, err } = await publish(server.url)
  expect([status, err.split('\n')]).toEqual([1, [expect.stringMatching(line), '']])
  expect(err).not.toContain('secret')
})

test('publish shows commands for a terminal that a version carries', async () => {
  proves('publish-misled')
  const installationApiKey = 'key\u001b[2J'
  using server = await listen({
    login,
    'PUT installers': stored,
    list: none,
    reach,
    'PUT versions': [200, { data: { ...version, installationApiKey } }],
    configurations: [200, { data: { total: 0 } }],
  })
  const { status, out } = await publish(server.url)
  expect([status, out]).toEqual([0, expect.stringContaining('key\\u001b[2J\n')])
})

test('a file whose first line is no token is refused, and not shown', async () => {
  proves('publish-misled')
  const file = join(folder, 'token')
  await writeFile(file, 'a secret with spaces\n')
  const { status, err } = await publish('http://127.0.0.1:9', '--token-file', file)
  expect([status, err]).toEqual([
    1,
    `Cannot use "${file}": its first line is not an access token\n`,
  ])
})
