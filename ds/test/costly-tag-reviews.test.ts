/** What the review of a change of tags costs: each group is compared with each device, and a viewer may ask for it. */
import { expect, test } from 'vitest'
import { proves } from '../../test/bed/proves.ts'
import { createVersion, getData } from './harness/arrange.ts'
import { createDevice } from './harness/device.ts'
import { startInProcess } from './harness/in-process.ts'

test('the review of a change of tags compares so many values, and names the other groups without numbers', async () => {
  proves('groups-costly')
  const ds = await startInProcess({ DS_MAX_REACH: 'any' })
  try {
    const token = await ds.login()
    await createDevice(ds, await createVersion(ds, token))
    const columns = (
      await ds.driver.run({
        sql: 'select name from pragma_table_xinfo(?) where hidden = 0',
        params: ['devices'],
      })
    ).map(([name]) => String(name))
    const values = columns.map((name) =>
      name === 'id' || name === 'fingerprint' ? 'lower(hex(randomblob(16)))' : `"${name}"`,
    )
    await ds.driver.run({
      sql: `with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < 4999)
        insert into devices (${columns.map((name) => `"${name}"`)})
        select ${values} from (select * from devices limit 1), numbers`,
      params: [],
    })
    // 2 x 5,000 devices x 40 values of each group: 50 groups are 20 million.
    for (let group = 0; group < 60; group += 1) {
      const tags = Array.from({ length: 20 }, (_, at) => `g${group}-${at}`)
      const rules = [{ tags: [...tags.slice(1), 'new'] }, { tags }]
      const body = { name: `Group ${group}`, rules, priority: 100 - group }
      getData(await ds.request('PUT', `/v3/groups/${crypto.randomUUID()}`, { token, body }))
    }
    const { tagged, reach } = getData(
      await ds.request('GET', '/v3/devices/reach?change=addTags&tags=new', { token }),
    )
    expect(reach).toBe(5000)
    expect(tagged.groups).toHaveLength(60)
    expect(tagged.groups[49]).toMatchObject({ name: 'Group 49', entering: 5000, leaving: 0 })
    expect(tagged.groups[50].name).toBe('Group 50')
    expect(tagged.groups[50].entering).toBeUndefined()
  } finally {
    await ds.stop()
  }
})
