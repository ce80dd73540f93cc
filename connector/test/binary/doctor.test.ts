/** `cardwire doctor` of the compiled binary: each line with its thing in order, and with it broken on purpose. */

import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdir, rm, symlink, writeFile } from 'node:fs/promises'
import { createServer as createHttp } from 'node:http'
import { type AddressInfo, createServer, type Server } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import {
  type Connector,
  createHome,
  homePaths,
  startConnector,
} from '../../../test/bed/connector.ts'
import { type Display, startDisplay } from '../../../test/bed/display.ts'
import { findFreePort } from '../../../test/bed/free-port.ts'
import { createEnvironment } from '../../../test/bed/program.ts'
import { proves } from '../../../test/bed/proves.ts'
import { connectorProgram } from '../../../test/bed/repository.ts'
import { waitFor } from '../../../test/bed/wait-for.ts'
import { createFaketimePrefix } from './clock.ts'

interface DoctorResult {
  readonly status: number | null
  readonly out: string
}

/** Asynchronous: what the doctor looks at may be served by this very process. */
async function doctor(
  home: string,
  settings: Readonly<Record<string, string>> = {},
  command: readonly string[] = [connectorProgram],
): Promise<DoctorResult> {
  const [program = '', ...args] = command
  const env = createEnvironment(home, { CARDWIRE_MACHINE_DIR: join(home, 'machine'), ...settings })
  const child = spawn(program, [...args, 'doctor'], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: 60_000,
  })
  let out = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (part) => {
      out += String(part)
    })
  const [status] = await once(child, 'close')
  return { status, out }
}

/** A line that is wrong, and the next one, which says what to do. */
const wrong = (what: string, todo: string) => new RegExp(`✗ .*${what}.*\n {4}→ .*${todo}`)
const missing = (what: string, todo: string) => new RegExp(`! .*${what}.*\n {4}→ .*${todo}`)

/** Listens and says nothing, until the test ends. */
async function hold(port: number, host = '127.0.0.1'): Promise<Server> {
  const server = createServer((socket) => socket.on('error', () => undefined))
  server.listen(port, host)
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  return server
}

