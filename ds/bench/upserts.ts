/** Upserts over HTTP against bare better-sqlite3, both on disk before they count. */
import { join } from 'node:path'
import { runNodeProgram } from './child-process.ts'
import { measureRate } from './load-generator.ts'
import { measureMedians } from './medians.ts'
import type { Service } from './service.ts'
import { formatRate, formatRatio, type Line } from './table.ts'

export async function measureUpserts(folder: string, service: Service): Promise<Line[]> {
  const load = {
    url: `${service.url}/v3/versions`,
    method: 'PUT',
    headers: { authorization: `Bearer ${service.token}`, 'content-type': 'application/json' },
    body: JSON.stringify(service.version),
  }
  const file = join(folder, 'bare.sqlite')
  const { http, bare } = await measureMedians(
    {
      http: () => measureRate(folder, load, 2),
      bare: async () =>
        Number(await runNodeProgram(import.meta.resolve('./bare-upsert.ts'), file, '1')),
    },
    3,
  )
  return [
    { what: 'upserts of a version', figure: formatRate(http) },
    {
      what: '  bare better-sqlite3, WAL, FULL',
      figure: formatRate(bare),
      note: formatRatio(http, bare),
    },
  ]
}
