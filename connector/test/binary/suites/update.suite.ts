/** `cardwire update`, compiled: the offered installer is downloaded, verified, confirmed and started. */

import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Connector } from '../../../../test/bed/connector.ts'
import { findFreePort } from '../../../../test/bed/free-port.ts'
import { createEnvironment } from '../../../../test/bed/program.ts'
import { proves } from '../../../../test/bed/proves.ts'
import { connectorProgram } from '../../../../test/bed/repository.ts'
import { type Managed, version } from '../managed.ts'
import { openWay } from '../withholding-proxy.ts'

/** One that takes the place of the binary's version. */
const newer = '4.1.0'
const updateThere = 100

/** A package that this system can install. */
function aPackage(): Buffer {
  const folder = mkdtempSync(join(tmpdir(), 'cardwire-package-'))
  const control = join(folder, 'package/DEBIAN/control')
  mkdirSync(dirname(control), { recursive: true })
  writeFileSync(
    control,
    'Package: cardwire\nVersion: 4.1.0\nArchitecture: all\nMaintainer: Nobody <nobody@example.com>\nDescription: none\n',
  )
  execFileSync('dpkg-deb', ['--build', join(folder, 'package'), join(folder, 'package.deb')])
  const file = readFileSync(join(folder, 'package.deb'))
  rmSync(folder, { recursive: true })
  return file
}

const file = aPackage()

