/** Requests that no client of the contract makes: wrong HTTP, too much of it, and attempts to be taken for somebody else. */
import type { SeededRandom } from '../../bed/random.ts'
import type { HostilePlaces } from './hostile-places.ts'
import type { PlannedRequest } from './planned-request.ts'

type Hostile = Pick<PlannedRequest, 'method' | 'path'> & Partial<PlannedRequest>
type CreateHostile = (places: HostilePlaces, random: SeededRandom) => Hostile

const json = [['content-type', 'application/json']] as const
const mebibyte = 1024 * 1024

/** The request line, Host, what every client sends, more headers, and what follows; in latin1. */
const raw = (line: string, headers: readonly string[] = [], rest = '') =>
  `${line} HTTP/1.1\r\nHost: {{host}}\r\n{{headers}}${headers.map((one) => `${one}\r\n`).join('')}\r\n${rest}`

const rawRead =
  (create: (path: string, random: SeededRandom) => string): CreateHostile =>
  ({ read }, random) => ({ method: 'GET', path: read, raw: create(read, random) })

const rawWrite =
  (create: (line: string, random: SeededRandom) => string): CreateHostile =>
  ({ write: { method, path } }, random) => ({
    method,
    path,
    raw: create(`${method} ${path}`, random),
  })

const writeBody =
  (create: (random: SeededRandom) => Partial<PlannedRequest>): CreateHostile =>
  ({ write }, random) => ({ ...write, headers: json, credential: 'right', ...create(random) })

const pathOf =
  (create: (path: string, random: SeededRandom) => string): CreateHostile =>
  ({ files }, random) => ({ method: 'GET', path: create(random.pick(files), random) })

/** A request for somebody else's thing, hidden where a parser may find it. */
const hidden = 'DELETE /v3/labels/kept HTTP/1.1\r\nHost: {{host}}\r\n\r\n'

