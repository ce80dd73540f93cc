/** What many sets of groups take in memory: a device chooses its own, by the tags that it reports. */
import { expect, test } from 'vitest'
import { proves } from '../../../test/bed/proves.ts'
import type { Services } from '../services.ts'
import type { Catalog, ConfigurationRow } from './catalog.ts'
import { createPolicyResolver } from './policy.ts'

const rowOf = (id: string, groupId: string, config: ConfigurationRow['config']) =>
  ({
    id,
    groupId,
    type: 'cors' in config ? 'CONTEXT_CONFIG' : 'FILE_DIGESTS',
    config,
  }) as ConfigurationRow

test('devices in different groups that get the same have one policy, and policies share the files of a row', async () => {
  proves('groups-costly')
  const file = { path: 'bin/connector', digest: `sha256:${'a'.repeat(64)}` }
  const rows = [
    rowOf('all-files', '', { files: [file] }),
    rowOf('all-sites', '', { cors: [] }),
    rowOf('first-sites', 'first', { cors: ['https://first.example'] }),
    rowOf('second-sites', 'second', { cors: ['https://second.example'] }),
  ]
  const results = new Map<string, unknown>()
  const catalog = {
    ...{ releases: [], offered: [], rollouts: [], groups: [] },
    getConfigurations: async () => rows,
    memo: async (name: string, make: () => Promise<unknown>) => {
      if (!results.has(name)) results.set(name, await make())
      return results.get(name)
    },
  } as unknown as Catalog
  const services = {
    ...{ packages: undefined, clock: () => 0, settings: { cycleS: 60 } },
    keyring: { list: async () => [] },
    digest: async (text: string) => `digest of ${text}`,
  } as unknown as Services
  const resolve = createPolicyResolver(services, {
    createInstallerUrl: () => '',
    keystoreUrl: 'https://ds.example/keystore',
  })
  const read = (groups: readonly string[]) =>
    resolve(catalog, '1.0.0', 'UNIX', {
      ...{ isApproved: true, machine: {}, reachedBy: new Set<string>(), groups },
    })
  const policies = [
    await read(['first', 'second', 'third']),
    await read(['first', 'third']),
    await read(['second', 'first']),
    await read(['third']),
  ]
  expect(policies.map(({ cors }) => cors)).toEqual([
    ['https://first.example'],
    ['https://first.example'],
    ['https://second.example'],
    [],
  ])
  expect([...results.keys()].filter((name) => name.startsWith('policy of')).length).toBe(3)
  const [one, , other] = policies
  expect(one?.files).toEqual([file])
  expect(one?.files).toBe(other?.files)
})
