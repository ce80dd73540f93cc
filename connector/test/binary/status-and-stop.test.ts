/** `cardwire status` and `cardwire stop`: the connector of this user while it runs, hangs, starts and is gone. */
import { chmod, copyFile, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { createAccount } from '../../../test/bed/accounts.ts'
import {
  type Connector,
  createHome,
  runCommand,
  startConnector,
} from '../../../test/bed/connector.ts'
import { createEnvironment, runProgram, startProgram } from '../../../test/bed/program.ts'
import { proves } from '../../../test/bed/proves.ts'
import { connectorProgram } from '../../../test/bed/repository.ts'
import { waitFor } from '../../../test/bed/wait-for.ts'
import { runForDocument } from './command-document.ts'
import { version } from './managed.ts'

let home: string
beforeEach(async (context) => {
  home = await createHome()
  context.onTestFinished(() => rm(home, { recursive: true, force: true }))
})

async function start(): Promise<Connector> {
  const settings = { CARDWIRE_VIRTUAL_READER: join(home, 'card') }
  const connector = await startConnector(settings, home)
  onTestFinished(() => connector.stop())
  return connector
}

test('status without a connector ends with 3 and says what to do', () => {
  expect(runForDocument(home, ['status'])).toEqual({
    status: 3,
    document: {
      state: 'stopped',
      reason: 'The connector is not running',
      remedy: 'start it: cardwire run',
      consents: 0,
      sync: { standing: 'unmanaged' },
    },
  })
  const { status, out } = runCommand(home, ['status'])
  expect([status, out]).toEqual([3, expect.stringContaining('✗ The connector is not running\n')])
})

test('status of a running connector names address, version, readers, registry and consents', async () => {
  proves('command-line-status-stop')
  const connector = await start()
  await expect
    .poll(() => runForDocument(home, ['status']))
    .toEqual({
      status: 0,
      document: {
        state: 'running',
        address: `https://localhost:${connector.port}`,
        version,
        cardService: { state: 'up' },
        readers: 1,
        registry: { state: 'linked' },
        consents: 0,
        sync: { standing: 'unmanaged' },
      },
    })
  const { out } = runCommand(home, ['status'])
  expect(out).toContain(`✓ running, version ${version}, https://localhost:${connector.port}\n`)
  expect(out).toMatch(/^ {2}readers {7}1$/m)
})

test('status of a connector that does not answer ends with 4', async () => {
  proves('command-line-status-stop')
  const connector = await start()
  connector.child.kill('SIGSTOP')
  onTestFinished(() => void connector.child.kill('SIGCONT'))
  const { status, document } = runForDocument(home, ['status'])
  expect([status, document['state']]).toEqual([4, 'unresponsive'])
})

test('stop ends the connector, and returns when it has ended', async () => {
  proves('command-line-status-stop')
  const connector = await start()
  expect(runForDocument(home, ['stop'])).toEqual({ status: 0, document: { stopped: true } })
  // The event of its end may come a moment after the end.
  await waitFor(() => connector.child.exitCode !== null)
  expect(connector.child.exitCode).toBe(0)
  expect(connector.output()).toContain('stopped')
  expect(runCommand(home, ['status']).status).toBe(3)
})

test('stop without a connector says that there was nothing to stop', () => {
  expect(runForDocument(home, ['stop'])).toEqual({ status: 0, document: { stopped: false } })
  expect(runCommand(home, ['stop']).out).toContain('there was nothing to stop')
})

test('stop of a connector that cannot be recognized says so, and it runs on', async () => {
  const connector = await start()
  runCommand(home, ['certs', 'uninstall'])
  const { status, err } = runCommand(home, ['stop'])
  expect([status, err]).toEqual([
    1,
    expect.stringContaining('because its certificates were uninstalled'),
  ])
  expect(connector.child.exitCode).toBeNull()
})

test.runIf(process.getuid?.() === 0)(
  'stop of another account ends nothing, not even with the folders of the first',
  async () => {
    proves('connector-ended')
    const connector = await start()
    const folder = await mkdtemp(join(tmpdir(), 'cardwire-accounts-'))
    onTestFinished(() => rm(folder, { recursive: true, force: true }))
    await chmod(folder, 0o755)
    const program = join(folder, 'cardwire')
    await copyFile(connectorProgram, program)
    await chmod(program, 0o755)
    const account = await createAccount(folder)
    // So that only the folders of the connector itself are closed.
    await chmod(home, 0o755)
    onTestFinished(() => account.remove())
    const stop = async (at: string) => {
      const env = createEnvironment(at)
      const { out, err } = await runProgram([program, 'stop'], { account, env, cwd: '/' })
      return out + err
    }
    expect(await stop(account.home)).toContain('nothing to stop')
    expect(await stop(home)).toContain('this user may not write or read there (EACCES)')
    expect(runCommand(home, ['status']).status).toBe(0)
    expect(connector.child.exitCode).toBeNull()
  },
)

test('the operation refuses pages and every other token, and the connector runs on', async () => {
  proves('connector-ended')
  const connector = await start()
  const stop = (options: object) => connector.request('/v3/stop', { method: 'POST', ...options })
  const page = await stop({ headers: { origin: 'https://shop.example' } })
  expect(page.status).toBe(403)
  expect((await stop({ token: 'another' })).status).toBe(401)
  expect((await stop({ token: null })).status).toBe(401)
  expect(runCommand(home, ['status']).status).toBe(0)
})

test('stop waits for a connector that is only starting', async () => {
  const env = createEnvironment(home, { CARDWIRE_MACHINE_DIR: join(home, 'machine') })
  const program = startProgram([connectorProgram, 'api'], { env })
  onTestFinished(() => program.stop().then(() => undefined))
  const isStopped = () => runForDocument(home, ['stop']).document['stopped'] === true
  await waitFor(isStopped)
  await waitFor(() => !program.isRunning())
})
