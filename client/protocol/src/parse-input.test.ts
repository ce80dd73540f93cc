/** What a problem says about input that is wrong in very many places. */
import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { proves } from '../../../test/bed/proves.ts'
import { parseInput } from './parse-input.ts'
import { Problem, problemBody } from './problem.ts'

const Shop = z.strictObject({
  tills: z.array(z.strictObject({ name: z.string() })).check(z.maxLength(500)),
})

test('names the first 20 of 500 faults, as many in the description as fit, and how many more', () => {
  proves('large-answers')
  const body = refuse({ tills: Array.from({ length: 500 }, () => ({})) })

  expect(body.errors).toHaveLength(20)
  expect(body.errors?.[19]).toEqual({ path: 'tills[19].name', message: 'missing' })
  expect(body.description).toMatch(/^Cannot accept the body: "tills\[0\]\.name": missing; .* more$/)
  const named = body.description.split('missing').length - 1
  expect(body.description).toContain(`; and ${500 - named} more`)
  expect(new TextEncoder().encode(body.description).length).toBeLessThanOrEqual(1000)
})

test('names 20 of very many unknown fields, each shortened', () => {
  proves('large-answers')
  const fields = Array.from({ length: 10_000 }, (_, at) => [`${at}${'\u0000'.repeat(1000)}`, 0])
  const body = refuse({ tills: [], ...Object.fromEntries(fields) })

  expect(body.errors).toHaveLength(20)
  expect(JSON.stringify(body).length).toBeLessThan(16_384)
  expect(body.description).toContain('more')
})

test('a list that is too long is one fault, whatever is in it', () => {
  proves('large-answers')
  const body = refuse({ tills: Array.from({ length: 349_000 }, () => ({})) })

  expect(body.errors).toEqual([{ path: 'tills', message: 'expected at most 500 items' }])
})

test('lists in lists with more faults than an engine can count are a problem, too', () => {
  proves('large-answers')
  const Lists = z.strictObject({
    lists: z.array(z.array(z.string()).check(z.maxLength(1000))).check(z.maxLength(500)),
  })
  const numbers = Array.from({ length: 1000 }, () => 0)

  expect(
    parseProblem(Lists, { lists: Array.from({ length: 500 }, () => numbers) }).message,
  ).toMatch(/^Cannot accept the body: /)
})

test('the first fault ends the check of a long list', () => {
  proves('large-answers', 'processor-kept-busy')
  const Numbers = z.strictObject({ list: z.array(z.string()).check(z.maxLength(10_000)) })
  const list = ['', ...Array.from({ length: 9999 }, () => 1)]

  expect(parseProblem(Numbers, { list })).toMatchObject({
    message: 'Cannot accept the body: "list[1]": expected a string, got a number',
    extras: { errors: [{ path: 'list[1]', message: 'expected a string, got a number' }] },
  })
})

test('a problem bounds its own texts, whoever makes it', () => {
  proves('large-answers')
  const text = '\u0000'.repeat(100_000)
  const errors = Array.from({ length: 100 }, () => ({ path: text, message: text }))
  const body = problemBody(new Problem('version-unknown', text, { errors }), 'id')

  expect(JSON.stringify(body.description).length).toBeLessThanOrEqual(1002)
  expect(JSON.stringify(body).length).toBeLessThan(16_384)
})

function parseProblem(schema: z.ZodMiniType, value: unknown): Problem {
  try {
    parseInput(schema, value, 'body')
  } catch (error) {
    if (error instanceof Problem) return error
    throw error
  }
  throw new Error('It was accepted')
}

const refuse = (value: unknown) => problemBody(parseProblem(Shop, value), 'id')
