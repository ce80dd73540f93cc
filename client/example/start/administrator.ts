/** A temporary administrator, as whom the demonstration registers itself with the service. */

import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import process from 'node:process'
import { clientId, issueToken } from '@cardwire/protocol'
import * as z from 'zod/mini'
import { root } from './paths.ts'
import { StartError } from './terminal.ts'

/** The API of the service, called as an administrator. */
export interface Administration {
  /** undefined when it does not exist. */
  get<S extends z.ZodMiniType>(path: string, schema: S): Promise<z.output<S> | undefined>
  put(path: string, body: unknown): Promise<void>
}

const name = 'npm-start'

/** Adds the account with a new password, which is in no file, and removes it after `act`, whose result it resolves with. */
export async function withAdministrator<T>(
  dsUrl: string,
  act: (administration: Administration) => Promise<T>,
): Promise<T> {
  const password = randomBytes(24).toString('base64url')
  const added = await runAdminCommand(['add', name, '--keep-password'], password)
  // The account may still exist when an earlier start was killed.
  const { status, output } =
    added.status === 0
      ? added
      : await runAdminCommand(['password', name, '--keep-password'], password)
  if (status !== 0) throw new StartError(`Cannot register the example: ${output.trim()}`)
  try {
    return await act(createAdministration(dsUrl, await logIn(dsUrl, password)))
  } finally {
    await runAdminCommand(['remove', name])
  }
}

/** The administrators' command, bundled with the service: from its sources it would start ten times as slowly. */
async function runAdminCommand(args: readonly string[], input = '') {
  const child = spawn(process.execPath, ['ds/dist/admin.js', ...args], {
    cwd: root,
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  let output = ''
  child.stderr.on('data', (part: Buffer) => {
    output += part.toString()
  })
  child.stdin.end(input)
  const [status] = await once(child, 'close')
  return { status: Number(status), output }
}

const Login = z.object({ access_token: z.string() })
const Envelope = z.object({ data: z.unknown() })
const ProblemBody = z.object({ description: z.string() })

async function logIn(dsUrl: string, password: string): Promise<string> {
  const body = new URLSearchParams({
    client_id: clientId,
    grant_type: 'password',
    username: name,
    password,
  })
  const response = await fetch(`${dsUrl}${issueToken.path}`, {
    method: 'POST',
    body,
    redirect: 'manual',
  })
  if (!response.ok) {
    throw new StartError(
      `Cannot sign in at ${dsUrl} as an administrator (status ${response.status}): if you use your own identity provider, start only the service: npm run ds`,
    )
  }
  return z.parse(Login, await response.json()).access_token
}

function createAdministration(dsUrl: string, token: string): Administration {
  const ask = async (path: string, init: RequestInit = {}) => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const response = await fetch(`${dsUrl}${path}`, { ...init, headers, redirect: 'manual' })
    if (response.ok || response.status === 404) return response
    const { data } = z.safeParse(ProblemBody, await response.json())
    throw new StartError(`Cannot register the example: ${data?.description ?? response.status}`)
  }
  return {
    async get(path, schema) {
      const response = await ask(path)
      if (response.status === 404) return undefined
      return z.parse(schema, z.parse(Envelope, await response.json()).data)
    },
    async put(path, body) {
      await ask(path, { method: 'PUT', body: JSON.stringify(body) })
    },
  }
}
