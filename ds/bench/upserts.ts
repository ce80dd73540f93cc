/** Upserts over HTTP against bare better-sqlite3, both on disk before they count. */
import { join } from 'node:path'
import { program } from './child.ts'
import { rate } from './load.ts'
import { medians } from './rounds.ts'
import type { Service } from './service.ts'
import { count, type Line, ratio } from './table.ts'

export async function upserts(folder: string, service: Service): Promise<Line[]> {
  const load = {
    url: `${service.url}/v3/versions`,
    method: 'PUT',
    headers: { authorization: `Bearer ${service.token}`, 'content-type': 'application/json' },
    body: JSON.stringify(service.version),
  }
  const file = join(folder, 'bare.sqlite')
  const { http, bare } = await medians(
    {
      http: () => rate(folder, load, 2),
      bare: async () => Number(await program(import.meta.resolve('./bare-upsert.ts'), file, '1')),
    },
    3,
  )
  return [
    { what: 'upserts of a version', figure: count(http) },
    {
      what: '  bare better-sqlite3, WAL, FULL',
      figure: count(bare),
      note: ratio(http, bare),
    },
  ]
}
