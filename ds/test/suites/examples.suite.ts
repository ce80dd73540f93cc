/** The written examples of the OpenAPI document, each sent as it is written, in an order in which all succeed. */
import { placeholders } from '@cardwire/protocol'
import { type CryptoKey, calculateJwkThumbprint, importJWK } from 'jose'
import { expect, test } from 'vitest'
import { administrator } from '../../../test/bed/administrator.ts'
import type { DistributionService } from '../../../test/bed/distribution-service.ts'
import type { Json, ServiceResponse } from '../../../test/bed/service-request.ts'
import { createCode } from '../harness/account.ts'
import { createAssertion } from '../harness/device.ts'

/** What is created stands before what uses it, and what uses it before what removes it. */
const order = [
  'issueToken',
  'endOwnSession',
  'endSession',
  'changePassword',
  'beginSecondFactor',
  'confirmSecondFactor',
  'createRecoveryCodes',
  'removeSecondFactor',
  'putInstaller',
  'putKeystore',
  'getInstaller',
  'deleteInstaller',
  'deleteKeystore',
  'putVersion',
  'getVersion',
  'getVersionReach',
  'putRollout',
  'getRollout',
  'getRolloutHours',
  'getRolloutReach',
  'changeRollout',
  'deleteRollout',
  'haltRollouts',
  'putGroup',
  'getGroup',
  'getGroupReach',
  'deleteGroup',
  'putWebhook',
  'getWebhook',
  'rotateWebhookSecret',
  'testWebhook',
  'listWebhookDeliveries',
  'redeliverWebhookEvent',
  'deleteWebhook',
  'patchVersion',
  'listVersionRevisions',
  'getVersionRevision',
  'restoreVersion',
  'getVersionConfigurationReach',
  'deleteVersion',
  'downloadInstallerFor',
  'downloadInstallerOf',
  'putConfiguration',
  'getConfiguration',
  'getConfigurationReach',
  'copyConfigurations',
  'patchConfiguration',
  'listConfigurationRevisions',
  'getConfigurationRevision',
  'restoreConfiguration',
  'deleteConfiguration',
  'putOrganization',
  'getOrganization',
  'getOrganizationReach',
  'patchOrganization',
  'putLabel',
  'getLabel',
  'getLabelReach',
  'patchLabel',
  'rotateLabelKey',
  'registerDevice',
  'getDevice',
  'approveDevice',
  'requestSync',
  'syncDevice',
  'uploadLogs',
  'downloadLogs',
  'blockDevice',
  'changeDevices',
  'getDeviceChange',
  'putTagImport',
  'getTagImport',
  'unblockDevice',
  'putDeviceTags',
  'deleteDevice',
  'revokeLabelKey',
  'deleteLabel',
  'deleteOrganization',
  'rotateSigningKey',
  'getSigningKeyReach',
  'deleteSigningKey',
  'addApiClient',
  'getApiClient',
  'changeApiClient',
  'addClientCredential',
  'issueClientToken',
  'removeClientCredential',
  'removeApiClient',
  'addAdministrator',
  'getAdministrator',
  'changeRole',
  'setPassword',
  'resetSecondFactor',
  'listAdministratorSessions',
  'endAdministratorSessions',
  'removeAdministrator',
]

/** The private half of the key in the example of `registerDevice`, as RFC 7515 A.3 prints it. */
const devicePrivateKey = {
  kty: 'EC',
  crv: 'P-256',
  x: 'f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU',
  y: 'x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0',
  d: 'jpsQnnGQmL-YBIffH1136cspYG6-0iY7X1fCE9-E9LI',
}

interface Described {
  readonly method: string
  readonly path: string
  readonly operation: Json
}

/** The responses of each operation so far. */
type Responses = ReadonlyMap<string, readonly ServiceResponse[]>

