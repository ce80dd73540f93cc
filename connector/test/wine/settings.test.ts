/** The settings of an administrator on Windows, read from a real registry, as far as Wine has one. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { proves } from '../../../test/bed/proves.ts'
import { type Act, openAct } from './run-program.ts'

const managedKey = 'HKLM\\SOFTWARE\\Policies\\Cardwire'

let act: Act
beforeAll(async () => {
  act = await openAct('./settings-program.ts')
})
afterAll(() => act.stop())

const set = (name: string, type: string, data: string) =>
  act.output('reg', 'add', managedKey, '/v', name, '/t', type, '/d', data, '/f')

test('texts and numbers of the keys of the machine are settings, an empty one beside others', async () => {
  proves('machine-settings')
  // There is none, unless Wine shares the prefix of another test.
  await act.output('reg', 'delete', managedKey, '/f').catch(() => undefined)
  const machine = { name: 'HKLM\\SOFTWARE\\Cardwire', values: {} }
  expect(JSON.parse(await act.run())).toEqual({
    machine,
    managed: { name: managedKey, values: {} },
  })
  await set('CARDWIRE_CA_FILE', 'REG_SZ', '')
  await set('CARDWIRE_DS_URL', 'REG_SZ', 'https://ds.example/a b')
  await set('CARDWIRE_REGISTRY_PORT', 'REG_DWORD', '51984')
  expect(JSON.parse(await act.run())).toEqual({
    machine,
    managed: {
      name: managedKey,
      values: {
        CARDWIRE_CA_FILE: '',
        CARDWIRE_DS_URL: 'https://ds.example/a b',
        CARDWIRE_REGISTRY_PORT: '51984',
      },
    },
  })
})
