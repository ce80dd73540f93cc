/** A compiled connector registers with its service, and each reports what it knows of the other. */

import { execFileSync, spawnSync } from 'node:child_process'
import { readFileSync, statSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { type Connector, homePaths } from '../../../../test/bed/connector.ts'
import { createEnvironment, runProgram } from '../../../../test/bed/program.ts'
import { proves } from '../../../../test/bed/proves.ts'
import { connectorProgram } from '../../../../test/bed/repository.ts'
import { type Managed, version } from '../managed.ts'

export const registrationSuite = (managed: Managed) =>
  describe('registration', () => {
    /** As administrators see it. */
    const deviceOf = async (connector: Connector) => {
      const { json } = await connector.request('/v3/sync', { method: 'POST' })
      return managed.service.admin('GET', `/v3/devices/${json.data.device}`)
    }

    test('A connector registers with the installation key of its version, and is shown with its machine', async () => {
      proves('installation-key-matches-installer', 'connector-registers', 'context-sent')
      const connector = await managed.startSynchronized()
      expect(await deviceOf(connector)).toMatchObject({
        version,
        platform: 'UNIX',
        blocked: false,
        registrations: 1,
        verdict: 'none',
        device: { hostname: hostname(), architecture: process.arch, os: 'linux' },
        faults: [],
      })
    })

    test('A registered connector has the id in /info by which its service knows it', async () => {
      proves('api-info')
      const connector = await managed.startSynchronized()
      const { id } = await deviceOf(connector)
      const { t1CInfoAPI } = (await connector.request('/info')).json.data
      expect(t1CInfoAPI).toMatchObject({ uid: id, activated: true, status: 'ACTIVATED' })
    })

    test('User names are not stored by the service', async () => {
      proves('user-locale', 'context-sent')
      const connector = await managed.startSynchronized({ LANG: 'de_BE.UTF-8', TZ: 'Asia/Tokyo' })
      const { user } = await deviceOf(connector)
      expect(user).toEqual({ language: 'de', country: 'BE', timezone: 'Asia/Tokyo' })
      expect(Object.keys(user)).not.toContain('username')
    })

    test('Another key opens no registration, and cardwire sync reports it', async () => {
      proves('installation-key-matches-installer', 'connector-registers')
      await managed.start({ CARDWIRE_INSTALLATION_KEY: crypto.randomUUID() })
      const { status, stdout } = managed.cardwire(['sync'])
      expect([status, stdout]).toEqual([1, expect.stringMatching(/✗ not synced: .*key/)])
    })

    test('A restarted connector is the same device, without the installation key', async () => {
      proves('upgrade-keeps-runtime-folder', 'installation-key-once')
      const first = await managed.startSynchronized()
      const { id } = await deviceOf(first)
      await first.stop()
      const second = await managed.start({ CARDWIRE_INSTALLATION_KEY: '' })
      expect(await deviceOf(second)).toMatchObject({ id, registrations: 1 })
    })

    test('The installation key is sent once: no file, no log and no child of the connector has it', async () => {
      proves('installation-key-once')
      const connector = await managed.startSynchronized({ CARDWIRE_LOG_LEVEL: 'debug' })
      const { pid } = (await connector.request('/info')).json.data.t1CInfoAPI.registry
      const environment = readFileSync(`/proc/${pid}/environ`, 'utf8')
      expect(environment).toContain('CARDWIRE_DS_URL')
      const files = execFileSync('find', [managed.home, '-type', 'f'], { encoding: 'utf8' })
        .trim()
        .split('\n')
      const texts = files.map((path) => readFileSync(path, 'latin1'))
      for (const text of [environment, connector.output(), ...texts])
        expect(text).not.toContain(managed.installationKey)
      const { runtime } = homePaths(managed.home)
      for (const name of ['identity-key.pem', 'service.json'])
        expect(statSync(join(runtime, name)).mode & 0o777).toBe(0o600)
    })

    test('GET /logs/push uploads the logs, and is a problem when it cannot', async () => {
      proves('log-upload')
      const connector = await managed.startSynchronized()
      expect((await connector.request('/logs/push')).json.data).toEqual({ pushed: true })
      const { id } = await deviceOf(connector)
      const token = await managed.service.login()
      const { bytes } = await managed.service.request('GET', `/v3/devices/${id}/logs`, { token })
      const logs = gunzipSync(bytes).toString()
      expect(logs).toContain('== api.log ==')
      expect(logs).toContain('"synced"')
      await managed.pause()
      const kept = await connector.request('/logs/push')
      expect([kept.status, kept.json.code]).toEqual([409, '113001'])
      expect(kept.json.description).toContain('Cannot reach')
    })

    test('cardwire sync shows what is known when the connector does not run', async () => {
      proves('background-sync')
      const connector = await managed.startSynchronized()
      await connector.stop()
      const { status, stdout } = managed.cardwire(['sync'])
      expect(status).toBe(1)
      expect(stdout).toMatch(/device +[0-9a-f-]{36}\nlast sync +20\d\d-/)
      expect(stdout).toContain('start it: cardwire run')
    })

    test('cardwire doctor reports whether the service responds and knows this connector, and the last synchronization', async () => {
      const before = managed.cardwire(['doctor'])
      expect(before.stdout).toContain(
        `the distribution service ${managed.service.url} is responding`,
      )
      expect(before.stdout).toContain('✗ this connector is not registered with the service')
      await managed.startSynchronized()
      const after = managed.cardwire(['doctor'])
      expect(after.stdout).toMatch(/✓ this connector is registered as [0-9a-f-]{36}/)
      expect(after.stdout).toMatch(/✓ it last synced at 20\d\d-/)
      await managed.pause()
      const away = managed.cardwire(['doctor'])
      expect(away.stdout).toContain(
        `✗ the distribution service ${managed.service.url} is not responding`,
      )
    })

    test('cardwire doctor tells a wrong installation key from none, running or not', async () => {
      proves('doctor-service')
      const none = managed.cardwire(['doctor'])
      expect(none.stdout).toContain(
        'set CARDWIRE_INSTALLATION_KEY to the key of this version, then',
      )
      const wrong = { CARDWIRE_INSTALLATION_KEY: crypto.randomUUID() }
      const stopped = managed.cardwire(['doctor'], wrong)
      expect(stopped.stdout).toContain('✗ the service rejects the installation key')
      const right = managed.cardwire(['doctor'], managed.settings())
      expect(right.stdout).toContain('✗ this connector is not registered with the service yet')
      expect(right.stdout).toContain('→ start it: cardwire run')
      await managed.start(wrong)
      // The terminal has no key: what counts is the one of the connector.
      const running = managed.cardwire(['doctor'])
      expect(running.stdout).toContain('✗ the service rejects the installation key')
      for (const { stdout, status } of [stopped, running]) {
        expect(stdout).not.toContain(wrong.CARDWIRE_INSTALLATION_KEY)
        expect(status).toBe(1)
      }
    })

    test('cardwire doctor reports that the service has blocked this connector, running or not', async () => {
      proves('doctor-service')
      const connector = await managed.startSynchronized()
      const { id } = await deviceOf(connector)
      const set = (flag: 'block' | 'unblock') =>
        managed.service.admin('POST', `/v3/devices/${id}/${flag}`)
      // Not `managed.cardwire`, during which this process cannot see that the service has closed a connection.
      const doctor = async () => {
        const env = createEnvironment(managed.home, { CARDWIRE_DS_URL: managed.service.url })
        return runProgram([connectorProgram, 'doctor'], { env })
      }
      const blocked = '✗ the service has blocked this connector'
      expect((await doctor()).out).not.toContain(blocked)
      await set('block')
      const running = await doctor()
      expect([running.status, running.out]).toEqual([1, expect.stringContaining(blocked)])
      expect(running.out).toContain(`→ ask the administrator to unblock device ${id}`)
      await connector.stop()
      expect((await doctor()).out).toContain(blocked)
      await set('unblock')
      const after = (await doctor()).out
      expect(after).not.toContain(blocked)
      expect(after).toContain(`✓ this connector is registered as ${id}`)
      expect(await managed.service.admin('GET', `/v3/devices/${id}`)).toMatchObject({
        registrations: 1,
      })
    })

    test('cardwire sync reports that a connector has no service', () => {
      const { status, stdout } = spawnSync(connectorProgram, ['sync'], {
        env: createEnvironment('/nonexistent'),
        encoding: 'utf8',
      })
      expect([status, stdout]).toEqual([0, expect.stringContaining('only its settings apply')])
    })
  })
