/** What programs may answer beside a problem of the contract, how long they may take, and what no answer has in it: as tables. */
import { problems } from '@cardwire/protocol'
import type { PlannedRequest } from './planned-request.ts'

export type TargetName = 'ds-node' | 'ds-workerd' | 'api' | 'registry'
export const targetNames: readonly TargetName[] = ['ds-node', 'ds-workerd', 'api', 'registry']

interface ServerError {
  readonly status: number
  readonly code: string
  /** Whether it says when to try again. */
  readonly hasRetryAfter: boolean
  readonly reason: string
}

/** Every answer of 500 or more that is no fault of the program. */
export const documentedServerErrors: Readonly<Record<TargetName, readonly ServerError[]>> = {
  'ds-node': [
    {
      status: problems['service-busy'].status,
      code: 'service-busy',
      hasRetryAfter: true,
      reason: 'more devices sync at the same time than the service serves (load-shedding.ts)',
    },
  ],
  'ds-workerd': [
    {
      status: problems['service-busy'].status,
      code: 'service-busy',
      hasRetryAfter: true,
      reason: 'more devices sync at the same time than the service serves (load-shedding.ts)',
    },
  ],
  api: [],
  registry: [],
}

export interface ForeignAnswer {
  readonly statuses: readonly number[]
  /** The whole body. */
  readonly body: RegExp
  /** The kinds of requests that it answers so, where others must not be answered so. */
  readonly kinds?: readonly string[]
  readonly reason: string
}

const bun: readonly ForeignAnswer[] = [
  {
    statuses: [400, 413, 431, 505],
    body: /^$/,
    reason:
      'Bun cannot parse the request line, the header or a chunk, and answers without body and header',
  },
]

/** Answers of the HTTP server below the program, which it gives before any code of ours runs. */
export const answersBelowUs: Readonly<Record<TargetName, readonly ForeignAnswer[]>> = {
  // Node has none: node-server.ts writes a problem for what Node cannot parse.
  'ds-node': [],
  'ds-workerd': [
    {
      statuses: [400, 414, 431],
      body: /^(invalid [\w -]+ parsed|invalid URI|URI too long|message head is too large|Bad Request)$/,
      reason: 'the proxy of wrangler dev cannot parse the header',
    },
    {
      statuses: [501],
      body: /^ERROR: Unrecognized request method\.$/,
      reason: 'workerd knows the methods that are registered, and no other',
    },
    {
      statuses: [500],
      body: /^(Internal Server Error$|\w*Error: [^\n]*\n +at .*Object\.fetch \(file:\S+miniflare)/,
      kinds: ['odd Host', 'two Hosts', 'odd address', 'odd method', 'chunks that are wrong'],
      reason:
        'the proxy of wrangler dev makes no request of this Host, address or method, or cannot read the chunks',
    },
  ],
  api: bun,
  registry: bun,
}

interface Closing {
  readonly targets: readonly TargetName[]
  readonly applies: (request: PlannedRequest) => boolean
  readonly reason: string
}

/** Connections that are closed without an answer, and may be. */
export const closings: readonly Closing[] = [
  {
    targets: targetNames,
    applies: ({ raw }) => raw !== undefined,
    reason: 'bytes that are not HTTP, or contain more than one request',
  },
  {
    targets: targetNames,
    applies: ({ frame }) => frame.startsWith('unfinished'),
    reason: 'a request that is not complete',
  },
  {
    targets: targetNames,
    applies: ({ frame }) => frame === 'half-closed',
    reason:
      'Node, Bun and the proxy of wrangler dev take a client that closed its half for one that is gone',
  },
  {
    targets: ['api', 'registry'],
    applies: ({ frame }) => frame === 'pipelined',
    reason:
      'Bun closes a connection whose next request comes before the answer to the one before; no browser does that',
  },
]

/** Requests that are neither answered nor closed before the client goes, and may be. */
export const heldBack: readonly Closing[] = [
  {
    targets: ['ds-workerd'],
    applies: ({ kind }) => kind === 'Content-Length too long',
    reason:
      'the proxy of wrangler dev keeps the refusal of a stranger back until the whole request has come',
  },
]

/** The proxy of wrangler dev makes a GET of every request to upgrade: it is another operation then. */
export const isMadeGet = (target: TargetName, { headers }: Pick<PlannedRequest, 'headers'>) =>
  target === 'ds-workerd' && headers.some(([name]) => name === 'upgrade')

/** Milliseconds until a request is answered or its connection closed, whatever it is; on a machine that has more to do. */
export const deadlinesMs = {
  /** The whole request has come. */
  whole: 30_000,
  /** A header that does not end: 10 s, looked for every 5 s, on Node; about 10 s on Bun. */
  header: 25_000,
  /** A body that does not end: 5 s without 16 KiB (receive-body.ts). */
  body: 25_000,
} as const

/** What tells a stranger how the program is made: frames of a stack, SQL, and files of the program. */
export const forbiddenTexts: readonly RegExp[] = [
  /(\n|\\n)\s+at .+[:(]\d+/,
  /\b(SELECT|INSERT INTO|DELETE FROM|UPDATE) .{0,80}\b(FROM|VALUES|WHERE|SET)\b/,
  /SQLITE_[A-Z]+|D1_ERROR|UNIQUE constraint|FOREIGN KEY constraint|Failed query/,
  /node_modules|\/dist\/|\$bunfs|DrizzleQueryError|SqliteError|ZodError/,
  /(TypeError|RangeError|ReferenceError|SyntaxError): /,
  /-----BEGIN [A-Z ]*PRIVATE KEY/,
]

/** MiB that the processes of a program may have at most in memory. */
export const memoryBoundsMiB: Readonly<Record<TargetName, number>> = {
  'ds-node': 500,
  // Two processes, that of the service and that of the proxy; locally workerd does not limit what an isolate holds.
  'ds-workerd': 2000,
  api: 500,
  registry: 300,
}
