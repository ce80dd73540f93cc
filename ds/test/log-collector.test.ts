/** The sample for rsyslog, run by a real rsyslogd: it parses every line of the service into the fields that the line has. */
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  type DistributionService,
  startDistributionService,
} from '../../test/bed/distribution-service.ts'
import { findFreePort } from '../../test/bed/free-port.ts'
import { type Program, startProgram } from '../../test/bed/program.ts'
import { proves } from '../../test/bed/proves.ts'
import { root } from '../../test/bed/repository.ts'
import { createVersion } from './harness/arrange.ts'
import { createDevice } from './harness/device.ts'

let service: DistributionService
let collector: Program
let folder: string
let port: number
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cardwire-collector-'))
  service = await startDistributionService(undefined, { DS_LOG_FORMAT: 'ecs', DS_LOG_AUDIT: 'on' })
  port = await findFreePort()
  const path = join(folder, 'rsyslog.conf')
  await writeFile(path, await createConfiguration())
  collector = startProgram(['rsyslogd', '-n', '-f', path, '-i', 'NONE'])
})
afterAll(async () => {
  await collector?.stopGroup()
  await service?.stop()
  await rm(folder, { recursive: true, force: true })
})

/** The sample with other folders, and an input in place of the journal. */
async function createConfiguration(): Promise<string> {
  const sample = await readFile(join(root, 'docs/rsyslog.conf'), 'utf8')
  expect(sample.match(/\/var\/log\/cardwire-ds\//g)).toHaveLength(2)
  return [
    `global(workDirectory="${folder}")`,
    'module(load="imptcp")',
    sample.replaceAll('/var/log/cardwire-ds/', `${folder}/`),
    `input(type="imptcp" address="127.0.0.1" port="${port}")`,
    `action(type="omfile" file="${folder}/rest.log")`,
    '',
  ].join('\n')
}

/** Sends lines as the journal passes them on (RFC 3164). */
async function send(lines: readonly string[]): Promise<void> {
  const open = async () => {
    const socket = connect(port, '127.0.0.1')
    await once(socket, 'connect')
    return socket
  }
  let socket: Awaited<ReturnType<typeof open>> | undefined
  await expect
    .poll(async () => {
      socket = await open().catch(() => undefined)
      return socket !== undefined
    })
    .toBe(true)
  const messages = lines.map((line) => `<30>Nov 29 16:00:00 node1 cardwire-ds[12]: ${line}\n`)
  socket?.end(messages.join(''))
}

const readFields = async (name: string): Promise<object[]> =>
  (await readFile(join(folder, name), 'utf8').catch(() => ''))
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line))

test('rsyslog with docs/rsyslog.conf gets the fields of each line, and puts the audit apart', async () => {
  proves('log-collector')
  const token = await service.login()
  const version = await createVersion(service, token)
  await (await createDevice(service, version)).sync()
  await service.request('DELETE', `/v3/versions/${version.id}?maxReach=1`, { token })
  await service.request('GET', '/v3/versions', { token: 'no token' })
  await expect.poll(() => service.output()).toMatch(/"url.path":"\/v3\/versions"/)
  const lines = service.output().split('\n').filter(Boolean)
  await send(lines)

  const expected = lines
    .filter((line) => line.startsWith('{'))
    .map((line) => ({ ...JSON.parse(line), 'host.name': 'node1' }))
  const isAudit = (line: { 'event.dataset': string }) => line['event.dataset'].endsWith('.audit')
  expect(expected.filter(isAudit).length).toBeGreaterThan(1)
  await expect.poll(() => readFields('audit.json')).toEqual(expected.filter(isAudit))
  await expect.poll(() => readFields('log.json')).toEqual(expected.filter((line) => !isAudit(line)))
  // The banner is no line of the log.
  expect(await readFile(join(folder, 'rest.log'), 'utf8')).toContain(service.url)
})
