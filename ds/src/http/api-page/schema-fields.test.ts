/** Fields of schemas as the page of the API lists them. */
import { ConfigurationInput, VersionInput } from '@cardwire/protocol'
import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { listFields } from './schema-fields.ts'

const list = (type: z.ZodMiniType) =>
  listFields(z.toJSONSchema(type, { io: 'input', unrepresentable: 'any' }))

test('listFields lists nested fields below their parents, by their paths', () => {
  expect(list(VersionInput).map(({ path }) => path)).toEqual([
    'id',
    'recommended',
    'mandatory',
    'allowed',
    'uris',
    'uris[].os',
    'uris[].uri',
    'uris[].sha256',
    'uris[].size',
    'installationApiKey',
    'revision',
  ])
})

test('listFields says which fields are optional, their types and meanings', () => {
  expect(list(VersionInput).find(({ path }) => path === 'uris[].size')).toEqual({
    path: 'uris[].size',
    type: 'integer',
    required: false,
    description: 'Bytes',
  })
})

test('listFields lists a field that alternatives share once, with every value', () => {
  const fields = list(ConfigurationInput)

  expect(fields.filter(({ path }) => path === 'type')).toEqual([
    {
      path: 'type',
      type: '"CONTEXT_CONFIG" or "FILE_DIGESTS" or "SSL_KEYSTORE"',
      required: true,
      description: '',
    },
  ])
  expect(fields.map(({ path }) => path)).toContain('config.files[].digest')
})

test('listFields lists a value without fields as one row', () => {
  expect(list(z.string())).toEqual([{ path: '', type: 'string', required: true, description: '' }])
})
