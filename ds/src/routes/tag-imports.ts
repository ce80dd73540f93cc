/** Reads tags of devices from a CSV file, and keeps what they would change. */
import {
  getTagImport,
  maxImportBytes,
  maxImportRows,
  maxImports,
  Problem,
  putTagImport,
} from '@cardwire/protocol'
import { eq } from 'drizzle-orm'
import { explainCondition, limitInBatch } from '../db/batch-conditions.ts'
import { mapConstraintError } from '../db/constraint-error.ts'
import { findChange, toEffect } from '../db/device-changes.ts'
import { countDevices } from '../db/device-counts.ts'
import { devices, tagImports } from '../db/schema.ts'
import { countGroupChanges, isPlanned } from '../db/tag-changes.ts'
import { findImport, makeRoomForImport, planTags, type TagRow } from '../db/tag-imports.ts'
import type { Bind } from '../http/bind.ts'
import { receiveLongBody } from '../http/long-body.ts'
import { receiveUpload } from '../http/receive-upload.ts'
import { createChangeUnknownProblem } from '../rules/problems.ts'
import { CsvError, type CsvRow, createCsvReader } from '../rules/read-csv.ts'
import type { Services } from '../services.ts'

export function bindTagImportRoutes(bind: Bind, services: Services): void {
  const { db, reader, clock, settings } = services

  bind(putTagImport, async ({ params: { id }, body, caller, audit }, context) => {
    if ((await findImport(db, id)) || (await findChange(db, id))) throw createTakenProblem(id)
    const { access } = putTagImport
    const rows = await receiveLongBody(
      services,
      caller,
      access,
      context,
      async (requireAllowed) => {
        const read = await readRows(receiveUpload(body, () => undefined))
        await requireAllowed()
        return read
      },
    )
    await makeRoomForImport(db, clock())
    // Nothing is changed by it until its review is there.
    const stored = mapConstraintError(
      db.batch([
        audit.createEntry('devices', id, ['tags']).toStatement(),
        db.insert(tagImports).values({ id, createdAt: clock() }),
        limitInBatch(db, tagImports, undefined, maxImports),
      ]),
      () => createTakenProblem(id),
    )
    await explainCondition(stored, createFullProblem)
    const plan = await planTags(db, reader, id, rows)
    const reach = await reader.$count(devices, isPlanned(id))
    const { tagChange } = toEffect(db, { id, change: 'importTags', tags: null }, undefined)
    const groups =
      tagChange && reach > 0 ? await countGroupChanges(reader, tagChange, isPlanned(id), reach) : []
    const isLarge = reach > (await countDevices(reader)) * settings.reviewShare
    const review = { id, ...plan, reach, isLarge, groups }
    await db.update(tagImports).set({ review }).where(eq(tagImports.id, id))
    return { data: review }
  })

  bind(getTagImport, async ({ params: { id } }) => {
    const row = await findImport(db, id)
    if (!row?.review) throw createChangeUnknownProblem(id)
    return { data: row.review }
  })
}

const createTakenProblem = (id: string) =>
  new Problem('change-taken', `Cannot read the file: "${id}" is the ID of another change`)

const retryAfterS = 60

const createFullProblem = () =>
  new Problem(
    'too-many-requests',
    `Cannot read the file: ${maxImports} others are being read or applied, try again in ${retryAfterS} s`,
    { retryAfterS },
  )

/** The rows behind the first one, as far as they are about tags. */
async function readRows(body: ReadableStream<Uint8Array>): Promise<TagRow[]> {
  const rows: TagRow[] = []
  let toRow: ((row: CsvRow) => TagRow) | undefined
  for await (const row of readCsv(body)) {
    if (toRow) rows.push(toRow(row))
    else toRow = prepareRows(row.cells)
    if (rows.length > maxImportRows)
      throw new Problem(
        'body-too-large',
        `Cannot read the file: it has more than ${maxImportRows} rows`,
      )
  }
  if (toRow) return rows
  throw createMalformed('it is empty')
}

function prepareRows(names: readonly string[]): (row: CsvRow) => TagRow {
  const find = (name: string) => names.findIndex((one) => one.trim().toLowerCase() === name)
  const [id, hostname, tags] = [find('id'), find('hostname'), find('tags')]
  if (tags < 0) throw createMalformed('its first line has no column "tags"')
  if (id < 0 && hostname < 0)
    throw createMalformed('its first line has no column "id" and no column "hostname"')
  return ({ line, cells }) => ({
    line,
    id: cells[id]?.trim().toLowerCase() ?? '',
    hostname: cells[hostname]?.trim() ?? '',
    tags: cells[tags],
  })
}

async function* readCsv(body: ReadableStream<Uint8Array>): AsyncGenerator<CsvRow> {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  const csv = createCsvReader()
  let size = 0
  try {
    for (;;) {
      const { value, done } = await reader.read()
      size += value?.length ?? 0
      if (size > maxImportBytes)
        throw new Problem(
          'body-too-large',
          `Cannot read the file: it is larger than ${maxImportBytes} bytes`,
        )
      yield* csv.push(decoder.decode(value, { stream: !done }))
      if (done) break
    }
    yield* csv.end()
  } catch (error) {
    if (error instanceof CsvError) throw createMalformed(error.message)
    throw error
  }
}

const createMalformed = (reason: string) =>
  new Problem('body-malformed', `Cannot read the file: ${reason}`)
