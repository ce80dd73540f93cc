/** A campaign against a server with a fault in it: that each is found, and shown with its request. */
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import {
  dsOperations,
  Problem,
  type ProblemName,
  problemBody,
  problemType,
} from '@cardwire/protocol'
import { createProblemResponse } from '@cardwire/protocol/hono'
import { afterEach, expect, test } from 'vitest'
import type { Invariant } from './check-answer.ts'
import { createDsSurface } from './ds-samples.ts'
import { planRequest } from './generate.ts'
import { runTarget } from './run-target.ts'
import type { Target } from './target.ts'

const servers: Server[] = []
afterEach(() => {
  for (const server of servers.splice(0)) server.close().closeAllConnections()
})

const createAnswer = (name: ProblemName, message: string) =>
  createProblemResponse(new Problem(name, message), crypto.randomUUID())

const audit = createDsSurface(dsOperations.filter(({ name }) => name === 'listAudit'))
const secret = 'a-secret-of-the-server'

/** A service that answers every request with this; undefined: never. */
async function startServer(createResponse: () => Response | undefined): Promise<Target> {
  const server = createServer(async (_, outgoing) => {
    const response = createResponse()
    if (!response) return
    outgoing.writeHead(response.status, Object.fromEntries(response.headers))
    outgoing.end(await response.text())
  })
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    name: 'ds-node',
    surface: audit,
    address: { port, host: 'localhost' },
    secrets: () => [secret],
    resolve: () => 'x',
    createHeaders: () => [['host', 'localhost']],
    observe: () => undefined,
    refresh: async () => undefined,
    readMemory: () => 1,
    isRunning: () => true,
    readKept: async () => ({}),
    runJourney: async () => undefined,
    stopAndCheck: async () => [],
    dispose: async () => undefined,
  }
}

const seed = 3

/** The number of the first request of this kind. */
function findNumber(kind: string): number {
  for (let number = 0; ; number += 1) {
    const planned = planRequest(audit, seed, number)
    if (planned.kind === kind && planned.method === 'GET') return number
  }
}

const success = () => Response.json({ success: true, data: {} })

test.each<readonly [string, string, () => Response | undefined, Invariant]>([
  ['answer of 500', 'valid', () => createAnswer('internal', 'It failed'), 'no-server-error'],
  ['answer that never comes', 'valid', () => undefined, 'answered-in-time'],
  ['error without a body', 'valid', () => new Response('', { status: 401 }), 'problem-body'],
  [
    'problem of 20,000 characters',
    'valid',
    () => {
      const problem = problemBody(new Problem('token-refused', 'No'), crypto.randomUUID())
      const body = { ...problem, detail: 'x'.repeat(20_000) }
      return Response.json(body, { status: 401, headers: { 'content-type': problemType } })
    },
    'problem-body',
  ],
  ['success for a wrong credential', 'wrong credential', success, 'guarded'],
  ['success that is not as the contract says', 'valid', success, 'as-documented'],
  [
    'problem of another operation',
    'valid',
    () => createAnswer('label-taken', 'No'),
    'as-documented',
  ],
  ['secret in a refusal', 'valid', () => createAnswer('token-refused', secret), 'nothing-leaks'],
  [
    'stack in a refusal',
    'valid',
    () => createAnswer('token-refused', 'no\n    at read (service.ts:7:1)'),
    'nothing-leaks',
  ],
  [
    'statement in a refusal',
    'valid',
    () => createAnswer('token-refused', 'Failed query: SELECT id FROM labels'),
    'nothing-leaks',
  ],
])('%s is found, and shown with its request', async (_, kind, createResponse, invariant) => {
  const lines: string[] = []
  const target = await startServer(createResponse)
  const number = findNumber(kind)
  const log = (line: string) => void lines.push(line)
  const options = { seed, from: number, requests: 1, log, wholeDeadlineMs: 500 }
  const { faultCounts } = await runTarget(target, options)
  expect(new Set([...faultCounts.keys()].map((what) => what.split(',')[0]))).toEqual(
    new Set([invariant]),
  )
  const text = lines.join('\n')
  expect(text).toContain(`again: requests --target ds-node --seed ${seed} --from ${number}`)
  expect(text).toContain("its bytes: { printf '%b' 'GET /v3/audit")
})
