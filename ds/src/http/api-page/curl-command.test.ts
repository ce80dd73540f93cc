/** Commands for a shell, as the page of the API shows them. */
import { dsOperations, type Operation } from '@cardwire/protocol'
import { createOpenApiDocument } from '@cardwire/protocol/openapi'
import { expect, test } from 'vitest'
import { createCurlCommand } from './curl-command.ts'

const info = { title: '', version: '', description: '', server: '.' }

function createCommand(name: string, changes: Partial<Operation> = {}) {
  const found = dsOperations.find((operation) => operation.name === name)
  if (!found) throw new Error(`Cannot find "${name}"`)
  const operation = { ...found, ...changes }
  const { paths } = createOpenApiDocument([operation], info)
  const described = paths[operation.path]?.[operation.method.toLowerCase()]
  if (!described) throw new Error(`Cannot describe "${name}"`)
  return createCurlCommand(operation.method, operation.path, described)
}

test.each([
  ['systemStatus', 'curl "$ds/v3/system/status"'],
  ['applicationToken', 'curl "$ds/v3/tokens/application" \\\n  -H "apikey: $key"'],
  ['getDevice', 'curl "$ds/v3/devices/$id" \\\n  -H "Authorization: Bearer $token"'],
  ['syncDevice', undefined],
])('command of %s', (name, command) => {
  expect(createCommand(name)).toBe(command)
})

test('a body is one word of the shell, whatever is in it', () => {
  const examples = [{ summary: 'Quoted', body: { name: "Bank's $(id) `id`" } }]

  expect(createCommand('putOrganization', { examples })).toContain(
    `-d '{"name":"Bank'\\''s $(id) \`id\`"}'`,
  )
})

test('a password is read from standard input, where the list of processes does not show it', () => {
  const command = createCommand('issueToken') ?? ''

  expect(command).toMatch(/^printf %s "\$password" \| curl -X POST /)
  expect(command).toContain('--data-urlencode password@-')
  expect(command).not.toContain('the-password')
})
