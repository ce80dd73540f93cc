/** The sentence of each kind of issue. */
import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { parseInput } from './parse-input.ts'
import { Problem } from './problem.ts'

test.each<[sentence: string, schema: z.ZodMiniType, value: unknown]>([
  ['missing', z.string(), undefined],
  ['expected a string, got a number', z.string(), 5],
  ['expected a string, got null', z.string(), null],
  ['expected a string, got true', z.string(), true],
  ['expected a number, got a string', z.number(), '5'],
  ['expected a number', z.number(), Number.NaN],
  ['expected a whole number', z.int(), 1.5],
  ['expected a number, got a list', z.int(), []],
  ['expected true or false, got a string', z.boolean(), 'yes'],
  ['expected a list, got an object', z.array(z.string()), {}],
  ['expected an object, got a list', z.strictObject({}), []],
  ['expected an object, got a string', z.record(z.string(), z.string()), 'a'],
  ['expected at least 12 characters', z.string().check(z.minLength(12)), 'short'],
  ['expected at least 1 character', z.string().check(z.minLength(1)), ''],
  ['expected at most 2 characters', z.string().check(z.maxLength(2)), 'abc'],
  ['expected exactly 2 characters', z.string().check(z.length(2)), 'abc'],
  ['expected at most 1 item', z.array(z.string()).check(z.maxLength(1)), ['a', 'b']],
  ['expected a number of at least 1', z.int().check(z.minimum(1)), 0],
  ['expected a number of at most 9', z.int().check(z.maximum(9)), 10],
  ['expected a number of less than 9', z.number().check(z.lt(9)), 9],
  ['expected a number of more than 9', z.number().check(z.gt(9)), 9],
  ['expected a multiple of 4', z.int().check(z.multipleOf(4)), 5],
  ['expected "a"', z.literal('a'), 'b'],
  ['expected one of "a", "b"', z.enum(['a', 'b']), 'c'],
  ['expected a UUID', z.uuid(), 'x'],
  ['expected a time such as 2026-01-31T09:30:00Z', z.iso.datetime(), 'today'],
  ['expected a date such as 2026-01-31', z.iso.date(), 'today'],
  ['expected a URL such as https://example.com/', z.url(), 'x'],
  ['expected text that matches /^a$/', z.string().check(z.regex(/^a$/)), 'b'],
  ['expected digits', z.string().check(z.regex(/^\d+$/, 'expected digits')), 'b'],
  [
    'expected a string, got true, or expected a number, got true',
    z.union([z.string(), z.number()]),
    true,
  ],
  [
    'expected another value',
    z.union([z.object({ a: z.string() }), z.object({ b: z.string() })]),
    {},
  ],
  ['a field name is not valid: expected a UUID', z.record(z.uuid(), z.string()), { a: 'b' }],
])('%s', (sentence, schema, value) => {
  expect(readErrors(z.object({ field: schema }), { field: value })).toEqual([
    { path: expect.stringMatching(/^field/), message: sentence },
  ])
})

test('the kinds that a value may have are listed where it has none of them', () => {
  const schema = z.discriminatedUnion('type', [
    z.object({ type: z.literal('a') }),
    z.object({ type: z.literal('b') }),
  ])
  expect(readErrors(schema, { type: 'c' })).toEqual([
    { path: 'type', message: 'expected one of "a", "b"' },
  ])
})

function readErrors(schema: z.ZodMiniType, value: unknown) {
  try {
    parseInput(schema, value, 'body')
  } catch (error) {
    if (error instanceof Problem) return error.extras.errors
    throw error
  }
  throw new Error('It was accepted')
}