describe('in order', () => {
  let connector: Connector
  let display: Display
  let settings: Readonly<Record<string, string>>
  beforeAll(async () => {
    display = await startDisplay()
    const home = await createHome()
    const card = join(home, 'card')
    await writeFile(card, '3B9813400AA503010101AD1311')
    settings = {
      ...display.settings,
      CARDWIRE_REGISTRY_PORT: String(await findFreePort()),
      CARDWIRE_VIRTUAL_READER: card,
      CARDWIRE_CORS: 'https://shop.example',
      CARDWIRE_JWKS: join(home, 'jwks.json'),
    }
    await writeFile(join(home, 'jwks.json'), '{"keys":[]}')
    connector = await startConnector(settings, home)
    spawnSync(connectorProgram, ['certs', 'install'], { env: createEnvironment(home, settings) })
    await waitFor(() => connector.output().includes('registry found'))
  })
  afterAll(async () => {
    await connector?.stop()
    await display?.stop()
    if (connector) await rm(connector.home, { recursive: true, force: true })
  })

  test('every line is green, and the exit status 0', async () => {
    proves('doctor-healthy')
    const { status, out } = await doctor(connector.home, settings)
    expect(out).not.toMatch(/^[!✗]/m)
    for (const line of [
      '✓ the smart card service is responding',
      '✓ readers: Cardwire Virtual Reader (with a card)',
      '✓ the root certificate is valid until 20',
      '✓ the localhost certificate is valid until 20',
      '✓ nss:.pki/nssdb trusts the root certificate',
      `✓ the API is responding on port ${connector.port}`,
      `✓ the registry is responding on port ${settings['CARDWIRE_REGISTRY_PORT']}`,
      '✓ the clipboard can be read',
      '✓ no distribution service is set',
    ])
      expect(out).toContain(line)
    expect(status).toBe(0)
  })

  test('an API that hangs is wrong', async () => {
    proves('windows-ports')
    connector.child.kill('SIGSTOP')
    const { status, out } = await doctor(connector.home, settings)
    connector.child.kill('SIGCONT')
    expect(out).toMatch(wrong('the API is not responding', 'start it again'))
    expect(status).toBe(1)
  })

  test('a key that others can read is wrong', async () => {
    proves('windows-certificates')
    const key = join(homePaths(connector.home).certificates, 'localhost-key.pem')
    await chmod(key, 0o644)
    const { status, out } = await doctor(connector.home, settings)
    await chmod(key, 0o600)
    expect(out).toMatch(
      wrong('other users can read .*localhost-key.pem', 'restrict access to it: cardwire run'),
    )
    expect(status).toBe(1)
  })

  test.each([
    ['+2 years', 'the localhost certificate needs to be renewed', 'cardwire certs renew'],
    ['+11 years', 'the root certificate has expired', 'cardwire certs renew --root'],
    ['-2 years', 'the root certificate is not valid yet', 'the clock'],
  ])('%s from now a certificate is wrong: %s', async (shift, what, todo) => {
    proves('windows-certificates')
    const { status, out } = await doctor(connector.home, settings, [
      ...createFaketimePrefix(shift),
      connectorProgram,
    ])
    expect(out).toMatch(wrong(what, todo))
    expect(status).toBe(1)
  })

  test('a browser profile that cannot be read is named with the reason', async () => {
    proves('windows-trust')
    const profile = join(connector.home, '.mozilla/firefox/new.default')
    await mkdir(profile, { recursive: true })
    await writeFile(join(profile, 'cert9.db'), 'no database')
    const { status, out } = await doctor(connector.home, settings)
    await rm(join(connector.home, '.mozilla'), { recursive: true })
    expect(out).toMatch(
      missing('nss:.mozilla/firefox/new.default cannot be read', 'cardwire certs install'),
    )
    // The other browsers go on.
    expect(status).toBe(0)
  })

  test('the connector that runs is judged, not the settings of this terminal', async () => {
    const { CARDWIRE_CORS: _, CARDWIRE_JWKS: __, ...others } = settings
    const { out } = await doctor(connector.home, others)
    expect(out).toContain('✓ the API is responding')
    expect(out).not.toContain('no page can use the connector')
    expect(out).not.toContain('there is no key to verify it')
  })
})

