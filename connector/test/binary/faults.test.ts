/** The compiled connector on a disk that is full or read-only, by a clock that is wrong, beside another first start. */

import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { X509Certificate } from 'node:crypto'
import { once } from 'node:events'
import { constants } from 'node:fs'
import { chmod, copyFile, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { createHome, homePaths, runCommand, startConnector } from '../../../test/bed/connector.ts'
import { findFreePort } from '../../../test/bed/free-port.ts'
import { type HttpsRequestOptions, requestHttps } from '../../../test/bed/https-client.ts'
import { createEnvironment } from '../../../test/bed/program.ts'
import { proves } from '../../../test/bed/proves.ts'
import { connectorProgram } from '../../../test/bed/repository.ts'
import { waitForEnd } from '../../../test/bed/wait-for.ts'
import { createFaketimePrefix } from './clock.ts'

let home: string
beforeEach(async (context) => {
  home = await createHome()
  context.onTestFinished(() => rm(home, { recursive: true, force: true }))
})

/** The next start is the first. */
const forgetCertificates = () => rm(homePaths(home).certificates, { recursive: true })

interface Started {
  readonly child: ChildProcess
  readonly output: () => string
  /** The port it listens on. Throws with what it said when it ends before. */
  readonly listens: Promise<number>
}

/** Starts a program in this home; it ends with its test. */
function start(command: readonly string[], settings: Readonly<Record<string, string>>): Started {
  const [program = '', ...args] = command
  const env = createEnvironment(home, {
    CARDWIRE_API_PORTS: '25200-25999',
    CARDWIRE_MACHINE_DIR: join(home, 'machine'),
    CARDWIRE_VIRTUAL_READER: join(home, 'card'),
    ...settings,
  })
  // A group of its own: faketime(1) does not hand on the signal that ends it.
  const stdio = ['ignore', 'pipe', 'pipe'] as const
  const child = spawn(program, args, { env, stdio: [...stdio], detached: true })
  const closed = once(child, 'close')
  onTestFinished(async () => {
    if (child.pid !== undefined && child.exitCode === null) endGroup(child.pid)
    // Not before the last of the group is gone, or the home would be written to while it is removed.
    await closed
  })
  let output = ''
  const listens = new Promise<number>((resolve, reject) => {
    const read = (part: Buffer) => {
      output += part.toString()
      const port = /listening on port (\d+)/.exec(output)?.[1]
      if (port) resolve(Number(port))
    }
    child.stdout.on('data', read)
    child.stderr.on('data', read)
    child.once('close', (code) => reject(new Error(`It ended with ${code}: ${output}`)))
  })
  return { child, output: () => output, listens }
}

function endGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGTERM')
  } catch {
    // The test has ended it.
  }
}

/** Runs a script with mounts that nobody else sees and that go with it. */
const startUnshared = async (script: string): Promise<Started> =>
  start(['unshare', '--user', '--map-root-user', '--mount', 'sh', '-c', script], {
    CARDWIRE_REGISTRY_PORT: String(await findFreePort()),
  })

/** The connector with a home that is a small disk. */
const startOnDisk = (size: string, before = 'true'): Promise<Started> =>
  startUnshared(
    `mount -t tmpfs -o size=${size} none ${home} && ${before} && exec ${connectorProgram} run`,
  )

/** How a test looks at that disk, and asks the connector on it. */
async function onDisk({ child, listens }: Started) {
  const port = await listens
  const diskHome = `/proc/${child.pid}/root${home}`
  const { certificates, runtime } = homePaths(diskHome)
  const ca = await readFile(join(certificates, 'rootCA.pem'), 'utf8')
  const token = await readFile(join(runtime, 'management-token'), 'utf8')
  const ask = (path: string, options: HttpsRequestOptions = {}) =>
    requestHttps(port, ca, path, { token, ...options })
  const json = { 'content-type': 'application/json' }
  const post = (path: string, body: object) =>
    ask(path, { method: 'POST', headers: json, body: JSON.stringify(body) })
  return {
    leaf: () => readFile(join(certificates, 'localhost.pem'), 'utf8'),
    fill: () => spawnSync('dd', ['if=/dev/zero', `of=${join(diskHome, 'fill')}`, 'bs=1k']),
    free: () => rm(join(diskHome, 'fill')),
    renew: async () => (await post('/v3/certmgr/renew', {})).json.data,
    /** What does not need the disk. */
    async answers() {
      const cert = await readFile(join(certificates, 'localhost.pem'), 'utf8')
      const requests = [
        ask('/info'),
        ask('/v3/version'),
        ask('/v3/readers'),
        ask('/v3/modules'),
        ask('/v3/certmgr/status'),
        post('/v3/modules/x509/subject-cn', { cert }),
      ]
      return (await Promise.all(requests)).map(({ status }) => status)
    },
  }
}