export const updateSuite = (managed: Managed) =>
  describe('update', () => {
    afterAll(() => managed.service.admin('DELETE', `/v3/versions/${newer}?maxReach=999999999`))
    beforeAll(() => managed.service.putPackage('cardwire.deb', file))
    beforeEach(() => {
      const { home } = managed
      for (const folder of ['programs', 'temporary']) mkdirSync(join(home, folder))
      // What installs packages here: notes what it is given, and keeps the file.
      program(
        'apt-get',
        `echo "$@" > ${home}/install-calls\nfor last; do :; done\ncp "$last" ${home}/given`,
      )
      program('sudo', 'exec "$@"')
    })

    function program(name: string, text: string): void {
      const path = join(managed.home, 'programs', name)
      writeFileSync(path, `#!/bin/sh\n${text}\n`)
      chmodSync(path, 0o700)
    }

    /** Offers a file of the service, or what lies elsewhere. */
    const offer = (installer: object, flags: object = { recommended: true }) =>
      managed.service.registerVersion(newer, { uris: [{ os: 'UNIX', ...installer }], ...flags })

    const offerPackage = (flags?: object) => offer({ uri: 'file:///cardwire.deb' }, flags)

    async function elsewhere(): Promise<string> {
      const server = createServer((_, response) => response.end(file))
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
      managed.closing.push(() => server.close())
      return `http://127.0.0.1:${(server.address() as AddressInfo).port}/cardwire.deb`
    }

    const environment = () => ({
      ...createEnvironment(managed.home, {
        ...managed.settings(),
        TMPDIR: join(managed.home, 'temporary'),
      }),
      PATH: `${join(managed.home, 'programs')}:${process.env['PATH']}`,
    })

    async function running(): Promise<Connector> {
      const connector = await managed.start()
      await connector.request('/v3/sync', { method: 'POST' })
      return connector
    }

    interface Ended {
      readonly status: number | null
      readonly text: string
    }

    async function ended(command: string, args: readonly string[], typed = ''): Promise<Ended> {
      const child = spawn(command, args, { env: environment() })
      let text = ''
      for (const stream of [child.stdout, child.stderr])
        stream.on('data', (part: Buffer) => {
          text += part.toString()
        })
      child.stdin.end(typed)
      const [status] = await once(child, 'close')
      return { status, text }
    }

    const update = (...args: string[]) => ended(connectorProgram, ['update', ...args])

    /** The same with a terminal, where `typed` is typed. */
    const updateInTerminal = (typed: string, ...args: string[]) => {
      const command = [connectorProgram, 'update', ...args].join(' ')
      return ended('script', ['--quiet', '--return', '--command', command, '/dev/null'], typed)
    }

    const readInstallCalls = () =>
      existsSync(join(managed.home, 'install-calls'))
        ? readFileSync(join(managed.home, 'install-calls'), 'utf8')
        : undefined
    const leftOver = () => readdirSync(join(managed.home, 'temporary'))

    test('--check exits with whether there is an update, and downloads nothing', async () => {
      proves('update-command')
      await offerPackage({ recommended: false })
      await running()
      const none = await update('--check')
      expect([none.status, none.text]).toEqual([0, expect.stringContaining('is up to date')])
      await offerPackage()
      const there = await update('--check')
      expect(there.status).toBe(updateThere)
      expect(there.text).toContain(
        `You have version ${version}. Your organization recommends a different one.`,
      )
      expect(there.text).toMatch(
        /Version 4\.1\.0 \(0\.0 MB\): http:\S+\/installers\/unix\/versions\/4\.1\.0/,
      )
      expect([readInstallCalls(), leftOver()]).toEqual([undefined, []])
    })

    test('--yes starts the offered installer, and removes the file', async () => {
      proves('update-command', 'update-completes')
      await offerPackage()
      await running()
      const { status, text } = await update('--yes')
      expect(text).toContain(
        `The SHA-256 is ${createHash('sha256').update(file).digest('hex')}. It matches the one from the service.`,
      )
      expect([status, text]).toEqual([0, expect.stringContaining('Version 4.1.0 is installed.')])
      // No bar where nobody looks.
      expect(text).not.toMatch(/[█░\r]/)
      expect(readInstallCalls()).toMatch(
        / install --yes --allow-downgrades \/var\/cache\/\S+\/cardwire-installer\.deb\n$/,
      )
      expect(readFileSync(join(managed.home, 'given')).equals(file)).toBe(true)
      expect(leftOver()).toEqual([])
    })

    test('a connector that had to end is updated', async () => {
      proves('update-offered-only')
      await offerPackage({ recommended: false, mandatory: true })
      const settings = { ...environment(), CARDWIRE_REGISTRY_PORT: String(await findFreePort()) }
      const forbidden = spawnSync(connectorProgram, ['run'], {
        env: settings,
        encoding: 'utf8',
        timeout: 60_000,
      })
      expect(forbidden.status).toBe(78)
      const { status, text } = await update('--yes')
      expect(text).toContain(`Version ${version} is too old`)
      expect([status, readInstallCalls()]).toEqual([
        0,
        expect.stringContaining('cardwire-installer.deb'),
      ])
    })

    test('a stopped connector has what the service says now, not what it said last', async () => {
      proves('update-asks-service')
      await offerPackage()
      const connector = await running()
      await connector.stop()
      const there = await update('--check')
      expect([there.status, there.text]).toEqual([
        updateThere,
        expect.stringContaining('Your organization recommends a different one'),
      ])
      await offerPackage({ recommended: false })
      const withdrawn = await update('--yes')
      expect([withdrawn.status, withdrawn.text]).toEqual([
        0,
        expect.stringContaining('is up to date'),
      ])
      await managed.pause()
      const away = await update('--yes')
      expect([away.status, away.text]).toEqual([
        1,
        expect.stringMatching(
          /Your organization’s server didn’t say which version to use.*administrator: Cannot reach/,
        ),
      ])
      expect(readInstallCalls()).toBeUndefined()
    })

    test('a connector that ends while it is asked has its place taken', async () => {
      await offerPackage()
      const way = await openWay()
      managed.closing.push(way.close)
      const connector = await managed.start({ HTTP_PROXY: way.proxy })
      await connector.request('/v3/sync', { method: 'POST' })
      const withheld = way.withholdNext()
      const updated = update('--check')
      await withheld
      connector.child.kill('SIGKILL')
      expect(await updated).toEqual({
        status: updateThere,
        text: expect.stringContaining('Your organization recommends a different one'),
      })
    })

    test('a connector that was blocked or never registered is not updated', async () => {
      proves('update-asks-service')
      await offerPackage()
      const never = await update('--yes')
      expect([never.status, never.text]).toEqual([1, expect.stringContaining('isn’t registered')])
      const connector = await running()
      const { json } = await connector.request('/v3/sync', { method: 'POST' })
      await managed.service.admin('POST', `/v3/devices/${json.data.device}/block`)
      for (const stop of [async () => undefined, connector.stop]) {
        await stop()
        const { status, text } = await update('--yes')
        expect([status, text]).toEqual([1, expect.stringContaining('has blocked it')])
      }
      expect(readInstallCalls()).toBeUndefined()
    })

    test('an installer that fails is reported with its status', async () => {
      await offerPackage()
      await running()
      program('apt-get', 'exit 7')
      const { status, text } = await update('--yes')
      expect([status, text]).toEqual([1, expect.stringContaining('failed with status 7')])
      expect(leftOver()).toEqual([])
    })

    test.each([
      ['digest', { sha256: 'ab'.repeat(32) }, 'its SHA-256 is'],
      ['size', { size: 5 }, 'and not 5'],
    ])('a file with another %s is refused, and gone', async (_, facts, reason) => {
      proves('refused-update', 'update-offered-only')
      await offer({ uri: await elsewhere(), ...facts })
      await running()
      // Without a digest the user has to be asked, who is not: it is refused before.
      const { status, text } =
        'sha256' in facts ? await update('--yes') : await updateInTerminal('y\n')
      expect([status, text]).toEqual([1, expect.stringContaining(reason)])
      expect([readInstallCalls(), leftOver()]).toEqual([undefined, []])
    })

    test('without --yes and without a terminal nothing is downloaded', async () => {
      await offerPackage()
      await running()
      const { status, text } = await update()
      expect([status, text]).toEqual([1, expect.stringContaining('cardwire update --yes')])
      expect([readInstallCalls(), leftOver()]).toEqual([undefined, []])
    })

    test('an installer without a digest is not installed by --yes alone', async () => {
      await offer({ uri: await elsewhere() })
      await running()
      const { status, text } = await update('--yes')
      expect([status, text]).toEqual([
        1,
        expect.stringContaining('hasn’t published the data for that check'),
      ])
      expect([readInstallCalls(), leftOver()]).toEqual([undefined, []])
    })

    test('an older version is installed when a user decides, not by --yes alone', async () => {
      proves('service-offers-program')
      const older = '3.9.0'
      managed.closing.push(
        () => managed.service.admin('DELETE', `/v3/versions/${older}?maxReach=999999999`),
        () => managed.service.registerVersion(version),
      )
      await offerPackage({ recommended: false, allowed: false })
      const uris = [{ os: 'UNIX', uri: 'file:///cardwire.deb' }]
      await managed.service.registerVersion(older, { uris })
      await running()
      await managed.service.registerVersion(version, { allowed: false })
      const alone = await update('--yes')
      expect([alone.status, alone.text]).toEqual([
        1,
        expect.stringContaining(
          'The offered version is older than the one you have (4.0.0). To decide whether to install it',
        ),
      ])
      expect([readInstallCalls(), leftOver()]).toEqual([undefined, []])
      const { status, text } = await updateInTerminal('y\n', '--yes')
      expect(text).toContain('Install version 3.9.0 now? [y/N]')
      expect([status, text]).toEqual([0, expect.stringContaining('Version 3.9.0 is installed.')])
    })

    test('in a terminal there is a progress bar, and the user decides', async () => {
      await offerPackage()
      await running()
      const no = await updateInTerminal('n\n')
      expect(no.text).toMatch(/█{24} 100 %/)
      expect(no.text).toContain('Install version 4.1.0 now? [y/N]')
      expect([no.status, no.text]).toEqual([1, expect.stringContaining('Nothing was installed')])
      expect([readInstallCalls(), leftOver()]).toEqual([undefined, []])
      const yes = await updateInTerminal('y\n')
      expect([yes.status, yes.text]).toEqual([
        0,
        expect.stringContaining('Version 4.1.0 is installed.'),
      ])
      expect(readInstallCalls()).toContain('cardwire-installer.deb')
    })

    test('--dry-run downloads and checks, says what would install it, and installs nothing', async () => {
      await offerPackage()
      await running()
      const { status, text } = await update('--dry-run')
      expect([status, text]).toEqual([
        0,
        expect.stringMatching(
          /It matches the one from the service\.\n.*would install it with this command.* apt-get .*\.deb\n$/s,
        ),
      ])
      expect([readInstallCalls(), leftOver()]).toEqual([undefined, []])
    })

    test('what is installed is a copy that nobody else writes, and a file that was changed after its check is refused', async () => {
      proves('installer-swapped')
      const downloaded = join(managed.home, 'installer')
      writeFileSync(downloaded, file)
      const sha256 = createHash('sha256').update(file).digest('hex')
      const install = () => ended(connectorProgram, ['install-update', newer, downloaded, sha256])
      program(
        'apt-get',
        `for last; do :; done\nstat -c '%U %a' "$last" "\${last%/*}" > ${managed.home}/install-calls`,
      )
      expect(await install()).toMatchObject({ status: 0 })
      expect(readInstallCalls()).toBe('root 644\nroot 755\n')
      rmSync(join(managed.home, 'install-calls'))
      writeFileSync(downloaded, Buffer.concat([file, Buffer.from('more')]))
      expect(await install()).toMatchObject({
        status: 65,
        text: expect.stringContaining(', expected '),
      })
      rmSync(downloaded)
      symlinkSync('/etc/passwd', downloaded)
      expect(await install()).toMatchObject({ status: 65, text: expect.stringContaining('ELOOP') })
      expect(readInstallCalls()).toBeUndefined()
      expect(readdirSync('/var/cache').filter((name) => name.startsWith('cardwire-'))).toEqual([])
    })

    test('a connector without a service has no update', () => {
      const { status, stdout } = spawnSync(connectorProgram, ['update'], {
        env: createEnvironment('/nonexistent'),
        encoding: 'utf8',
      })
      expect([status, stdout]).toEqual([
        1,
        expect.stringContaining('isn’t connected to an organization'),
      ])
    })
  })
