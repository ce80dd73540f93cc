/** The store of consents: whatever is in it, what comes out is a list that a registry looks at. */
import { expect, test } from 'vitest'
import { proves } from '../../test/bed/proves.ts'
import { readConfiguration } from './configuration.ts'
import { openConsentStorage, readApiPort } from './consent-storage.ts'

function open(text?: string) {
  const kept = new Map<string, string>()
  const storage = {
    read: () => text,
    write: (key: string, value: string | undefined) => void kept.set(key, String(value)),
  }
  const place = { url: 'https://localhost', port: '51983' }
  return { kept, consents: openConsentStorage(storage, readConfiguration({}), place) }
}

test('read returns the first thirty-two consents, and none above four kilobytes', () => {
  proves('page-storage-changed')
  const many = [...Array(40).keys()].map(String)
  expect(
    open(JSON.stringify(['x'.repeat(4097), 'y'.repeat(4096), ...many])).consents.read(),
  ).toEqual(['y'.repeat(4096), ...many.slice(0, 31)])
})

test('write uses the key and the form of legacy clients, with "undefined" for no domain', () => {
  const { kept, consents } = open()
  consents.write(['one', 'two'])
  expect([...kept]).toEqual([['t1c-consent-undefined::https://localhost:51983', '["one","two"]']])
})

const consent = (agent: unknown) => Buffer.from(JSON.stringify({ agent })).toString('base64')

test.each<[string, string, string | undefined]>([
  ['a port as text', consent({ apiPort: '25100' }), '25100'],
  ['a port as a number', consent({ apiPort: 25_100 }), '25100'],
  ['a name outside of ASCII beside it', consent({ username: 'Zoë 読者', apiPort: '1' }), '1'],
  ['a port that is none', consent({ apiPort: '65536' }), undefined],
  ['an address for a port', consent({ apiPort: '1@evil.example/' }), undefined],
  ['no port', consent({}), undefined],
  ['no agent', Buffer.from('{}').toString('base64'), undefined],
  ['no JSON', Buffer.from('noise').toString('base64'), undefined],
  ['no base64', '%%%', undefined],
])('a consent with %s', (_, text, port) => {
  expect(readApiPort(text)).toBe(port)
})
