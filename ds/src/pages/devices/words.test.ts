/** Every state of a device has words. */
import { Verdict } from '@cardwire/protocol'
import { expect, test } from 'vitest'
import { describeFault, explainVerdict, nameDevice } from './words.ts'

test.each(Verdict.shape.action.options)('explainVerdict has a sentence for "%s"', (action) => {
  expect(explainVerdict(action, '4.0.0')).toMatch(/4\.0\.0.*\.$/)
})

test.each(['recommend', 'require', 'stop'] as const)(
  'explainVerdict names the version that is offered with "%s"',
  (action) => {
    expect(explainVerdict(action, '4.0.0', '4.1.0')).toContain(
      'Version 4.1.0 is available to install.',
    )
  },
)

test('explainVerdict says where a device has nothing to go to', () => {
  expect(explainVerdict('stop', '4.0.0')).toContain(
    'No version that this device can use has an installer',
  )
})

test('describeFault names the setting that mends it', () => {
  expect(describeFault('reply-refused').remedy).toContain('CARDWIRE_DS_FINGERPRINTS')
})

test('describeFault has the kind itself for one that it does not know', () => {
  expect(describeFault('keystore-missing').what).toBe('Can’t download the keystore')
  expect(describeFault('of-tomorrow').what).toBe('of-tomorrow')
  expect(describeFault('constructor').what).toBe('constructor')
})

test.each([
  [{ hostname: ' till-4 ' }, 'till-4'],
  [{ hostname: '  ' }, 'an-id'],
  [{}, 'an-id'],
])('nameDevice of %o is "%s"', (device, name) => {
  expect(nameDevice({ id: 'an-id', device })).toBe(name)
})
