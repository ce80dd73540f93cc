/** The distribution service under test: on Node as it is built, on workerd as `wrangler dev` runs it. */
import { dsOperations, isManagement } from '@cardwire/protocol'
import { administrator, passwordGrant, tokenPath } from '../../bed/administrator.ts'
import {
  type DistributionService,
  startDistributionService,
} from '../../bed/distribution-service.ts'
import { parseJson } from '../../bed/service-request.ts'
import { runtimes } from '../../bed/service-runtimes.ts'
import { isMadeGet } from './documented.ts'
import { createDeviceKey, createDsCredential } from './ds-credentials.ts'
import { runDsJourney } from './ds-journey.ts'
import { arrangeKept, readKept } from './ds-kept.ts'
import { createDsSurface, ids, names, slots } from './ds-samples.ts'
import { checkStored, findDatabase } from './ds-stored.ts'
import type { RawResponse } from './http-response.ts'
import type { PlannedRequest } from './planned-request.ts'
import { readResidentBytes } from './processes.ts'
import { createSlots, type Target } from './target.ts'

/** The limits of a day or a minute that generated requests would meet at once; those of failures are as they are. */
const settings = {
  DS_TOKEN_LIMIT: '1000000',
  DS_REGISTRATION_LIMIT: '1000000',
  DS_DEVICES_PER_KEY: '1000000',
  DS_DEVICES_PER_ADDRESS: '1000000',
  DS_COUNTER_LIMIT: '1000000',
}

/** Milliseconds after which tokens are fetched anew: an administrator's lives five minutes. */
const renewAfterMs = 60_000

export async function startDsTarget(name: 'ds-node' | 'ds-workerd'): Promise<Target> {
  const isNode = name === 'ds-node'
  const service = await startDistributionService(
    isNode ? runtimes.Node : runtimes.workerd,
    settings,
    { 'kept/cardwire.deb': Buffer.alloc(100_000, 'cardwire') },
  )
  const state = createSlots()
  const devices = Array.from({ length: slots }, createDeviceKey)
  const accepted = new Map<string, PlannedRequest>()
  let tokens = { administrator: '', application: '', until: 0 }
  const kept = await arrangeKept(service)
  await arrangeLoose(service, state.set)
  const renew = async () => {
    if (tokens.until > Date.now()) return
    const { json } = await service.request('POST', tokenPath, { form: passwordGrant })
    if (!json.access_token) throw new Error(`Cannot sign in again: ${JSON.stringify(json)}`)
    const headers = { apikey: kept.apiKey }
    const application = (await service.request('GET', '/v3/tokens/application', { headers })).json
    tokens = {
      administrator: json.access_token,
      application: application.data,
      until: Date.now() + renewAfterMs,
    }
    state.set('refresh-token', json.refresh_token)
    service.forgetSession()
  }
  await renew()
  const before = await readLastSequence(service)
  let after = Number.MAX_SAFE_INTEGER
  const url = new URL(service.url)
  const readMemory = () =>
    readResidentBytes(([program = '', script = '']) =>
      isNode ? script.endsWith('ds/dist/node.js') : program.endsWith('workerd'),
    )

  return {
    name,
    surface: createDsSurface(dsOperations),
    address: { port: Number(url.port), host: url.host },
    secrets: () => [
      administrator.password,
      tokens.administrator,
      tokens.application,
      ...kept.secrets,
    ],
    resolve(wanted) {
      const [kind, slot] = wanted.split(':')
      if (kind === 'x' || kind === 'y') return devices[Number(slot)]?.[kind] ?? ''
      if (kind === 'password') return administrator.password
      if (kind === 'host') return url.host
      return state.get(wanted)
    },
    createHeaders: (request, body = Buffer.alloc(0)) => [
      ['host', url.host],
      [isNode ? 'x-forwarded-for' : 'cf-connecting-ip', request.address],
      ...createDsCredential(request, body, {
        ...{ administrator: tokens.administrator, application: tokens.application },
        audience: service.url,
        device: (slot) => devices[slot] ?? createDeviceKey(),
        slot: state.get,
      }),
    ],
    observe(request, response) {
      learn(request, response, state.set)
      if (endsSessions(request, response)) tokens.until = 0
      const id = response.headers.get('x-request-id')
      const isSent = !isMadeGet(isNode ? 'ds-node' : 'ds-workerd', request)
      if (id !== undefined && isSent && isChange(request, response)) accepted.set(id, request)
    },
    refresh: renew,
    readMemory,
    isRunning: () => readMemory() > 0,
    readKept() {
      service.forgetSession() // a request may have ended it
      return readKept(service, kept)
    },
    async runJourney() {
      after = await readLastSequence(service)
      await runDsJourney(service, kept)
    },
    async stopAndCheck() {
      await service.pause()
      return checkStored(await findDatabase(service, isNode), { accepted, before, after })
    },
    dispose: () => service.stop(),
  }
}

/** Whether the administrator whose right requests send may have lost the session of the token. */
const endsSessions = ({ operation }: PlannedRequest, { status }: RawResponse): boolean =>
  status < 300 && operation !== undefined && /^end\w*Sessions?$/.test(operation.name)

/** Whether an administrator changed something. */
const isChange = ({ method, operation }: PlannedRequest, { status }: RawResponse): boolean =>
  status >= 200 &&
  status < 300 &&
  method !== 'GET' &&
  method !== 'HEAD' &&
  (operation === undefined || isManagement(operation))

type SetSlot = (name: string, value: unknown) => void

/** Things of each kind, which requests change, remove and make again. */
async function arrangeLoose(service: DistributionService, set: SetSlot): Promise<void> {
  for (let slot = 0; slot < slots; slot += 1) {
    const version = await service.registerVersion(names.version(slot))
    set(`installation-key:${slot}`, version.installationApiKey)
    await service.admin('PUT', '/v3/organizations', { name: names.organization(slot) })
    const body = { name: names.label(slot), orgId: ids.organization(slot) }
    set(`label-key:${slot}`, (await service.admin('PUT', '/v3/labels', body)).apiKey)
  }
}

/** What later requests use of an answer, by the operation; the slot is at the end of the id that the answer names. */
const learnedFields: Readonly<
  Record<string, readonly [slot: string, field: string, named: string]>
> = {
  putVersion: ['installation-key', 'installationApiKey', 'id'],
  putLabel: ['label-key', 'apiKey', 'id'],
  rotateLabelKey: ['label-key', 'apiKey', 'id'],
  putConfiguration: ['configuration', 'id', 'versionId'],
}

function learn({ operation, slot }: PlannedRequest, { status, body }: RawResponse, set: SetSlot) {
  if (!operation || status >= 300) return
  const answer = parseJson(body.toString('utf8'))
  const [name, field = '', named = ''] = learnedFields[operation.name] ?? []
  const number = /\d+$/.exec(answer?.data?.[named])?.[0]
  if (name !== undefined && number !== undefined) set(`${name}:${number}`, answer.data[field])
  if (operation.name === 'testWebhook') set(`delivery:${slot}`, answer?.data?.id)
  if (operation.name === 'registerDevice') set(`device:${slot}`, answer?.data?.id)
  if (operation.name === 'rotateSigningKey') set('signing-key', answer?.data?.id)
  if (operation.name === 'issueToken') set('refresh-token', answer?.refresh_token)
}

async function readLastSequence(service: DistributionService): Promise<number> {
  const { items } = await service.admin('GET', '/v3/audit?size=1')
  return items[0].sequence
}