export function exampleSuite(service: () => DistributionService): void {
  test('every written example of the document succeeds as it stands', async () => {
    const document = (await service().request('GET', '/openapi.json')).json
    const described = readOperations(document)
    const written = [...described].filter(([, { operation }]) => hasExamples(operation))
    expect(order.toSorted()).toEqual(written.map(([name]) => name).sort())

    const responses = new Map<string, ServiceResponse[]>()
    const failures: string[] = []
    for (const name of order) {
      const found = described.get(name)
      if (!found) throw new Error(`Cannot send "${name}": the document lacks it`)
      const examples = readBodies(found.operation)
      for (const [summary, body] of examples) {
        const response = await send(found, fillSecrets(body, responses), described, responses)
        if (!isSuccess(response, found.operation)) {
          failures.push(`${name}, ${summary}: ${response.status} ${response.text}`)
        }
        responses.set(name, [...(responses.get(name) ?? []), response])
      }
    }
    expect(failures).toEqual([])
  })

  async function send(
    { method, path, operation }: Described,
    body: { readonly media?: string; readonly value?: unknown },
    described: ReadonlyMap<string, Described>,
    responses: Responses,
  ): Promise<ServiceResponse> {
    const values = operation.parameters
      .filter((parameter: Json) => parameter.in === 'path')
      .map((parameter: Json) => [
        parameter.name,
        parameter.example ??
          findLinked(operation.operationId, parameter.name, described, responses),
      ])
    const target = values.reduce(
      (text: string, [name, value]: [string, string]) => text.replace(`{${name}}`, value),
      path,
    )
    const query = new URLSearchParams(
      operation.parameters
        .filter((parameter: Json) => parameter.in === 'query' && parameter.example !== undefined)
        .map((parameter: Json) => [parameter.name, parameter.example]),
    )
    const text = writeBody(body)
    return service().request(method, query.size === 0 ? target : `${target}?${query}`, {
      ...(text !== undefined && { body: text }),
      headers: {
        ...(body.media && { 'content-type': body.media }),
        ...(await authorize({ method, path, operation }, text, responses)),
      },
    })
  }

  async function authorize(
    { method, path, operation }: Described,
    body: string | undefined,
    responses: Responses,
  ): Promise<Record<string, string>> {
    const schemes: string[] = operation.security.flatMap(Object.keys)
    const bearer = async () => ({ authorization: `Bearer ${await service().login()}` })
    if (schemes.includes('administrator')) return bearer()
    const privateKey = (await importJWK(devicePrivateKey, 'ES256')) as CryptoKey
    const assert = async (subject: string) => ({
      authorization: `Bearer ${await createAssertion(service(), { privateKey }, subject, body, { method: method.toUpperCase(), path })}`,
    })
    if (schemes.includes('installationKey')) {
      const apikey = responses.get('putVersion')?.[0]?.json.data.installationApiKey
      return { apikey, ...(await assert(await calculateJwkThumbprint(devicePrivateKey))) }
    }
    if (schemes.includes('device'))
      return assert(responses.get('registerDevice')?.[0]?.json.data.id)
    return {}
  }
}

const readOperations = (document: Json): ReadonlyMap<string, Described> =>
  new Map(
    Object.entries(document.paths).flatMap(([path, item]) =>
      Object.entries(item as Json).map(([method, operation]: [string, Json]) => [
        operation.operationId,
        { method: method.toUpperCase(), path, operation },
      ]),
    ),
  )

const hasExamples = ({ requestBody, parameters }: Json): boolean =>
  requestBody !== undefined || parameters.some((parameter: Json) => parameter.in === 'path')

/** The bodies of the examples with their summaries; one without a body where the path is all there is. */
function readBodies({ requestBody }: Json): [string, { media?: string; value?: unknown }][] {
  if (!requestBody) return [['path', {}]]
  const content: [string, Json][] = Object.entries(requestBody.content)
  return content.flatMap(([media, { examples = {} }]) =>
    Object.values(examples).map(({ summary, value }: Json) => [summary, { media, value }]),
  ) as [string, { media: string; value: unknown }][]
}

/** The value of a parameter in the response that links to its operation. */
function findLinked(
  operationId: string,
  parameter: string,
  described: ReadonlyMap<string, Described>,
  responses: Responses,
): string {
  for (const [source, [response]] of responses) {
    if (!response) continue
    const links = described.get(source)?.operation.responses[response.status]?.links
    const expression = links?.[operationId]?.parameters[parameter]
    if (expression) return readPointer(response.json, expression.replace('$response.body#', ''))
  }
  throw new Error(`Cannot fill "${parameter}" of "${operationId}": no response links to it`)
}

const readPointer = (value: Json, pointer: string): string =>
  pointer
    .split('/')
    .slice(1)
    .reduce((at, step) => at[step], value)

/** Secrets cannot be written in a document: they alone are put in. */
function fillSecrets(
  { media, value }: { media?: string; value?: unknown },
  responses: Responses,
): { media?: string; value?: unknown } {
  const refreshToken = responses.get('issueToken')?.at(-1)?.json.refresh_token
  const totpSecret = responses.get('beginSecondFactor')?.at(-1)?.json.data.secret
  const clientSecret = responses.get('addClientCredential')?.[0]?.json.data.secret
  const secrets: Record<string, string> = {
    [placeholders.password]: administrator.password,
    // The same again: other tests log in with it.
    [placeholders.newPassword]: administrator.password,
    [placeholders.refreshToken]: refreshToken,
    ...(clientSecret && { [placeholders.clientSecret]: clientSecret }),
    ...(totpSecret && {
      [placeholders.code]: createCode(totpSecret),
      [placeholders.nextCode]: createCode(totpSecret, 1),
    }),
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return { ...(media && { media }), value }
  const fields = Object.entries(value).map(([name, text]) => [name, secrets[text] ?? text])
  return { ...(media && { media }), value: Object.fromEntries(fields) }
}

function writeBody({ media, value }: { media?: string; value?: unknown }): string | undefined {
  if (media === 'application/json') return JSON.stringify(value)
  if (media === 'application/x-www-form-urlencoded') {
    return new URLSearchParams(value as Record<string, string>).toString()
  }
  return value as string | undefined
}

/** A success that the document lists; one of a download is often a redirect. */
const isSuccess = ({ status }: ServiceResponse, { responses }: Json): boolean =>
  status < 400 && status in responses
