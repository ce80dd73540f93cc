/** A compiled connector enforces its policy: verdicts on its version, and digests of its files. */

import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Display, startDisplay } from '../../../../test/bed/display.ts'
import { findFreePort } from '../../../../test/bed/free-port.ts'
import { createEnvironment } from '../../../../test/bed/program.ts'
import { proves } from '../../../../test/bed/proves.ts'
import { connectorProgram } from '../../../../test/bed/repository.ts'
import { waitForEnd } from '../../../../test/bed/wait-for.ts'
import { createWindows, type Windows } from '../../../../test/bed/windows.ts'
import { type Managed, version } from '../managed.ts'

const [older, newer] = ['3.9.9', '4.1.0']
/** Within which the connector has to end. */
const endMs = 10_000

export const policySuite = (managed: Managed) =>
  describe('policy', () => {
    let display: Display
    let windows: Windows
    beforeAll(async () => {
      display = await startDisplay()
      windows = createWindows({ ...process.env, ...display.settings })
    })
    afterAll(() => display?.stop())

    describe('a verdict', () => {
      /** Starts it and waits for its end: the status, and what it took from the start. */
      async function runsUntil(settings: Readonly<Record<string, string>> = {}) {
        const connector = await managed.start(settings)
        const status = await waitForEnd(connector.child)
        return { status, output: connector.output() }
      }
      const judge = (more: Readonly<Record<string, boolean>>) =>
        managed.service.registerVersion(version, more)

      afterEach(async () => {
        await managed.service.resume()
        await judge({})
        await managed.service
          .admin('DELETE', `/v3/versions/${newer}?maxReach=999999999`)
          .catch(() => undefined)
      })

      test('that forbids this version ends it with 78 within ten seconds, again at each start, until it is withdrawn', async () => {
        proves('disallowed-version-stops')
        const connector = await managed.startSynchronized()
        await judge({ allowed: false })
        const startedAt = performance.now()
        managed.cardwire(['sync'])
        expect(await waitForEnd(connector.child)).toBe(78)
        expect(performance.now() - startedAt).toBeLessThan(endMs)
        await expect.poll(connector.output).toContain('this version is forbidden')

        await managed.pause()
        const begin = performance.now()
        expect((await runsUntil({ CARDWIRE_INSTALLATION_KEY: '' })).status).toBe(78)
        expect(performance.now() - begin).toBeLessThan(endMs)

        await managed.service.resume()
        await judge({ allowed: true })
        const free = await managed.start()
        await expect.poll(free.output).toContain('this version is allowed again')
        expect((await free.request('/v3/version')).status).toBe(200)
      })

      test('that requires another version shows it in a window with a link, and ends this one', async () => {
        proves('mandatory-version')
        const connector = await managed.startSynchronized({ ...display.settings })
        await managed.service.registerVersion(newer, { mandatory: true })
        managed.cardwire(['sync'])
        const startedAt = performance.now()
        await windows.focus('^Cardwire must be updated$')
        expect(commandOf('zenity')).toContain(`--ok-label=Install ${newer}`)
        expect(await waitForEnd(connector.child)).toBe(78)
        expect(performance.now() - startedAt).toBeLessThan(endMs)
      })

      test('that recommends another version shows it with a button that installs it, and lets this one run', async () => {
        proves('recommended-version', 'browser-installer')
        const { service, home } = managed
        await service.putPackage('cardwire.deb', Buffer.from('!<arch>\na package'))
        const programs = join(home, 'programs')
        mkdirSync(programs)
        writeFileSync(join(programs, 'apt-get'), `#!/bin/sh\necho "$@" >${home}/install-calls\n`, {
          mode: 0o700,
        })
        const connector = await managed.startSynchronized({
          ...display.settings,
          PATH: `${programs}:${process.env['PATH']}`,
        })
        const uris = [{ os: 'UNIX', uri: 'file:///cardwire.deb' }]
        await service.registerVersion(newer, { recommended: true, uris })
        managed.cardwire(['sync'])
        await windows.focus('^A Cardwire update is available$')
        expect(commandOf('zenity')).toContain(`--ok-label=Install ${newer}`)
        await windows.press('^A Cardwire update is available$', 'Return')
        await windows.press('^Cardwire update$', 'Escape')
        expect(readFileSync(join(home, 'install-calls'), 'utf8')).toMatch(
          / install .*\/var\/cache\/\S+\.deb\n$/,
        )
        expect(managed.cardwire(['sync']).status).toBe(0)
        const shown = () => connector.output().match(/another version is recommended/g)
        await expect.poll(shown).toHaveLength(1)
        expect((await connector.request('/v3/version')).status).toBe(200)
      })

      test('that recommends another version shows nothing where CARDWIRE_UPDATE is off', async () => {
        proves('update-off')
        const connector = await managed.startSynchronized({
          ...display.settings,
          CARDWIRE_UPDATE: 'off',
        })
        await managed.service.registerVersion(newer, { recommended: true })
        managed.cardwire(['sync'])
        await expect.poll(connector.output).toContain('another version is recommended')
        expect(commandOf('zenity')).not.toContain(`Install ${newer}`)
        const { stdout } = managed.cardwire(['doctor'], { CARDWIRE_UPDATE: 'off' })
        expect(stdout).toContain('CARDWIRE_UPDATE is off')
        expect(managed.cardwire(['status'], { CARDWIRE_UPDATE: 'off' }).stdout).toMatch(
          /updates +not offered in windows/,
        )
      })

      test('on other versions shows nothing, and lets this one run', async () => {
        proves('disallowed-version-stops', 'recommended-version')
        const { service } = managed
        const all = { recommended: true, mandatory: true }
        await service.registerVersion(older, { ...all, allowed: false })
        await judge(all)
        await service.registerVersion(newer, {})
        const connector = await managed.startSynchronized({ ...display.settings })
        const { device, verdict } = (await connector.request('/v3/sync', { method: 'POST' })).json
          .data
        expect(verdict).toEqual({ action: 'none', version })
        expect((await service.admin('GET', `/v3/devices/${device}`)).verdict).toBe('none')
        expect(connector.output()).not.toMatch(/recommended|must not run/)
      })

      /** The command lines of a program on the display of this test. */
      const commandOf = (program: string) =>
        spawnSync('pgrep', ['-a', program], { encoding: 'utf8' })
          .stdout.split('\n')
          .filter((line) => isOnDisplay(Number.parseInt(line, 10)))
          .join('\n')
      const isOnDisplay = (pid: number) => {
        try {
          const variables = readFileSync(`/proc/${pid}/environ`, 'latin1').split('\0')
          return variables.includes(`DISPLAY=${display.settings['DISPLAY']}`)
        } catch {
          return false
        }
      }
    })

    describe('digests of the installation', () => {
      let folder: string

      /** The program and what lies beside it, somewhere else. */
      beforeEach(() => {
        folder = mkdtempSync(join(tmpdir(), 'cardwire-installed-'))
        for (const name of readdirSync(dirname(connectorProgram)))
          copyFileSync(join(dirname(connectorProgram), name), join(folder, name))
        managed.closing.push(() => rm(folder, { recursive: true, force: true }))
      })
      afterEach(() => configure([]))

      const digest = (algorithm: string, name: string) =>
        createHash(algorithm)
          .update(readFileSync(join(folder, name)))
          .digest('hex')

      async function configure(files: readonly { path: string; digest: string }[]) {
        const { items } = await managed.service.admin('GET', '/v3/configurations?size=100')
        const held = items.find(({ type }: { type: string }) => type === 'FILE_DIGESTS')
        await managed.service.admin('PUT', '/v3/configurations?maxReach=999999999', {
          type: 'FILE_DIGESTS',
          versionId: version,
          config: { files },
          ...(held && { id: held.id }),
        })
      }

      async function run(): Promise<{ child: ChildProcess; output: () => string }> {
        const child = spawn(join(folder, 'cardwire'), ['run'], {
          env: createEnvironment(managed.home, {
            ...managed.settings(),
            CARDWIRE_API_PORTS: '25200-25999',
            CARDWIRE_REGISTRY_PORT: String(await findFreePort()),
            CARDWIRE_MACHINE_DIR: join(managed.home, 'machine'),
          }),
          stdio: ['ignore', 'ignore', 'pipe'],
        })
        let output = ''
        child.stderr.on('data', (part) => {
          output += String(part)
        })
        managed.closing.push(() => {
          child.kill()
          return waitForEnd(child)
        })
        return { child, output: () => output }
      }

      /** The program, and one file below its folder. */
      function right() {
        mkdirSync(join(folder, 'lists'))
        copyFileSync(join(folder, 'smartcard_list.txt'), join(folder, 'lists/cards.txt'))
        return [
          { path: 'cardwire', digest: `sha256:${digest('sha256', 'cardwire')}` },
          { path: 'lists/cards.txt', digest: digest('md5', 'lists/cards.txt') },
        ]
      }

      /** One that has synchronized: nobody waits until it does by itself. */
      async function runs() {
        const running = await run()
        await expect.poll(running.output).toContain('listening on port')
        expect(managed.cardwire(['sync']).status).toBe(0)
        return running
      }

      test('that match let the connector run; a file that is altered later ends the next start with 3, and is reported', async () => {
        proves('file-digests-verified')
        await configure(right())
        const good = await runs()
        const [, device] = /^device +(\S+)$/m.exec(managed.cardwire(['sync']).stdout) ?? []
        const faults = async () =>
          (await managed.service.admin('GET', `/v3/devices/${device}`)).faults
        expect(await faults()).toEqual([])
        good.child.kill()
        expect(await waitForEnd(good.child)).toBe(0)

        writeFileSync(join(folder, 'lists/cards.txt'), 'another list')
        const altered = await run()
        expect(await waitForEnd(altered.child)).toBe(3)
        await expect.poll(altered.output).toContain('files of the installation were altered')
        expect(await faults()).toMatchObject([
          { kind: 'digest-mismatch', detail: 'lists/cards.txt' },
        ])

        // An empty list lets everything run, and is heard of by a version that ends for the one before.
        await configure([])
        const free = await runs()
        // A list that was heard of during the check of another clears it with the synchronization after that.
        const syncedFaults = () => {
          managed.cardwire(['sync'])
          return faults()
        }
        await expect.poll(syncedFaults).toEqual([])
        expect(free.child.exitCode).toBeNull()
      })

      test('that arrive with a synchronization are checked at once', async () => {
        proves('new-digests-verified')
        await configure([])
        const running = await runs()
        const [, list = { path: '', digest: '' }] = right()
        await configure([{ ...list, digest: digest('md5', 'cardwire') }])
        managed.cardwire(['sync'])
        expect(await waitForEnd(running.child)).toBe(3)
      })
    })
  })
