/** The memory of the registry service under its own limits, while another account sends headers that never end. */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { type Account, createAccount } from '../../../../.ci/test-bed/accounts.ts'
import type { Program } from '../../../../.ci/test-bed/program.ts'
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
const attack = `
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

/** The most memory that the process has used, in bytes (proc_pid_status(5)). */
async function readPeakMemory(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  return Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1]) * 1024
}

test('of the registry stays within half of its limit, and others are answered', async () => {
  const program = join(mallory.home, 'attack.py')
  await writeFile(program, attack)
  const { uid, gid } = mallory
  const args = [program, String(machine.registryPort), descriptors]
  const child = spawn('python3', args, { uid, gid, stdio: ['pipe', 'pipe', 'inherit'] })
  onTestFinished(async () => {
    const ended = once(child, 'exit')
    child.kill()
    await ended
  })
  const [sent] = await once(child.stdout.setEncoding('utf8'), 'data')
  expect(sent).toMatch(/^sent \d+/)

  const page = { port: machine.registryPort, ca: machine.serviceCa }
  const requestPage = () =>
    requestAs(ada, page, '/device-key', { headers: ['origin: https://evil.example'] })
  await expect.poll(() => requestPage().status, { timeout: 20_000 }).toBe(403)
  expect(registry.isRunning()).toBe(true)
  expect(await readPeakMemory(registry.pid)).toBeLessThan(memoryLimit / 2)
  expect(registry.output()).toContain(`user=${uid}`)
}, 120_000)
