/** What the client reads of an answer: every member that the contract has, each with its own validator, each list with a largest length. */

import * as contract from '@cardwire/protocol'
import { describe, expect, test } from 'vitest'
import { proves } from '../../test/bed/proves.ts'
import * as endpoints from '../src/endpoints.ts'
import * as fileAnswers from '../src/file-answers.ts'

/** A schema of zod, as far as an answer is made from it (zod.dev/packages/core). */
interface Schema {
  readonly _zod: { readonly def: { readonly type: string } }
}

type Definition =
  | { readonly type: 'object'; readonly shape: Readonly<Record<string, Schema>> }
  | { readonly type: 'array'; readonly element: Schema }
  | { readonly type: 'record'; readonly valueType: Schema }
  | { readonly type: 'union'; readonly options: readonly Schema[] }
  | { readonly type: 'optional' | 'nullable' | 'readonly'; readonly innerType: Schema }
  | { readonly type: 'literal'; readonly values: readonly unknown[] }
  | { readonly type: 'enum'; readonly entries: Readonly<Record<string, unknown>> }
  | { readonly type: 'string' | 'number' | 'boolean' }

/** An answer with all that may be in it; those of legacy clients come last in a union. */
function write({ _zod }: Schema): unknown {
  const def = _zod.def as Definition
  switch (def.type) {
    case 'object':
      return Object.fromEntries(
        Object.entries(def.shape).map(([name, schema]) => [name, write(schema)]),
      )
    case 'array':
      return [write(def.element)]
    case 'record':
      return { a: write(def.valueType) }
    case 'union':
      return write(def.options[0] as Schema)
    case 'optional':
    case 'nullable':
    case 'readonly':
      return write(def.innerType)
    case 'literal':
      return def.values[0]
    case 'enum':
      return Object.values(def.entries)[0]
    case 'string':
      return 'a'
    case 'number':
      return 1
    case 'boolean':
      return true
    default:
      throw new Error(`Cannot write a value of ${JSON.stringify(def)}: say here what it is`)
  }
}

type Changed = readonly [what: string, value: unknown]

/** More items than any list of the contract has. */
const many = 10_001

/** The value with one fault, once for each place that can have one. */
function listFaults(value: unknown, path = 'data'): readonly Changed[] {
  if (typeof value !== 'object' || value === null) return [[`${path} is an object`, {}]]
  const own: Changed[] = [[`${path} is a number`, 1]]
  if (Array.isArray(value)) {
    const [item] = value
    own.push([`${path} is too long`, Array.from({ length: many }, () => item)])
    own.push([`${path} has null`, [null]], [`${path} has null behind an item`, [item, null]])
    const inside = listFaults(item, `${path}[0]`)
    return [...own, ...inside.map(([what, changed]) => [what, [changed]] as const)]
  }
  const members = Object.entries(value)
  const inside = members.flatMap(([name, member]) =>
    listFaults(member, `${path}.${name}`).map(
      ([what, changed]) => [what, { ...value, [name]: changed }] as const,
    ),
  )
  return [...own, ...inside]
}

const operationOf = (method: string, path: string) =>
  contract.connectorOperations.find((one) => one.method === method && one.path === path)

function schemaOf({ reply }: contract.Operation): Schema | undefined {
  if (reply.kind === 'response') return undefined
  const def = reply.schema._zod.def as unknown as Definition
  return reply.kind === 'document' && def.type === 'object' ? def.shape['data'] : reply.schema
}

type Validate = (data: unknown) => unknown

const operations = Object.entries(endpoints).flatMap(([name, value]) =>
  typeof value === 'function' ? [] : [[name, value] as const],
)
const [snapshot, change] = contract.ReaderEvent.def.options
const answers: readonly (readonly [name: string, Validate, Schema | undefined])[] = [
  ...operations.map(([name, { method, path, data }]) => {
    const operation = operationOf(method, path)
    return [name, data as Validate, operation && schemaOf(operation)] as const
  }),
  ['a snapshot', endpoints.readerEvent, snapshot],
  ['a change', endpoints.readerEvent, change],
  ['a type of files', fileAnswers.fileType, contract.FileType],
  ['types of files', fileAnswers.fileTypeList, contract.FileTypeList],
  ['a file', fileAnswers.fileEntry, contract.FileEntry],
  ['files', fileAnswers.fileList, contract.FileList],
]

test('every operation of the client is one of the contract, and only the stream has no data', () => {
  const without = answers.flatMap(([name, , schema]) => (schema ? [] : [name]))
  expect(without).toEqual(['readerEvents'])
  expect(answers.length).toBeGreaterThan(25)
})

describe.each(answers.filter(([name]) => name !== 'readerEvents'))('%s', (_, validate, schema) => {
  const whole = schema && write(schema)

  test('is read with all that the contract has', () => {
    expect(validate(whole)).toEqual(whole)
  })

  test('is refused with one value of another type, and with one list or record that is too long', () => {
    proves('response-huge')
    const read = listFaults(whole).flatMap(([what, value]) => {
      try {
        validate(value)
        return [what]
      } catch {
        return []
      }
    })
    expect(read).toEqual([])
  })
})

test('a record with too many members is refused', () => {
  const browser = {
    ...{ name: 'a', version: '1', engine: 'a', os: { name: 'a', version: '1' }, mobile: false },
    hints: Object.fromEntries(Array.from({ length: many }, (_, at) => [`a${at}`, ''])),
  }
  expect(() => endpoints.getBrowser.data(browser)).toThrow('"hints" is not as expected')
})
