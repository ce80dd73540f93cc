/** The memory of the registry service under its own limits, while another account sends headers that never end, or many large bodies. */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { type Account, createAccount } from '../../../../test/bed/accounts.ts'
import type { Program } from '../../../../test/bed/program.ts'
import { proves } from '../../../../test/bed/proves.ts'
import { maxConnectionsPerAccount } from '../../../src/registry/service/limits.ts'
import { createSystemdUnit } from '../../../src/registry/service/systemd.ts'
import { createSharedMachine, type SharedMachine, startMs } from './machine.ts'
import { requestAs } from './program.ts'

const origin = 'https://shop.example'
const unit = createSystemdUnit('/usr/bin/cardwire', '/var/lib/cardwire')
const [, descriptors = ''] = /^LimitNOFILE=(\d+)$/m.exec(unit) ?? []
const [, memoryMax = ''] = /^MemoryMax=(\d+)G$/m.exec(unit) ?? []
const memoryLimit = Number(memoryMax) * 2 ** 30

let machine: SharedMachine
let registry: Program
let ada: Account
let mallory: Account

beforeAll(async () => {
  machine = await createSharedMachine(origin)
  registry = await machine.startService()
  ada = await createAccount(machine.folder)
  mallory = await createAccount(machine.folder)
  spawnSync('prlimit', ['--pid', String(registry.pid), `--nofile=${descriptors}`])
}, startMs)
afterAll(async () => {
  await machine?.close()
  await ada?.remove()
  await mallory?.remove()
}, startMs)

/** Sends headers of nearly 1 MiB over many connections, and writes a line when each has sent its own or was closed. */
const endlessHeaders = `
import socket, ssl, sys
port, count = int(sys.argv[1]), int(sys.argv[2])
context = ssl.create_default_context()
context.check_hostname = False
context.verify_mode = ssl.CERT_NONE
line = b'a: ' + b'x' * 8000 + b'\\r\\n'
kept = []
for number in range(count):
    try:
        raw = socket.create_connection(('127.0.0.1', port), 5)
        raw.settimeout(5)
        connection = context.wrap_socket(raw)
        connection.sendall(b'GET / HTTP/1.1\\r\\nHost: localhost\\r\\n' + line * 125)
        kept.append(connection)
    except OSError:
        pass
print(f'sent {len(kept)}', flush=True)
sys.stdin.read()
`

/** Validates consents in bodies of nearly 1 MiB over many connections at once, and writes a line when all were answered. */
const largeBodies = `
import json, socket, ssl, sys, uuid
from base64 import b64encode
port, count = int(sys.argv[1]), int(sys.argv[2])
context = ssl._create_unverified_context()
def connect():
    return context.wrap_socket(socket.create_connection(('127.0.0.1', port), 20))
def send(connection, path, body, *headers):
    lines = [f'POST {path} HTTP/1.1', 'Host: localhost', 'X-CSRF-Token: t1c-js', 'Content-Type: application/json',
        f'Content-Length: {len(body)}', *headers, '', '']
    connection.sendall('\\r\\n'.join(lines).encode() + body)
agent = str(uuid.uuid4())
registration = dict(protocol=1, agentId=agent, username='m', hostname='h', port=1234, pid=1, pageKey='k',
    allowlist=['https://shop.example'])
registering = connect()
send(registering, '/agent/register', json.dumps(registration).encode())
registering.recv(65536)
names = ['username', 'hostname', 'apiIp', 'apiPort', 'apiPid', 'sandboxIp', 'sandboxPort', 'sandboxPid',
    'apiLastUsed', 'clientLastUsed', 'validityInDays', 'connectionState']
def consent():
    named = dict(agentId=agent, consentId=str(uuid.uuid4()), **{name: '1' for name in names})
    return b64encode(json.dumps(dict(agent=named, signedHash='x' * 2000)).encode()).decode()
body = json.dumps(dict(consents=[consent() for each in range(32)] + ['y' * 4000] * 225)).encode()
connections = [connect() for number in range(count)]
for attempt in range(3):
    for connection in connections:
        send(connection, '/v3/validate', body, 'Origin: https://shop.example')
    statuses = {connection.recv(65536)[9:12].decode() for connection in connections}
print('answered with', *sorted(statuses), flush=True)
sys.stdin.read()
`

/** The most memory that the process has used, in bytes (proc_pid_status(5)). */
async function readPeakMemory(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  return Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1]) * 1024
}

const countDescriptors = async () => (await readdir(`/proc/${registry.pid}/fd`)).length

/** Runs the program as the other account; resolves with its first line of output. */
async function runAttack(text: string, connections: string): Promise<string> {
  const program = join(mallory.home, 'attack.py')
  await writeFile(program, text)
  const { uid, gid } = mallory
  const args = [program, String(machine.registryPort), connections]
  const child = spawn('python3', args, { uid, gid, stdio: ['pipe', 'pipe', 'inherit'] })
  onTestFinished(async () => {
    const ended = once(child, 'exit')
    child.kill()
    await ended
    // Until they are closed they count as this account's.
    await expect.poll(countDescriptors).toBeLessThan(100)
  })
  const [line] = await once(createInterface({ input: child.stdout }), 'line')
  return line
}

/** The request of a page in the browser of somebody else. */
async function expectAnswer(): Promise<void> {
  const page = { port: machine.registryPort, ca: machine.serviceCa }
  const requestPage = () =>
    requestAs(ada, page, '/device-key', { headers: ['origin: https://evil.example'] })
  await expect.poll(() => requestPage().status).toBe(403)
  expect(registry.isRunning()).toBe(true)
}

test('of the registry stays within two thirds of its limit, and others are answered', async () => {
  proves('connections-flood')
  expect(await runAttack(endlessHeaders, descriptors)).toMatch(/^sent \d+/)
  await expectAnswer()
  expect(await readPeakMemory(registry.pid)).toBeLessThan((memoryLimit * 2) / 3)
  await expect.poll(() => registry.output()).toContain(`user=${mallory.uid}`)
})

test('of the registry stays within two thirds of its limit while an account sends many large bodies at once', async () => {
  proves('bodies-flood')
  const connections = String(maxConnectionsPerAccount - 10)
  // Some are handled, the others are refused.
  expect(await runAttack(largeBodies, connections)).toBe('answered with 200 429')
  await expectAnswer()
  expect(await readPeakMemory(registry.pid)).toBeLessThan((memoryLimit * 2) / 3)
  expect(registry.output()).toContain('too many bodies at once')
})