const allGood = [200, 200, 200, 200, 200, 200]

describe('disk', () => {
  test.each(['4k', '64k'])(
    'of %s is too small for a first start, which is reported',
    async (size) => {
      proves('certificate-disk-full')
      const { listens } = await startOnDisk(size)
      await expect(listens).rejects.toThrow(
        /It ended with 1: .*cannot start.*Cannot .*".*": .*disk is full/s,
      )
    },
  )

  test.each(['run', 'registry', 'consents'])(
    'without any room is a sentence for a first start of %s, and no stack',
    async (command) => {
      proves('connector-disk-full')
      const { runtime } = homePaths(home)
      const fill = `mkdir -p ${runtime}; : > ${runtime}/state.db; dd if=/dev/zero of=${home}/fill bs=4k 2>/dev/null`
      const { child, output, listens } = await startUnshared(
        `mount -t tmpfs -o size=8k none ${home}; ${fill}; exec ${connectorProgram} ${command}`,
      )
      await expect(listens).rejects.toThrow('It ended with 1')
      expect(child.exitCode).toBe(1)
      expect(output()).toMatch(/disk is full/)
      expect(output()).not.toMatch(/\n\s+at /)
    },
  )

  test('that fills up leaves the API answering; what needs space reports the reason, and goes on with space', async () => {
    proves('certificate-disk-full')
    const started = await startOnDisk('4m')
    const disk = await onDisk(started)
    await expect.poll(disk.answers).toEqual(allGood)
    const before = await disk.leaf()
    disk.fill()
    expect(await disk.renew()).toMatchObject({
      renewed: false,
      reason: expect.stringContaining('the disk is full (ENOSPC)'),
    })
    expect(await disk.leaf()).toBe(before)
    for (let round = 0; round < 3; round += 1) expect(await disk.answers()).toEqual(allGood)
    await disk.free()
    expect(await disk.renew()).toMatchObject({ renewed: true })
    // Connections that were kept end with the old leaf.
    await expect.poll(disk.answers).toEqual(allGood)
    expect(started.child.exitCode).toBeNull()
  })

  test('that is read-only where the certificates lie is served from; a renewal fails with the reason', async () => {
    proves('certificate-disk-full')
    const folder = homePaths(home).certificates
    const readOnly = `mount --bind ${folder} ${folder} && mount -o remount,bind,ro ${folder}`
    const disk = await onDisk(await startUnshared(`${readOnly} && exec ${connectorProgram} run`))
    await expect.poll(disk.answers).toEqual(allGood)
    const before = await disk.leaf()
    expect(await disk.renew()).toMatchObject({
      renewed: false,
      reason: expect.stringContaining('the file system is read-only (EROFS)'),
    })
    expect(await disk.leaf()).toBe(before)
    expect(await disk.answers()).toEqual(allGood)
  })

  test('that is read-only at the first start is reported', async () => {
    const { listens } = await startOnDisk('4m', `mount -o remount,ro ${home}`)
    await expect(listens).rejects.toThrow(/It ended with 1: .*cannot start.*(EROFS|read-only)/s)
  })
})

test('a log folder that cannot be created is reported, and the connector serves without it', async () => {
  await mkdir(join(home, '.local/state/cardwire'), { recursive: true })
  await writeFile(homePaths(home).logs, 'in the way')
  const connector = await startConnector({}, home)
  onTestFinished(() => connector.stop())
  expect(connector.output()).toContain('no log file')
  expect((await connector.request('/v3/version')).status).toBe(200)
})

test('folders and files that are open to others are closed at start, and the log names them', async () => {
  proves('private-files-read')
  const { config, runtime, logs, certificates } = homePaths(home)
  await mkdir(config, { recursive: true })
  await writeFile(join(config, 'cardwire.conf'), 'CARDWIRE_LOG_LEVEL=debug\n')
  await (await startConnector({}, home)).stop()
  const folders = [config, runtime, join(runtime, 'downloads'), logs, certificates]
  const listFiles = async () =>
    (await Promise.all(folders.map((folder) => readdir(folder, { withFileTypes: true }))))
      .flat()
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => join(parentPath, name))
  for (const path of await listFiles()) await chmod(path, 0o644)
  for (const path of folders) await chmod(path, 0o755)
  const connector = await startConnector({}, home)
  onTestFinished(() => connector.stop())
  for (const path of folders)
    expect.soft([path, (await stat(path)).mode & 0o777]).toEqual([path, 0o700])
  const isPublic = (path: string) =>
    /(rootCA|localhost)\.pem$|\.json$/.test(path) && path.startsWith(certificates)
  for (const path of (await listFiles()).filter((each) => !isPublic(each))) {
    expect.soft([path, (await stat(path)).mode & 0o777]).toEqual([path, 0o600])
  }
  expect(connector.output()).toContain(`path=${join(runtime, 'state.db')}`)
  expect(connector.output()).toContain(`path=${join(config, 'cardwire.conf')}`)
})

