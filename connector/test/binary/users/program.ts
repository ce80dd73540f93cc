/** Runs programs and sends https requests as another account. */
import { spawnSync } from 'node:child_process'
import type { Account } from '../../../../test/bed/accounts.ts'
import type { Json } from '../../../../test/bed/service-request.ts'

export interface Request {
  readonly body?: unknown
  readonly headers?: readonly string[]
}

/** Runs a program to its end. */
export function runAs({ uid, gid, home }: Account, command: readonly string[], input = '') {
  const [program = '', ...args] = command
  const env = { PATH: '/usr/bin:/bin:/usr/sbin', HOME: home }
  return spawnSync(program, args, { uid, gid, env, input, encoding: 'utf8', timeout: 60_000 })
}

/** Sends a request over verified TLS. The status is 0 where there was no response. */
export function requestAs(
  account: Account,
  to: { readonly port: number; readonly ca: string },
  path: string,
  { body, headers = [] }: Request = {},
): { readonly status: number; readonly json: Json } {
  const allHeaders = ['x-csrf-token: t1c-js', 'content-type: application/json', ...headers]
  const { stdout } = runAs(account, [
    ...['curl', '--silent', '--cacert', to.ca, '--write-out', '\n%{http_code}'],
    ...allHeaders.flatMap((header) => ['--header', header]),
    ...(body === undefined ? [] : ['--data', JSON.stringify(body)]),
    `https://localhost:${to.port}${path}`,
  ])
  const at = stdout.lastIndexOf('\n')
  return { status: Number(stdout.slice(at + 1)), json: JSON.parse(stdout.slice(0, at) || 'null') }
}
