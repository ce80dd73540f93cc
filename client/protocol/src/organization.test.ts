/** What an organization may look like. */
import { describe, expect, test } from 'vitest'
import { OrganizationInput } from './organization.ts'

describe('OrganizationInput', () => {
  test.each([
    { what: 'a name', input: { name: 'Acme' }, output: { name: 'Acme' } },
    { what: 'a name and an id', input: { name: 'A', id: 'a' }, output: { name: 'A', id: 'a' } },
    {
      what: 'space around the name, dropped',
      input: { name: '\t Acme AG ' },
      output: { name: 'Acme AG' },
    },
    { what: 'a name of any letters', input: { name: '株式会社' }, output: { name: '株式会社' } },
    {
      what: 'a name of 200 characters',
      input: { name: 'x'.repeat(200) },
      output: { name: 'x'.repeat(200) },
    },
  ])('takes $what', ({ input, output }) => {
    expect(OrganizationInput.parse(input)).toEqual(output)
  })

  test.each([
    { what: 'no name', input: {}, path: 'name' },
    { what: 'an empty name', input: { name: '' }, path: 'name' },
    { what: 'a name of space', input: { name: ' \n ' }, path: 'name' },
    { what: 'a name of 201 characters', input: { name: 'x'.repeat(201) }, path: 'name' },
    { what: 'a name that is no text', input: { name: 42 }, path: 'name' },
    { what: 'an id of 201 characters', input: { name: 'A', id: 'x'.repeat(201) }, path: 'id' },
    { what: 'null for no id', input: { name: 'A', id: null }, path: 'id' },
    { what: 'an unknown field', input: { name: 'A', label: 'x' }, path: '' },
    { what: 'a list', input: [], path: '' },
    { what: 'null', input: null, path: '' },
  ])('refuses $what', ({ input, path }) => {
    const result = OrganizationInput.safeParse(input)

    expect(result.error?.issues.map((issue) => issue.path.join('.'))).toEqual([path])
  })
})
