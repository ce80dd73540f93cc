/** The hostile bodies of every operation of a program, as requests that nothing else is wrong with. */
import { createHostileBodies, getBodySchema } from '../../bed/hostile-bodies.ts'
import { createRandom } from '../../bed/random.ts'
import { draftValid, writePath } from './draft.ts'
import type { Surface } from './generate.ts'
import type { Credential, PlannedRequest } from './planned-request.ts'

const seed = 1

/** At most `max` of them, spread over all operations; each comes from another address (RFC 1918). */
export function planBodies(surface: Surface, max: number): readonly PlannedRequest[] {
  const all = surface.operations.flatMap((operation) => {
    const schema = getBodySchema(operation)
    if (!schema || operation.body?.type === 'form') return []
    const random = createRandom(seed)
    const draft = draftValid(operation, random, surface.createSamples(operation, 0, random))
    const path = writePath(operation, draft)
    const credential: Credential = surface.withheld.includes(operation.name) ? 'missing' : 'right'
    // An empty object is all that some operations take: nothing is hostile about it.
    const bodies = createHostileBodies(schema).filter(({ text }) => text !== '{}')
    return bodies.map(
      ({ name, text }) =>
        ({
          ...{ kind: name, operation, method: operation.method, path, body: text, credential },
          headers: [['content-type', 'application/json']],
          frame: 'whole',
          group: 'bodies',
          slot: 0,
        }) as const,
    )
  })
  const step = Math.max(1, Math.ceil(all.length / max))
  return all
    .filter((_, at) => at % step === 0)
    .map((request, number) => ({
      ...request,
      number,
      address: `10.255.${Math.floor(number / 250)}.${1 + (number % 250)}`,
    }))
}
