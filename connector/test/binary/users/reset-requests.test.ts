/** Requests of another account whose connections are reset before the registry handles them: nobody's, and never everybody's. */
import { spawnSync } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Account, createAccount } from '../../../../test/bed/accounts.ts'
import type { Program } from '../../../../test/bed/program.ts'
import { proves } from '../../../../test/bed/proves.ts'
import { createSharedMachine, type SharedMachine, startMs } from './machine.ts'
import { requestAs } from './program.ts'

const origin = 'https://evil.example'

let machine: SharedMachine
let registry: Program
let ada: Account
let mallory: Account

beforeAll(async () => {
  machine = await createSharedMachine('https://shop.example')
  registry = await machine.startService()
  ada = await createAccount(machine.folder)
  mallory = await createAccount(machine.folder)
}, startMs)
afterAll(async () => {
  await machine?.close()
  await ada?.remove()
  await mallory?.remove()
}, startMs)

/** Registers an agent over several connections at once, and resets all of them at once; again and again. */
const attack = `
import json, socket, ssl, struct, sys, time, uuid
port, origin = int(sys.argv[1]), sys.argv[2]
context = ssl._create_unverified_context()
def connect():
    raw = socket.create_connection(('127.0.0.1', port), 5)
    raw.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack('ii', 1, 0))
    return context.wrap_socket(raw)
for attempt in range(30):
    connections = [connect() for number in range(12)]
    time.sleep(0.02)
    for connection in connections:
        body = json.dumps(dict(protocol=1, agentId=str(uuid.uuid4()), username='x', hostname='h', port=1234,
            pid=1, pageKey='foreign key', allowlist=[origin])).encode()
        head = 'POST /agent/register HTTP/1.1\\r\\nHost: localhost\\r\\nX-CSRF-Token: t1c-js\\r\\nContent-Type: application/json'
        connection.sendall(f'{head}\\r\\nContent-Length: {len(body)}\\r\\n\\r\\n'.encode() + body)
    until = time.perf_counter() + attempt * 5e-6
    while time.perf_counter() < until:
        pass
    for connection in connections:
        connection.close()
`

test('of another account whose connections are reset open the registry to no page, and give it no key', async () => {
  proves('owner-look-up-race')
  const program = join(mallory.home, 'attack.py')
  await writeFile(program, attack)
  const { uid, gid } = mallory
  const attacked = spawnSync('python3', [program, String(machine.registryPort), origin], {
    ...{ uid, gid, encoding: 'utf8' },
  })
  expect(attacked.stderr).toBe('')
  const page = { port: machine.registryPort, ca: machine.serviceCa }
  const { status, json } = requestAs(ada, page, '/device-key', { headers: [`origin: ${origin}`] })
  expect([status, json.code]).toEqual([403, '104002'])
  expect(requestAs(ada, page, '/device-key').json.data).toBeNull()
  expect(registry.output()).not.toContain('user=undefined')
})
