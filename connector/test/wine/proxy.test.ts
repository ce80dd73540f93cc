/** The proxy of Windows, read from a real registry, as far as Wine has one. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Act, openAct } from './run-program.ts'

const key = 'HKCU\\Software\\Microsoft\\Windows\\CurrentVersion\\Internet Settings'

let act: Act
beforeAll(async () => {
  act = await openAct('./proxy-program.ts')
})
afterAll(() => act.stop())

const set = (name: string, type: string, data: string) =>
  act.output('reg', 'add', key, '/v', name, '/t', type, '/d', data, '/f')
const readProxy = async () => JSON.parse(await act.run())

test('the proxy of the user is returned while it is switched on', async () => {
  expect(await readProxy()).toBeNull()
  await set('ProxyServer', 'REG_SZ', 'proxy.company.example:8080')
  await set('ProxyOverride', 'REG_SZ', '*.company.example;<local>')
  await set('ProxyEnable', 'REG_DWORD', '1')
  const server = 'proxy.company.example:8080'
  const exceptions = ['*.company.example', '<local>']
  expect(await readProxy()).toEqual({ http: server, https: server, exceptions })
  await set('ProxyEnable', 'REG_DWORD', '0')
  expect(await readProxy()).toBeNull()
})
