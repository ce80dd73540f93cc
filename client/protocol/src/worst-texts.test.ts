/** How much each text of a request weighs at most when the service shows it again: in JSON, where a control character has six bytes. */
import { expect, test } from 'vitest'
import { proves } from '../../../test/bed/proves.ts'
import { listTakenTexts } from '../../../test/bed/worst-texts.ts'
import { dsOperations } from './ds.ts'
import { countJsonBytes } from './shorten.ts'

const fromDevices = dsOperations.filter(({ access }) => ['registration', 'device'].includes(access))
const taken = dsOperations.map((operation) => ({ operation, texts: listTakenTexts(operation) }))

/** The heaviest text of each field of an operation, in bytes. */
function weigh(name: string): Record<string, number> {
  const fields = new Map<string, number>()
  for (const { path, text } of taken.find(({ operation }) => operation.name === name)?.texts ?? [])
    fields.set(path, Math.max(fields.get(path) ?? 0, countJsonBytes(text)))
  return Object.fromEntries(fields)
}

test('each text of a device has at most these bytes', () => {
  proves('device-report-large')
  const device = {
    'device.hostname': 255,
    'device.architecture': 64,
    'device.os': 128,
    'device.osVersion': 128,
    'device.packageFormat': 16,
    'device.component': 64,
    'device.tags.0': 64,
  }
  expect(weigh('registerDevice')).toEqual({ version: 256, ...device })
  expect(weigh('syncDevice')).toEqual({
    version: 256,
    state: 64,
    keystore: 64,
    ...device,
    'user.username': 255,
    'user.name': 255,
    'user.timezone': 64,
    'user.country': 64,
    'user.language': 64,
    'batches.0.entries.0.label': 200,
    'batches.0.entries.0.module': 64,
    'batches.0.entries.0.tag': 64,
    'faults.0.kind': 64,
    'faults.0.detail': 1000,
    'faults.0.at': 37,
  })
  expect(fromDevices.filter(({ body }) => body).map(({ name }) => name)).toEqual([
    'registerDevice',
    'syncDevice',
    'uploadLogs',
  ])
})

test('no text of a device has a control character', () => {
  proves('device-report-large')
  const controls = taken
    .filter(({ operation }) => fromDevices.includes(operation))
    .flatMap(({ texts }) => texts)
    .filter(({ text }) => /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]/u.test(text))
  expect(controls).toEqual([])
})

test('each text of a body that is stored or shown has at most 6,144 bytes', () => {
  proves('device-report-large')
  const heavy = taken.flatMap(({ operation, texts }) =>
    texts
      .filter(({ text }) => text.length > 1024 && countJsonBytes(text) > 6144)
      .map(({ path }) => `${operation.name} ${path}`),
  )
  // These are only compared, or verified.
  expect([...new Set(heavy)]).toEqual([
    'issueClientToken client_assertion',
    'issueClientToken subject_token',
    'issueToken refresh_token',
    'endSession refresh_token',
  ])
})
