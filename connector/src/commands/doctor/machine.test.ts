/** What the doctor says about the settings of the machine, and about its registry at the service. */
import { describe, expect, test } from 'vitest'
import { toMachineFindings, toPlaceFindings } from './machine.ts'

describe('settings of the machine', () => {
  const name = '/etc/cardwire/cardwire.conf'

  test('that others than root may write are wrong, and it is said what to do', () => {
    const fault = 'users other than root can write it; run: chown root /f && chmod 0644 /f'
    expect(toPlaceFindings({ name, values: {}, fault })).toEqual([
      {
        level: 'bad',
        code: 'machine-settings-ignored',
        what: `${name} is ignored: users other than root can write it`,
        remedy: 'run: chown root /f && chmod 0644 /f',
      },
    ])
  })

  test('that this account may not read are a note, and those that count say nothing', () => {
    expect(toPlaceFindings({ name, values: {}, fault: 'this user cannot read it' })).toEqual([
      expect.objectContaining({ level: 'note' }),
    ])
    expect(toPlaceFindings({ name, values: {} })).toEqual([])
  })
})

describe('registry of the machine at the service', () => {
  const now = Date.parse('2030-01-01T00:00:00Z')
  const device = '5f0f3a52-8a6e-4f6c-9a52-0b8f3a52e001'
  const state = {
    sync: {
      service: 'https://ds.example',
      standing: 'good',
      device,
      lastGood: '2029-12-31T00:00:00.000Z',
    },
    keystore: { names: ['local.example'], until: '2031-01-01T00:00:00.000Z' },
    faults: [],
  } as const

  test('that synchronizes and has a keystore is good', () => {
    expect(toMachineFindings(state, true, now).map(({ level }) => level)).toEqual(['good', 'good'])
  })

  test.each([
    ['is refused', { sync: { ...state.sync, standing: 'refused', reason: 'blocked' } }, 'bad'],
    ['has no network', { sync: { ...state.sync, standing: 'unreachable', reason: 'x' } }, 'note'],
    ['never synced', { sync: { ...state.sync, lastGood: undefined } }, 'note'],
    ['has a fault', { faults: [{ kind: 'keystore-refused', detail: 'password' }] }, 'bad'],
    ['has an old keystore', { keystore: { names: [], until: '2029-01-01T00:00:00.000Z' } }, 'bad'],
  ] as const)('that %s is told with what to do', (_, change, level) => {
    const findings = toMachineFindings({ ...state, ...change }, true, now)
    const [reported] = findings.filter((finding) => finding.level !== 'good')
    expect(reported).toMatchObject({ level, remedy: expect.any(String) })
  })

  test('that has not begun is a note where the settings of the machine name a service', () => {
    expect(toMachineFindings(undefined, true)).toMatchObject([{ level: 'note' }])
    expect(toMachineFindings(undefined, false)).toEqual([])
  })
})
