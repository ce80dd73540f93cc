/** The Debian package in a machine that boots, with two users and their sessions: from install to purge. */
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { boot, createRoot, makeMachineFolder } from '../../../../test/bed/booted-machine.ts'
import { proves } from '../../../../test/bed/proves.ts'
import { breakPackage, makePackage, stampedValues, stampPackage } from './make-packages.ts'

const script = fileURLToPath(new URL('life-cycle.sh', import.meta.url))
/** Three packages, a root, a boot, and everything in it. */
const bootMs = 600_000

let folder: string
let facts: Readonly<Record<string, string>>
beforeAll(() => {
  folder = makeMachineFolder('life-cycle')
  const env = { CARDWIRE_RELEASE_KEYS: 'A'.repeat(43) }
  const make = (version: string) =>
    makePackage(join(folder, version), ['--formats', 'deb', '--fast', '--version', version], env)
  const next = make('900.0.1')
  const packages = {
    'old.deb': make('900.0.0'),
    'new.deb': next,
    'stamped.deb': stampPackage(next, folder),
    'broken.deb': breakPackage(next, 'preinst', join(folder, 'broken')),
  }
  const root = join(folder, 'root')
  createRoot(root)
  facts = boot({ root, script, packages, results: join(folder, 'results') })
}, bootMs)
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** The facts of one chapter of the script, by their names in it. */
const read = (chapter: string) =>
  Object.fromEntries(
    Object.entries(facts).flatMap(([name, value]) =>
      name.startsWith(`${chapter}.`) ? [[name.slice(chapter.length + 1), value]] : [],
    ),
  )

describe('install', () => {
  test('asks nothing, keeps settings that were there, and leaves every file as it was packed', () => {
    expect(read('install')).toMatchObject({
      status: '0',
      settings: 'CARDWIRE_CORS=https://shop.example',
      verified: 'yes',
    })
  })

  test('brings a registry whose certificate every program of the machine trusts', () => {
    expect(facts['install.answers']).toBe('yes')
  })

  test('brings a registry whose unit systemd calls safe', () => {
    expect(Number(facts['install.exposure'])).toBeGreaterThan(0)
    expect(Number(facts['install.exposure'])).toBeLessThanOrEqual(2)
  })

  test('starts the connector in sessions that are open', () => {
    expect(facts['install.openSession']).toBe('yes')
  })
})

describe('session', () => {
  test('of a user starts the connector, and its end ends it', () => {
    expect(read('session')).toMatchObject({ none: 'inactive', starts: 'yes', ends: 'yes inactive' })
  })

  test('has the browsers of its user trust the connector and the registry', () => {
    expect(facts['session.browsersTrust']).toBe('2 2')
  })
})

describe('end', () => {
  test('of a connector or a registry that was killed is followed by another one within 5 s', () => {
    expect(read('crash')).toEqual({ agent: 'yes', registry: 'yes' })
  })

  test('with 78 or 3 is an order: nothing starts the connector again', () => {
    expect(read('ordered')).toEqual({ forbidden: 'failed 0', altered: 'failed 0' })
  })
})

describe('upgrade', () => {
  test('ends what runs, also a connector that is stopped, and starts the new version as the same users', () => {
    proves('upgrade-stops-processes', 'update-completes')
    expect(read('upgrade')).toMatchObject({
      status: '0',
      agents: 'yes yes',
      versions: '900.0.1 900.0.1 900.0.1',
    })
    expect(Number(facts['upgrade.ms'])).toBeLessThan(30_000)
  })

  test('keeps the keys, the state and the roots of everybody', () => {
    proves('package-complete', 'update-completes')
    expect(facts['upgrade.kept']).toBe('yes')
  })

  test('has the registry answer again within 3 s', () => {
    expect(Number(facts['upgrade.gap'])).toBeLessThanOrEqual(3000)
  })

  test('that fails leaves the version before, and it runs', () => {
    expect(read('failed')).toEqual({
      status: '1',
      runs: 'yes yes 900.0.1',
      state: 'install ok installed 900.0.1',
    })
  })

  test('leaves a registry disabled or stopped that an administrator disabled or stopped', () => {
    expect(facts['disabled.registry']).toBe('disabled inactive')
    expect(facts['stopped.registry']).toBe('enabled inactive')
  })
})

describe('package that a service has written its values into', () => {
  test('gives them to the connector of each user, also after an upgrade without values', () => {
    proves('package-has-installation-key')
    const from = 'from /etc/cardwire/installed.conf'
    const values = [
      `CARDWIRE_DS_URL ${stampedValues.url} ${from}`,
      `CARDWIRE_INSTALLATION_KEY (set) ${from}`,
      `CARDWIRE_DS_FINGERPRINTS ${stampedValues.fingerprints.join()} ${from}`,
    ].join(' ')
    expect(read('stamped')).toEqual({
      status: '0',
      file: '644 root',
      user: values,
      later: values,
    })
  })
})

describe('remove', () => {
  test('ends everything, removes the program and the trust, and keeps state, certificates and settings', () => {
    proves('shared-folder-kept', 'old-root-trusted')
    expect(read('remove')).toEqual({
      status: '0',
      program: 'no no',
      processes: '0',
      kept: 'yes',
      trust: 'no 0 0',
      settings: 'yes',
    })
  })

  test('and install again continue with the same keys', () => {
    expect(read('again')).toEqual({ answers: 'yes', kept: 'yes' })
  })
})

describe('purge', () => {
  test('removes runtime, settings, trust and units, and keeps the certificates and what is managed', () => {
    proves('uninstall-removes-all')
    expect(read('purge')).toMatchObject({
      status: '0',
      runtime: 'no',
      certificates: 'yes yes',
      settings: 'managed.conf',
      machine: 'certificates',
      units: '',
      trust: 'no',
    })
  })

  test('follows no link of a user, neither to what is theirs nor to what is not', () => {
    proves('purge-link')
    expect(facts['purge.links']).toBe('keep keep')
  })
})
