/** A running service, as a command calls it with an administrator's account. */
import { readFileSync } from 'node:fs'
import process from 'node:process'
import { createInterface } from 'node:readline/promises'
import {
  type ClientProof,
  clientId,
  clientTokenPath,
  createClientGrant,
  createJobTokenRequest,
  isLoopbackHost,
} from '@cardwire/protocol'
import {
  CallFailure,
  callOperation,
  type EnvelopeData,
  type RequestParts,
} from '@cardwire/protocol/call'
import type { Operation } from '@cardwire/protocol/operation'
import { password as askHidden, isCancel } from '@clack/prompts'
import { Option } from 'commander'
import * as z from 'zod'
import { StartError } from '../self-hosted/start-error.ts'

export interface RemoteOptions {
  readonly ds: string
  readonly user: string
  readonly passwordFile?: string
  readonly tokenFile?: string
  readonly client?: string
  readonly clientSecretFile?: string
  readonly subjectTokenFile?: string
}

export const remoteOptions = [
  new Option('--ds <url>', 'the URL of the service').makeOptionMandatory(),
  new Option('--user <name>', 'your account').default('admin'),
  new Option('--password-file <file>', 'the file with the password, on its first line'),
  new Option(
    '--token-file <file>',
    'the file with an access token, if accounts are at an external provider',
  ),
  new Option(
    '--client <id>',
    'an API client in place of an account; in GitHub Actions, it exchanges the token of the job',
  ),
  new Option(
    '--client-secret-file <file>',
    'the file with its secret, on its first line',
  ).conflicts('subjectTokenFile'),
  new Option(
    '--subject-token-file <file>',
    'the file with a token of another CI system that the client trusts',
  ),
]

/** Milliseconds that the service may take to answer. */
const maxSilenceMs = 60_000

const Token = z.object({ access_token: z.string() })
const JobToken = z.object({ value: z.string() })

/** Calls operations of the contract; throws a StartError that names `act` and the reason. */
export type CallRemote = <O extends DataOperation>(
  act: string,
  operation: O,
  parts: RequestParts<O>,
  revision?: number,
) => Promise<EnvelopeData<O>>

type DataOperation = Operation & { readonly reply: { readonly schema: z.core.$ZodType } }

/** Signs in; the password is read where there is no token. */
export async function openRemoteService(options: RemoteOptions): Promise<CallRemote> {
  const address = readAddress(options.ds)
  const token = await getToken(address, options)
  return async (act, operation, parts, revision) => {
    const headers = {
      authorization: `Bearer ${token}`,
      ...(revision !== undefined && { 'if-match': `"${revision}"` }),
    }
    const { method, path, access, reply } = operation
    const client = {
      ...{ method, path, access },
      data: (data: unknown) => z.parse(reply.schema, data) as EnvelopeData<typeof operation>,
    }
    try {
      const transport = { address, fetch: send, init: { headers } }
      return (
        await callOperation<typeof operation, EnvelopeData<typeof operation>>(
          client,
          parts,
          transport,
        )
      ).data
    } catch (error) {
      throw describeFailure(act, address, error)
    }
  }
}

/** Without redirects: they would take the password elsewhere. */
const send = (url: string, init: RequestInit) =>
  fetch(url, { ...init, redirect: 'error', signal: AbortSignal.timeout(maxSilenceMs) })

function readAddress(text: string): string {
  const url = URL.parse(text)
  if (!url) throw new StartError(`Cannot use "${text}": expected the URL of the service`)
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isLoopbackHost(url.hostname)))
    throw new StartError(`Cannot use "${text}": a password can only be sent over HTTPS`)
  return `${url.origin}${url.pathname.replace(/\/+$/, '')}`
}

async function getToken(address: string, options: RemoteOptions): Promise<string> {
  const { user, passwordFile, tokenFile, client } = options
  if (tokenFile) return readFirstLine(tokenFile)
  if (client !== undefined) {
    const act = `get access as the API client "${client}"`
    const form = createClientGrant(client, await findProof(act, address, options))
    const hint = 'check the ID and the credential'
    return askForToken(address + clientTokenPath, form, { act, address, hint })
  }
  const password = passwordFile ? readFirstLine(passwordFile) : await askPassword(user)
  const form = { client_id: clientId, grant_type: 'password', username: user, password }
  return askForToken(`${address}/auth/realms/cardwire/protocol/openid-connect/token`, form, {
    ...{ act: `sign in as "${user}"`, address },
    hint: 'check the name and the password. An account with two-factor authentication needs --token-file',
  })
}

async function findProof(
  act: string,
  address: string,
  { clientSecretFile, subjectTokenFile }: RemoteOptions,
): Promise<ClientProof> {
  if (clientSecretFile) return { kind: 'secret', secret: readFirstLine(clientSecretFile) }
  if (subjectTokenFile) return { kind: 'federated', token: readFirstLine(subjectTokenFile) }
  const request = createJobTokenRequest(process.env, address)
  if (request) {
    const response = await send(request.url, { headers: request.headers }).catch((error) => {
      throw describeFailure(act, request.url, error)
    })
    const { data } = JobToken.safeParse(await response.json().catch(() => undefined))
    if (data) return { kind: 'federated', token: data.value }
  }
  throw new StartError(
    `Cannot ${act}: give --client-secret-file or --subject-token-file; in GitHub Actions, give the job the permission id-token: write`,
  )
}

async function askForToken(
  url: string,
  form: Record<string, string>,
  { act, address, hint }: { readonly act: string; readonly address: string; readonly hint: string },
): Promise<string> {
  try {
    const response = await send(url, { method: 'POST', body: new URLSearchParams(form) })
    const { success, data } = Token.safeParse(await response.json().catch(() => undefined))
    if (success) return data.access_token
    throw new StartError(
      response.status < 500
        ? `Cannot ${act}: ${hint}`
        : `Cannot ${act}: the service responded with ${response.status}`,
    )
  } catch (error) {
    throw error instanceof StartError ? error : describeFailure(act, address, error)
  }
}

/** On a terminal without echo; else the first line of standard input. */
async function askPassword(user: string): Promise<string> {
  if (process.stdin.isTTY) {
    const answer = await askHidden({ message: `Password of ${user}` })
    if (isCancel(answer)) throw new StartError('Nothing was changed')
    return answer
  }
  for await (const line of createInterface({ input: process.stdin })) return line
  throw new StartError('Cannot read the password: standard input is empty')
}

function readFirstLine(file: string): string {
  try {
    return readFileSync(file, 'utf8').split(/\r?\n/)[0] ?? ''
  } catch {
    throw new StartError(`Cannot read "${file}"`)
  }
}

function describeFailure(act: string, address: string, error: unknown): StartError {
  if (!(error instanceof CallFailure) || error.kind === 'unanswered') {
    const cause = (error as Error).cause ?? error
    const reason = cause instanceof Error ? cause.message : String(cause)
    return new StartError(`Cannot ${act}: "${address}" is not responding (${reason})`)
  }
  if (error.details) return new StartError(`Cannot ${act}. ${error.details.description}`)
  return new StartError(
    `Cannot ${act}: the response of "${address}" is not from a distribution service`,
  )
}
