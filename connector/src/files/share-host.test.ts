/** Which hosts of shares are this machine by another name. */
import { expect, test } from 'vitest'
import { proves } from '../../../test/bed/proves.ts'
import { createJudgeFolder } from './judge-folder.ts'
import { isOtherMachine } from './share-host.ts'

const network = (addresses: readonly string[]) => ({
  hostname: () => 'Desk-7.office.example',
  ownAddresses: () => ['127.0.0.1', '192.0.2.7', '2001:db8::7', 'fe80::7%12'],
  resolve: async () => {
    if (addresses.length === 0) throw new Error('not found')
    return addresses
  },
})

test.each([
  ['desk-7', ['198.51.100.1']],
  ['DESK-7.OFFICE.EXAMPLE', ['198.51.100.1']],
  ['alias', ['192.0.2.7']],
  ['alias', ['127.0.0.1']],
  ['alias', ['127.8.9.1']],
  ['alias', ['0.0.0.0']],
  ['alias', ['::1']],
  ['alias', ['::']],
  ['alias', ['2001:DB8:0::7']],
  ['alias', ['fe80::7%3']],
  ['alias', ['::ffff:127.0.0.1']],
  ['alias', ['::ffff:192.0.2.7']],
  ['alias', ['198.51.100.1', '192.0.2.7']],
  ['192.0.2.7', ['192.0.2.7']],
  ['127.0.0.1', ['127.0.0.1']],
  ['unknown', []],
])('"%s" with the addresses %j is this machine, or may be', async (host, addresses) => {
  proves('folder-over-network')
  expect(await isOtherMachine(host, network(addresses))).toBe(false)
})

test.each([
  ['server', ['198.51.100.1']],
  ['server', ['198.51.100.1', '2001:db8::8']],
  ['desk', ['198.51.100.1']],
  ['198.51.100.1', ['198.51.100.1']],
  ['desk-7.other.example', ['198.51.100.1']],
])('"%s" with the addresses %j is another machine', async (host, addresses) => {
  expect(await isOtherMachine(host, network(addresses))).toBe(true)
})

test('a folder on a share is judged by where its host is, at each use', async () => {
  proves('folder-over-network')
  const hosts: string[] = []
  const context = { platform: 'win32', home: 'C:\\Users\\ada', own: [], programs: [] }
  let isOther = true
  const judge = createJudgeFolder(context, async (host) => {
    hosts.push(host)
    return isOther
  })
  expect(await judge('\\\\server\\share\\invoices')).toBeUndefined()
  isOther = false
  expect(await judge('\\\\server\\share\\invoices')).toBe('system')
  expect(await judge('D:\\invoices')).toBeUndefined()
  expect(hosts).toEqual(['server', 'server'])
})
