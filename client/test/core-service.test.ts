/** Every call of the core service, over the contract's own binding. */
import { expect, test } from 'vitest'
import { initializeWith } from '../src/initialize.ts'
import { reader, startConnector } from './harness/connector.ts'
import { failureOf } from './harness/failure.ts'
import { openPage } from './harness/page.ts'

async function start() {
  const connector = await startConnector()
  connector.makeConsent()
  const configuration = { t1cApiUrl: 'http://localhost', t1cApiPort: connector.apiPort }
  return { connector, client: await initializeWith(openPage().ports, configuration, {}) }
}

test('readers are listed: all, with a card, without a card, without some names, one', async () => {
  const { connector, client } = await start()
  const [empty, full, pad] = [reader('a'), reader('b', '3B00'), reader('c', '3B01')]
  connector.state.readers = [empty, full, pad]
  expect(await client.readers()).toEqual([empty, full, pad])
  expect(await client.readersCardAvailable()).toEqual([full, pad])
  expect(await client.readersCardsUnavailable()).toEqual([empty])
  expect(await client.readersExcludedByName('Reader b')).toEqual([pad])
  expect(await client.readersExcludedByName(['Reader c'])).toEqual([full])
  expect(await client.reader('b')).toEqual(full)
  expect(await failureOf(client.reader('z'))).toMatchObject({
    code: '100',
    problem: 'reader-unknown',
    wireCode: '701001',
  })
})

test('a detection resolves with the reader, and with null when time is up', async () => {
  const { connector, client } = await start()
  expect(await client.detectReaders({ timeoutS: 1 })).toBeNull()
  expect(await client.detectAnyCard({ timeoutS: 1 })).toBeNull()
  connector.state.readers = [reader('a', '3B00')]
  expect(await client.detectAnyCard()).toEqual(reader('a', '3B00'))
  expect(await client.detectCard('a', { timeoutS: 60 })).toEqual(reader('a', '3B00'))
  expect(await failureOf(client.detectAnyCard({ timeoutS: 61 }))).toMatchObject({
    code: '100',
    problem: 'input-invalid',
  })
})

test('a reader id is encoded as one part of the path', async () => {
  const { connector, client } = await start()
  const id = '57a3 e2/x?y#z%2F..'
  connector.state.readers = [reader(id)]
  expect(await client.reader(id)).toEqual(reader(id))
})

test('information, version, modules, certificate and browser are returned as the connector sends them', async () => {
  const { client } = await start()
  expect((await client.info()).t1CInfoUser.hostName).toBe('desk-7')
  expect(await client.version()).toBe('4.0.0')
  expect(await client.modules()).toMatchObject([{ id: 'x509', description: 'for undefined' }])
  expect(await client.modules({ atr: '3B00' })).toMatchObject([{ description: 'for 3B00' }])
  expect(await client.module('x509')).toMatchObject({ id: 'x509', systems: ['linux'] })
  expect(await client.deviceCertificate()).toEqual({ certificate: 'pem', fingerprint: 'ff' })
  expect(await client.browser()).toMatchObject({ name: 'Firefox', os: { name: 'Linux' } })
})