test('a leaf that is older than 90 days is replaced at the next start, below the same root', async () => {
  proves('stale-leaf-replaced')
  const { certificates, runtime } = homePaths(home)
  const read = async (name: string) =>
    new X509Certificate(await readFile(join(certificates, name), 'utf8'))
  await (await startConnector({}, home)).stop()
  const before = [await read('rootCA.pem'), await read('localhost.pem')] as const
  /** The clock is trusted: this machine was last on the day before. */
  const startAfter = async (days: number) => {
    const trustedAt = Date.now() + (days - 1) * 86_400_000
    await writeFile(join(runtime, 'clock.json'), JSON.stringify({ trustedAt }))
    const command = [...createFaketimePrefix(`+${days} days`), connectorProgram, 'run']
    const { child, listens, output } = start(command, {
      CARDWIRE_REGISTRY_PORT: String(await findFreePort()),
    })
    await listens
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGTERM')
    await once(child, 'close')
    return output()
  }
  await startAfter(89)
  expect((await read('localhost.pem')).serialNumber).toBe(before[1].serialNumber)
  expect(await startAfter(91)).toContain('reason=the localhost certificate is older than 90 days')
  expect((await read('rootCA.pem')).fingerprint256).toBe(before[0].fingerprint256)
  const leaf = await read('localhost.pem')
  expect(leaf.serialNumber).not.toBe(before[1].serialNumber)
  expect(leaf.verify(before[0].publicKey)).toBe(true)
})

test('a sandbox that cannot be spawned is an error in the log, at level error too, and has pid 0', async () => {
  proves('sandbox-spawn-failure')
  const program = join(home, 'cardwire')
  await copyFile(connectorProgram, program, constants.COPYFILE_FICLONE)
  const settings = { CARDWIRE_REGISTRY_PORT: String(await findFreePort()) }
  const { output, listens } = start([program, 'run'], { ...settings, CARDWIRE_LOG_LEVEL: 'error' })
  // At this level the log does not have the port.
  listens.catch(() => undefined)
  const { runtime, certificates } = homePaths(home)
  const read = (folder: string, name: string) => readFile(join(folder, name), 'utf8')
  await expect.poll(() => read(runtime, 'api-port').catch(() => '')).not.toBe('')
  const port = Number(await read(runtime, 'api-port'))
  const ca = await read(certificates, 'rootCA.pem')
  const token = await read(runtime, 'management-token')
  const pid = async () =>
    (await requestHttps(port, ca, '/info', { token })).json.data.t1CInfoAPI.sandbox.pid
  const running = await pid()
  expect(running).toBeGreaterThan(0)
  await rm(program)
  process.kill(running, 'SIGKILL')
  await expect.poll(output).toMatch(/ error +sandbox not spawned .*pid=0/)
  expect(await pid()).toBe(0)
})

test('half-written files of the runtime folder are made anew', async () => {
  proves('damaged-certificate-files')
  await mkdir(homePaths(home).runtime, { recursive: true })
  for (const name of ['page-key.pem', 'state.db', 'management-token', 'api-port'])
    await writeFile(join(homePaths(home).runtime, name), '-----BEGIN PRI')
  const connector = await startConnector({}, home)
  onTestFinished(() => connector.stop())
  expect((await connector.request('/device-key')).json.data).toContain('BEGIN PUBLIC KEY')
  expect(connector.output()).toContain('state database put aside')
})

test('a distribution service and a registry port that never answer keep no page waiting', async () => {
  proves('background-work')
  await (await startConnector({}, home)).stop()
  const [service, registry] = [await silent(), await silent()]
  const from = performance.now()
  const connector = await startConnector(
    {
      CARDWIRE_DS_URL: `http://127.0.0.1:${service}`,
      CARDWIRE_INSTALLATION_KEY: crypto.randomUUID(),
      CARDWIRE_REGISTRY_PORT: String(registry),
    },
    home,
  )
  onTestFinished(() => connector.stop())
  expect((await connector.request('/v3/version')).status).toBe(200)
  // Less than the ten seconds that a connection alone may take.
  expect(performance.now() - from).toBeLessThan(8000)
})

/** A port that takes connections and says nothing, until the test ends. */
async function silent(): Promise<number> {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => {
    server.close()
    for (const socket of sockets) socket.destroy()
  })
  const address = server.address()
  return address && typeof address === 'object' ? address.port : 0
}

