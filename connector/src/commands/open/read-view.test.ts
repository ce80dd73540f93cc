/** What the page says about updates. */
import type { SyncState } from '@cardwire/client/protocol'
import { expect, test } from 'vitest'
import { toUpdateView } from './read-view.ts'

const service = 'https://ds.example'
const offer = { version: '4.1.0', url: 'https://downloads.example/a.deb' }
const sync = (action: 'none' | 'recommend' | 'require' | 'stop', more: object = {}): SyncState => ({
  service,
  standing: 'good',
  verdict: { action, version: '4.0.0', ...more },
})

test.each<[string, SyncState, boolean, object]>([
  ['no service', { standing: 'unmanaged' }, true, { state: 'unmanaged' }],
  ['no policy', { service, standing: 'waiting' }, true, { state: 'unknown' }],
  ['a policy for another version', sync('stop', { version: '3.9.0' }), true, { state: 'unknown' }],
  ['nothing to do', sync('none', { offer }), true, { state: 'current' }],
  ['an offer', sync('recommend', { offer }), true, { state: 'recommended', offer }],
  ['a demand', sync('require', { offer }), true, { state: 'required', offer }],
  ['an end', sync('stop'), true, { state: 'forbidden' }],
  ['offers that are off', sync('stop', { offer }), false, { state: 'forbidden', isMuted: true }],
])('with %s', (_, state, offersUpdates, expected) => {
  expect(toUpdateView(state, offersUpdates, '4.0.0')).toEqual(expected)
})
