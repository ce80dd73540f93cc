/** What the log says of the card service. */
import { expect, test } from 'vitest'
import { logPcscState } from './pcsc-log.ts'
import type { PcscState, Snapshot } from './readers.ts'

const down = (code: string): PcscState => ({ kind: 'down', code, reason: `It said ${code}` })

test('each change of the card service is one line, and what its readers do is none', () => {
  const lines: string[] = []
  const record = (event: string, fields: object = {}) =>
    void lines.push(`${event} ${Object.values(fields).join(' ')}`)
  let notify: (snapshot: Snapshot) => void = () => undefined
  const subscribe = (listener: typeof notify) => {
    notify = listener
    return () => undefined
  }
  logPcscState({ subscribe }, { info: record, warn: record })
  const reader = { id: '0', name: 'A', pinpad: false }
  const snapshots: readonly (readonly [PcscState, Snapshot['readers']])[] = [
    [down('SCARD_E_NO_SERVICE'), []],
    [down('SCARD_E_NO_SERVICE'), []],
    [{ kind: 'up' }, [reader]],
    [{ kind: 'up' }, []],
    [down('SCARD_E_SERVICE_STOPPED'), []],
    [down('SCARD_E_NO_SERVICE'), []],
  ]
  for (const [sequence, [pcsc, readers]] of snapshots.entries()) notify({ sequence, pcsc, readers })
  expect(lines).toEqual([
    'no card service SCARD_E_NO_SERVICE It said SCARD_E_NO_SERVICE',
    'the smart card service is responding 1',
    'no card service SCARD_E_SERVICE_STOPPED It said SCARD_E_SERVICE_STOPPED',
    'no card service SCARD_E_NO_SERVICE It said SCARD_E_NO_SERVICE',
  ])
})