describe('broken', () => {
  let home: string
  beforeEach(async (context) => {
    home = await createHome()
    context.onTestFinished(() => rm(home, { recursive: true, force: true }))
  })

  const forgetCertificates = () => rm(join(home, '.local'), { recursive: true })

  test('a card service that is not installed is wrong', async () => {
    proves('doctor-card-service')
    const { status, out } = await doctor(home, { CARDWIRE_PCSC_LIBRARY: join(home, 'none.so') })
    expect(out).toMatch(wrong('the smart card service cannot be reached', 'apt-get install pcscd'))
    expect(status).toBe(1)
  })

  test('no root is wrong, and one thing alone', async () => {
    await forgetCertificates()
    const { out } = await doctor(home)
    expect(out).toMatch(wrong('the root certificate is missing', 'create it: cardwire run'))
    expect(out).not.toContain('the localhost certificate')
  })

  test('a root that no store trusts is wrong', async () => {
    proves('windows-trust')
    const { out } = await doctor(home)
    expect(out).toMatch(wrong('none of this user’s browsers trust', 'cardwire certs install'))
  })

  test('a leaf that is half written is wrong', async () => {
    proves('windows-certificates')
    await writeFile(join(homePaths(home).certificates, 'localhost.pem'), '-----BEGIN')
    const { out } = await doctor(home)
    expect(out).toMatch(
      wrong('the localhost certificate needs to be renewed', 'cardwire certs renew'),
    )
  })

  test('a folder that cannot be read is wrong, and the rest is looked at', async () => {
    await forgetCertificates()
    await mkdir(join(home, '.local'))
    await writeFile(join(home, '.local/share'), '')
    const { status, out } = await doctor(home)
    expect(out).toContain('✗ Cannot use')
    expect(out).toContain('✓ no distribution service is set')
    expect(status).toBe(1)
  })

  test('a registry port that another program has is wrong, with its name', async () => {
    proves('windows-ports')
    const port = await findFreePort()
    await hold(port)
    const { status, out } = await doctor(home, { CARDWIRE_REGISTRY_PORT: String(port) })
    expect(out).toMatch(wrong(`port ${port} is in use by .*process ${process.pid}`, 'end it'))
    expect(status).toBe(1)
  })

  test('a registry service that does not run is wrong', async () => {
    const port = String(await findFreePort())
    await mkdir(join(home, 'machine/public'), { recursive: true })
    await writeFile(join(home, 'machine/public/localhost.pem'), '')
    const { out } = await doctor(home, { CARDWIRE_REGISTRY_PORT: port })
    expect(out).toMatch(wrong('the registry service is not responding', 'systemctl start'))
  })

  test('an API that does not run is reported, with the port that it could have', async () => {
    const port = await findFreePort()
    const { out } = await doctor(home, { CARDWIRE_API_PORTS: `${port}-${port}` })
    expect(out).toMatch(missing(`not running; port ${port} is free`, 'cardwire run'))
  })

  test.each(['127.0.0.1', '::1'])(
    'a range of ports taken on %s is told of, with its holder',
    async (host) => {
      proves('windows-ports', 'api-ports-taken')
      const port = await findFreePort()
      await hold(port, host)
      const { out } = await doctor(home, { CARDWIRE_API_PORTS: `${port}-${port}` })
      const what = `no port from ${port} to ${port} is free \\(${port}: .*process ${process.pid},`
      expect(out).toMatch(missing(what, 'CARDWIRE_API_PORTS'))
    },
  )

  test('a display that is not there is an error, and no session at all is reported', async () => {
    proves('windows-clipboard')
    const { out } = await doctor(home, { DISPLAY: ':4711' })
    expect(out).toMatch(wrong('the clipboard cannot be read: xclip failed', 'desktop session'))
    expect((await doctor(home)).out).toMatch(missing('the clipboard cannot be read', 'session'))
  })

  test('a session without a program for its clipboard is wrong', async () => {
    proves('windows-clipboard')
    const { out } = await doctor(home, { DISPLAY: ':0', PATH: await withoutPrograms(home) })
    expect(out).toMatch(wrong('this session needs the program xclip', 'install it'))
  })

  test('pages that need no token are reported', async () => {
    const { out } = await doctor(home, { CARDWIRE_JWT: 'off' })
    expect(out).toMatch(missing('pages need no token', 'if a service issues tokens'))
  })

  test('no origin and no key for tokens are reported', async () => {
    const { out } = await doctor(home)
    expect(out).toMatch(missing('no page can use the connector', 'CARDWIRE_CORS'))
    expect(out).toMatch(missing('there is no key to verify it', 'CARDWIRE_JWKS'))
  })

  test('a distribution service that is not there, or answers something else, is wrong', async () => {
    proves('windows-service')
    const url = `http://127.0.0.1:${await findFreePort()}`
    const { status, out } = await doctor(home, { CARDWIRE_DS_URL: url })
    expect(out).toMatch(
      wrong(`the distribution service ${url} is not responding`, 'CARDWIRE_DS_URL'),
    )
    expect(status).toBe(1)
    const other = createHttp((_, response) => response.writeHead(500).end())
    await once(other.listen(0, '127.0.0.1'), 'listening')
    onTestFinished(() => void other.close())
    const { port } = other.address() as AddressInfo
    const result = await doctor(home, { CARDWIRE_DS_URL: `http://127.0.0.1:${port}` })
    expect(result.out).toMatch(wrong('it responded with status 500', 'CARDWIRE_DS_URL'))
  })
})

/** A PATH with nothing but what a shell needs. */
async function withoutPrograms(home: string): Promise<string> {
  const folder = join(home, 'bin')
  await mkdir(folder)
  await symlink('/bin/sh', join(folder, 'sh'))
  return folder
}