describe('clock', () => {
  const startAt = async (time: string) =>
    start([...createFaketimePrefix(time), connectorProgram, 'run'], {
      CARDWIRE_REGISTRY_PORT: String(await findFreePort()),
    })

  test('in the past makes no certificates, and the log names the reason', async () => {
    proves('clock-in-past')
    await forgetCertificates()
    const { listens } = await startAt('2020-01-01 00:00:00')
    await expect(listens).rejects.toThrow(/It ended with 1: .*the clock says 2020-01-01/s)
    expect(await readdir(homePaths(home).certificates)).toEqual([])
  })

  test('that is 13 years ahead once costs neither the root nor the clock set right again', async () => {
    await (await startConnector({}, home)).stop()
    const root = () => readFile(join(homePaths(home).certificates, 'rootCA.pem'), 'utf8')
    const before = await root()
    const ahead = await startAt('+13 years')
    await ahead.listens
    expect(ahead.output()).toContain('the clock has jumped')
    expect(ahead.output()).toContain('the root certificate stays until the clock is confirmed')
    expect(await root()).toBe(before)
    if (ahead.child.pid !== undefined) process.kill(-ahead.child.pid, 'SIGTERM')
    await once(ahead.child, 'close')
    const connector = await startConnector({}, home)
    onTestFinished(() => connector.stop())
    expect(connector.output()).toContain('the clock is trusted again')
    expect((await connector.request('/v3/version')).status).toBe(200)
    expect(await root()).toBe(before)
  })

  test('set back serves the certificates that there are, with a warning', async () => {
    proves('clock-in-past')
    await (await startConnector({}, home)).stop()
    const { certificates } = homePaths(home)
    const names = ['rootCA.pem', 'localhost.pem'] as const
    const files = () => Promise.all(names.map((name) => readFile(join(certificates, name), 'utf8')))
    const before = await files()
    const { listens, output } = await startAt('-1 day')
    const port = await listens
    expect(output()).toContain('the certificates are not valid yet')
    const [ca = ''] = before
    expect((await requestHttps(port, ca, '/device-key', {})).status).toBe(200)
    expect(await files()).toEqual(before)
  })
})

test('two first starts at once serve one set of certificates, each on a port of its own', async () => {
  proves('simultaneous-first-starts')
  await forgetCertificates()
  const registry = { CARDWIRE_REGISTRY_PORT: String(await findFreePort()) }
  // Two packages: what they have in common is the folder of certificates.
  const both = ['a', 'b'].map((name) =>
    start([connectorProgram, 'run'], { ...registry, XDG_STATE_HOME: join(home, name) }),
  )
  const ports = await Promise.all(both.map(({ listens }) => listens))
  expect(new Set(ports).size).toBe(2)
  const { certificates } = homePaths(home)
  const ca = await readFile(join(certificates, 'rootCA.pem'), 'utf8')
  const answers = await Promise.all(ports.map((port) => requestHttps(port, ca, '/device-key', {})))
  expect(answers.map(({ status }) => status)).toEqual([200, 200])
  expect((await readdir(certificates)).toSorted()).toEqual([
    ...['localhost-key.pem', 'localhost.pem', 'packages.json', 'rootCA-key.pem', 'rootCA.pem'],
  ])
})

test('a second connector of the same user is refused, and the first is found as before', async () => {
  proves('second-connector-refused')
  const first = await startConnector({}, home)
  const second = await startConnector({}, home).catch((error: Error) => error.message)
  expect(second).toContain('ended with 1')
  expect(second).toContain(
    `your connector is already running, on port ${first.port}; stop it first`,
  )
  expect((await first.request('/v3/version')).status).toBe(200)
  expect(runCommand(home, ['doctor']).out).toContain(`the API is responding on port ${first.port}`)

  await first.stop()
  expect(await readdir(homePaths(home).runtime)).not.toContain('api-port')
  await (await startConnector({}, home)).stop()
})

test('of two starts of the same user at once, one runs and the other one is refused', async () => {
  proves('started-twice')
  const registry = { CARDWIRE_REGISTRY_PORT: String(await findFreePort()) }
  const both = [1, 2, 3].map(() => start([connectorProgram, 'run'], registry))
  const results = await Promise.allSettled(both.map(({ listens }) => listens))
  const [port, ...others] = results.flatMap((each) =>
    each.status === 'fulfilled' ? each.value : [],
  )
  expect(others).toEqual([])
  for (const each of results) {
    if (each.status === 'rejected')
      expect(each.reason.message).toContain(
        `your connector is already running, on port ${port}; stop it first`,
      )
  }
})

test('a connector that was killed does not prevent the next start', async () => {
  proves('upgrade-stops-processes')
  const first = await startConnector({}, home)
  first.child.kill('SIGKILL')
  await waitForEnd(first.child)
  await (await startConnector({}, home)).stop()
})