export const hostileKinds: Readonly<Record<string, CreateHostile>> = {
  'oversized body': writeBody((random) => ({
    body: `{"name":"${'x'.repeat(mebibyte + random.pick([0, 1, 70_000, 2 * mebibyte]))}"}`,
  })),
  'oversized body in chunks': writeBody(() => ({
    body: `{"name":"${'x'.repeat(mebibyte + 70_000)}"}`,
    frame: 'chunked',
  })),
  'oversized body of a stranger': writeBody(() => ({
    body: 'x'.repeat(2 * mebibyte),
    credential: 'missing',
  })),
  'body of just 1 MiB': writeBody(() => ({ body: `["${'x'.repeat(mebibyte - 4)}"]` })),
  'many small chunks': writeBody(() => ({ body: `[${'1,'.repeat(900)}1]`, frame: 'chunked' })),
  'oversized header': ({ read }, random) => ({
    method: 'GET',
    path: read,
    headers: [['x-large', 'x'.repeat(random.pick([9000, 17_000, 70_000, 200_000]))]],
  }),
  'many headers': ({ read }, random) => ({
    method: 'GET',
    path: read,
    headers: Array.from(
      { length: random.pick([101, 500, 2500]) },
      (_, n) => [`x-${n}`, 'x'] as const,
    ),
  }),
  'long path': pathOf((path, random) => `${path}/${'x'.repeat(random.pick([3000, 9000, 70_000]))}`),
  'long query': pathOf((path) => `${path}?${'a=1&'.repeat(4000)}`),
  'bad percent-encoding': pathOf(
    (path, random) =>
      `${path}/${random.pick(['%', '%2', '%zz', '%E0%A4%A', '%c0%af', '%ff%fe', '%u0041', '%ED%A0%80'])}`,
  ),
  'bad percent-encoding in the query': pathOf(
    (path, random) =>
      `${path}?${random.pick(['page=%', '%zz=1', 'name=%E0%A4%A', 'id=%ff', '%=%', '&&&=', '=x'])}`,
  ),
  'NUL in the path': pathOf((path) => `${path}/a%00b`),
  'NUL as it is': rawRead((path, random) =>
    random.pick([
      raw(`GET ${path}/a\u0000b`),
      raw(`GET ${path}`, ['x-nul: a\u0000b']),
      raw('G\u0000T /'),
    ]),
  ),
  'path traversal': pathOf(
    (path, random) =>
      `${path}/${random.pick(['..%2f..%2f..%2fetc%2fpasswd', '../../../../../etc/passwd', '..%5c..%5cwindows%5cwin.ini', '%2e%2e/%2e%2e/', '....//....//etc/passwd', '%252e%252e%252f', '/etc/passwd', '..;/', 'file:///etc/passwd'])}`,
  ),
  'header injection': pathOf(
    (path, random) =>
      `${path}${random.pick(['/', '?name=', '?id='])}a%0d%0aset-cookie:%20stolen=1%0d%0a%0d%0aHTTP/1.1%20200%20OK`,
  ),
  'header injection as it is': rawRead((path, random) =>
    raw(`GET ${path}`, [
      random.pick([
        'x-a: b\rx-c: d',
        'x-a: b\nset-cookie: c',
        'x-a: b\r\n\tfolded',
        'x-a : b',
        ': b',
        'x-\u00e9: b',
        'x a: b',
        'x-a',
      ]),
    ]),
  ),
  'invalid UTF-8 in the path': rawRead((path) => raw(`GET ${path}/\u00ff\u00fe\u00c0\u00af`)),
  'invalid UTF-8 in a header': rawRead((path) =>
    raw(`GET ${path}`, ['x-a: \u00ff\u00fe\u0080', 'user-agent: \u00c0']),
  ),
  'keys of the prototype in the query': pathOf(
    (path) => `${path}?__proto__[a]=1&constructor=1&__proto__=1&toString=1&page=1`,
  ),
  'huge numbers in the query': pathOf(
    (path, random) =>
      `${path}?${random.pick(['page', 'size', 'timeout', 'after', 'ttl'])}=${random.pick(['1e400', '9'.repeat(400), '-9223372036854775809', '0x7fffffff', 'Infinity', 'NaN'])}`,
  ),
  'SQL in the path': pathOf((path) => `${path}/'%20OR%20'1'='1';--`),
  pipelined: ({ read }) => ({ method: 'GET', path: read, credential: 'right', frame: 'pipelined' }),
  'pipelined behind what is refused': rawRead(
    (path) => raw(`GET ${path}`) + raw(`GET ${path}/%zz`) + hidden,
  ),
  'half-closed': ({ read }) => ({
    method: 'GET',
    path: read,
    credential: 'right',
    frame: 'half-closed',
  }),
  'Content-Length too short': rawWrite((line) =>
    raw(line, ['content-type: application/json', 'content-length: 2'], `{}${hidden}`),
  ),
  'Content-Length that is none': rawWrite((line, random) =>
    raw(
      line,
      [
        `content-length: ${random.pick(['-1', 'x', '+2', '0x2', '2,2', '1e1', '', ' ', '99999999999999999999999', '2.0'])}`,
      ],
      '{}',
    ),
  ),
  'two lengths': rawWrite((line) => raw(line, ['content-length: 2', 'content-length: 3'], '{}x')),
  'length and chunks': rawWrite((line) =>
    raw(line, ['content-length: 6', 'transfer-encoding: chunked'], `0\r\n\r\n${hidden}`),
  ),
  'transfer encoding that is unknown': rawWrite((line, random) =>
    raw(
      line,
      [
        `transfer-encoding: ${random.pick(['gzip', 'chunked, chunked', 'identity', 'xchunked', 'chunked;q=1', '\u000bchunked'])}`,
      ],
      `2\r\n{}\r\n0\r\n\r\n${hidden}`,
    ),
  ),
  'chunks that are wrong': rawWrite((line, random) =>
    raw(
      line,
      ['content-type: application/json', 'transfer-encoding: chunked'],
      random.pick([
        'zz\r\n{}\r\n0\r\n\r\n',
        '-2\r\n{}\r\n0\r\n\r\n',
        'fffffffffffffffff\r\n{}',
        '2\r\n{}xx0\r\n\r\n',
        '2;x=y\r\n{}\r\n0\r\nx-trailer: y\r\n\r\n',
        '2\n{}\n0\n\n',
        `2;${'x'.repeat(20_000)}\r\n{}\r\n0\r\n\r\n`,
      ]),
    ),
  ),
  'chunks without an end, cut off': writeBody(() => ({ body: '{"name":', frame: 'cut-off' })),
  'no Host': rawRead((path) => `GET ${path} HTTP/1.1\r\n\r\n`),
  'two Hosts': rawRead((path) => raw(`GET ${path}`, ['Host: evil.example'])),
  'odd Host': rawRead(
    (path, random) =>
      `GET ${path} HTTP/1.1\r\nHost: ${random.pick(['', ' ', '[', 'a b', 'x'.repeat(5000), '127.0.0.1:99999', '../', 'localhost@evil.example', '\u00ff', 'a,b', '%00'])}\r\n\r\n`,
  ),
  'odd method': rawRead((path, random) =>
    raw(
      `${random.pick(['get', 'G@T', 'TRACE', 'CONNECT', 'PRI', 'DEBUG', 'x'.repeat(5000), '\u00ff', 'M-SEARCH'])} ${path}`,
    ),
  ),
  'odd address': rawRead((_, random) =>
    raw(
      `GET ${random.pick(['*', 'http://evil.example/v3/labels', '//evil.example/v3', 'v3/labels', 'https://', '/?', '/#', '/\\..\\', 'http://[::1', 'javascript:alert(1)', '/v3//labels', '/V3/LABELS', '/v3/labels/'])}`,
    ),
  ),
  'odd version of HTTP': rawRead(
    (path, random) =>
      `GET ${path} ${random.pick(['HTTP/0.9', 'HTTP/1.0', 'HTTP/2.0', 'HTTP/9.9', 'HTTP/1.1.1', 'FTP/1.1', '', 'HTTP/1.1 x'])}\r\nHost: {{host}}\r\n\r\n`,
  ),
  'another protocol': rawRead((_, random) =>
    random.pick([
      'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
      '\u0016\u0003\u0001\u0002\u0000\u0001\u0000\u0001\u00fc\u0003\u0003',
      'EHLO evil.example\r\n\r\n',
      'SSH-2.0-x\r\n\r\n',
      '\r\n\r\n\r\n\r\n',
      '\u0000'.repeat(64),
      `${'A'.repeat(100_000)}\r\n\r\n`,
    ]),
  ),
  'upgrade to another protocol': rawRead((path, random) =>
    raw(`GET ${path}`, [
      random.pick([
        'Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==',
        'Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABk',
      ]),
    ]),
  ),
  'ranges without number': ({ files }, random) => ({
    method: 'GET',
    path: random.pick(files),
    headers: [['range', `bytes=${'0-0,'.repeat(400)}1-1`]],
  }),
  'bearer of odd form': ({ read }, random) => ({
    method: 'GET',
    path: read,
    credential: 'missing',
    headers: [
      [
        'authorization',
        random.pick([
          'Bearer',
          'Bearer  ',
          'bearer x y',
          'Basic YWRtaW46YWRtaW4=',
          `Bearer ${'a.'.repeat(4000)}`,
          'Bearer eyJhbGciOiJub25lIn0.e30.',
          'Bearer {}',
          'Bearer ..',
          'Negotiate x',
          `Bearer ${'x'.repeat(7000)}`,
        ]),
      ],
    ],
  }),
}

/** Those whose end never comes: the program gives up after some seconds, so there are few of them. */
export const waitingKinds: Readonly<Record<string, CreateHostile>> = {
  'header without an end': ({ read }) => ({
    method: 'GET',
    path: read,
    frame: 'unfinished-header',
  }),
  'body without an end': writeBody(() => ({ body: '{"name":"x"}', frame: 'unfinished-body' })),
  'chunks without an end': writeBody(() => ({ body: '{"name":"x"', frame: 'unfinished-chunks' })),
  'Content-Length too long': rawWrite((line) =>
    raw(line, ['content-type: application/json', 'content-length: 2000'], '{}'),
  ),
  'connection without a byte': ({ read }) => ({ method: 'GET', path: read, raw: '' }),
}
