/** Makes the request of a number: the same seed and number give the same request, whatever was sent before. */
import type { Operation } from '@cardwire/protocol'
import { createRandom, type SeededRandom } from '../../bed/random.ts'
import { type Draft, draftValid, writeBody, writePath } from './draft.ts'
import { hostileKinds, waitingKinds } from './hostile.ts'
import type { HostilePlaces } from './hostile-places.ts'
import { changes } from './near-valid.ts'
import type { Group, PlannedRequest } from './planned-request.ts'
import type { FindSample } from './values.ts'

/** What a program takes, as far as generating needs to know it. */
export interface Surface {
  readonly operations: readonly Operation[]
  /** How often an operation is drawn, where that is not 1: those that cost much are drawn less. */
  readonly weights: Readonly<Record<string, number>>
  /** Operations that are never sent with the right credential. */
  readonly withheld: readonly string[]
  /** How many things of each kind there are. */
  readonly slots: number
  readonly places: HostilePlaces
  createSamples(operation: Operation, slot: number, random: SeededRandom): FindSample
  /** A request that a rate limit stops when many of them come. */
  createLimited(random: SeededRandom, slot: number): LimitedRequest
}

export type LimitedRequest = Pick<PlannedRequest, 'kind' | 'method' | 'path'> &
  Partial<PlannedRequest>

/** The share of each group; the rest is hostile. */
const shares = { limited: 0.02, valid: 0.36, 'near-valid': 0.42, waiting: 0.004 } as const

/** All limited requests come from this address, and no other (TEST-NET-1, RFC 5737). */
const limitedAddress = '192.0.2.1'

/** More numbers than a campaign has requests. */
const maxRequests = 2 ** 24

export function planRequest(surface: Surface, seed: number, number: number): PlannedRequest {
  const random = createRandom(seed * maxRequests + number)
  const slot = random.integer(0, surface.slots - 1)
  const group = drawGroup(random)
  const part = (n: number) => random.integer(n === 3 ? 1 : 0, n === 3 ? 254 : 255)
  const defaults = {
    number,
    slot,
    address: group === 'limited' ? limitedAddress : `10.${part(1)}.${part(2)}.${part(3)}`,
    headers: [],
    body: undefined,
    credential: 'missing',
    frame: 'whole',
    operation: undefined,
  } as const
  if (group === 'limited') {
    return { ...defaults, group, ...surface.createLimited(random, slot) }
  }
  if (group === 'hostile' || group === 'waiting') {
    const kinds = Object.entries(group === 'hostile' ? hostileKinds : waitingKinds)
    const [kind, create] = random.pick(kinds)
    return {
      ...defaults,
      frame: 'one-time',
      ...create(surface.places, random),
      group: 'hostile',
      kind,
    }
  }
  const operation = drawOperation(surface, random)
  const valid = draftValid(operation, random, surface.createSamples(operation, slot, random))
  const draft = group === 'valid' ? valid : change(valid, random)
  const isWithheld = surface.withheld.includes(operation.name) && draft.credential === 'right'
  const credential = isWithheld ? 'missing' : draft.credential
  return { ...defaults, ...toRequest(operation, draft), group, operation, credential }
}

function drawGroup(random: SeededRandom): Group | 'waiting' {
  let at = random.next()
  for (const [group, share] of Object.entries(shares)) {
    if (at < share) return group as keyof typeof shares
    at -= share
  }
  return 'hostile'
}

function drawOperation({ operations, weights }: Surface, random: SeededRandom): Operation {
  const weightOf = ({ name }: Operation) => weights[name] ?? 1
  let at = random.next() * operations.reduce((sum, operation) => sum + weightOf(operation), 0)
  for (const operation of operations) {
    at -= weightOf(operation)
    if (at < 0) return operation
  }
  return random.pick(operations)
}

const changeNames = Object.keys(changes)

/** One change that the request has a place for. */
function change(valid: Draft, random: SeededRandom): Draft {
  for (;;) {
    const kind = random.pick(changeNames)
    const changed = changes[kind]?.(valid, random)
    if (changed) return { ...changed, kind }
  }
}

function toRequest(operation: Operation, draft: Draft) {
  const { kind, method, media, credential, frame, headers } = draft
  return {
    ...{ kind, method, credential, frame },
    path: writePath(operation, draft),
    headers: media === undefined ? headers : [...headers, ['content-type', media] as const],
    body: writeBody(draft),
  }
}
