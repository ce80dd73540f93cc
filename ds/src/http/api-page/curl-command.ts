/** The request of an operation as a command of a shell, with `$ds` for the address of the service. */
import { placeholders } from '@cardwire/protocol'
import type { OperationObject } from '@cardwire/protocol/openapi'

/** How a command proves who sends it, by the security scheme. */
const credentials: Readonly<Record<string, string>> = {
  administrator: '-H "Authorization: Bearer $token"',
  application: '-H "Authorization: Bearer $token"',
  apiKey: '-H "apikey: $key"',
}

/** undefined where no shell can send it: a device signs each of its requests. */
export function createCurlCommand(
  method: string,
  path: string,
  { security, parameters, requestBody }: OperationObject,
): string | undefined {
  const [scheme] = security.flatMap(Object.keys)
  if (scheme !== undefined && !(scheme in credentials)) return undefined
  const address = parameters
    .filter((parameter) => parameter.in === 'path')
    .reduce((text, { name, example }) => text.replace(`{${name}}`, example ?? `$${name}`), path)
  const parts = [
    method === 'GET' ? `curl "$ds${address}"` : `curl -X ${method} "$ds${address}"`,
    scheme && credentials[scheme],
    ...writeBody(requestBody),
  ]
  const command = parts.filter(Boolean).join(' \\\n  ')
  return command.includes(readPassword) ? `printf %s "$password" | ${command}` : command
}

/** A password in the words of a command would be in the list of processes. */
const readPassword = '--data-urlencode password@-'

function writeBody(body: OperationObject['requestBody']): readonly string[] {
  const [media, content] = Object.entries(body?.content ?? {})[0] ?? []
  const [example] = Object.values(content?.examples ?? {})
  if (!media || !example) return []
  if (media === 'application/x-www-form-urlencoded') {
    return Object.entries(example.value as Record<string, string>).map(([name, value]) =>
      value === placeholders.password
        ? readPassword
        : `--data-urlencode ${quote(`${name}=${value}`)}`,
    )
  }
  return [`-H 'Content-Type: ${media}'`, `-d ${quote(JSON.stringify(example.value))}`]
}

/** One word of a POSIX shell, whatever is in it. */
const quote = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`
