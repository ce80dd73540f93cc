/** Commands of pages to cards: the module remoteloading of deployed clients, and the transaction of ours. */
import * as contract from '@cardwire/client/protocol'
import { Problem } from '@cardwire/client/protocol'
import type { Context } from 'hono'
import type { ApiEnv, Bind } from '../http/route-types.ts'
import { backgroundClock } from '../system/clock.ts'
import type { AccessServices } from './access-watch.ts'
import type { ApiServices } from './api-services.ts'
import { createUseCounter } from './counters/use-counter.ts'
import { findPresentCard } from './find-card.ts'
import { createRawSessions, type RawSession } from './raw-sessions.ts'

type RawRouteServices = Parameters<typeof createRawSessions>[0] &
  Pick<ApiServices, 'counters'> &
  AccessServices

/** Seconds without a command. */
const idleS = { min: 1, max: 180, normal: 30 } as const
const module = 'remoteloading'

interface Place {
  readonly reader: string
}
interface SessionBody {
  readonly sessionId?: string | null | undefined
}

export function bindRawRoutes(bind: Bind, services: RawRouteServices): void {
  const { counters, log, readers } = services
  const sessions = createRawSessions(services, backgroundClock)
  const count = createUseCounter(counters, log)(module)

  /** Everything here needs the grant, also what other operations tell every page. */
  const requirePage = (context: Context<ApiEnv>) => {
    const caller = context.get('caller')
    if (caller.kind !== 'page') {
      const message = 'Cannot send commands to the card without an origin: only pages have a grant'
      throw new Problem('page-unnamed', message)
    }
    sessions.requireGrant({ caller })
    return caller
  }

  const open = async (
    context: Context<ApiEnv>,
    { reader: readerId }: Place,
    timeout: number,
    aid?: Uint8Array,
  ) => {
    const caller = requirePage(context)
    const { reader, atr } = await findPresentCard(services, readerId)
    const idleMs = Math.min(Math.max(timeout, idleS.min), idleS.max) * 1000
    const session = await sessions.open({ caller, readerId, reader, atr }, idleMs, aid)
    count(context, 'card-commands')
    return session
  }

  /** With the session that the body names, or with one for this request. The page that goes meanwhile ends it. */
  const use = async (
    context: Context<ApiEnv>,
    place: Place,
    { sessionId }: SessionBody,
    toCommands: (session: RawSession) => readonly Uint8Array[],
  ): Promise<contract.CommandAnswer[]> => {
    const caller = requirePage(context)
    context.env.keepOpen()
    const isOwn = sessionId === undefined || sessionId === null || sessionId === ''
    const session = isOwn
      ? await open(context, place, idleS.normal)
      : sessions.find(caller, place.reader, sessionId)
    const stop = endWithPage(context, session)
    try {
      const commands = toCommands(session)
      const answers = await session.transmit(commands)
      return commands.map((command, at) => toAnswer(command, answers[at] ?? new Uint8Array()))
    } finally {
      stop()
      if (isOwn) await session.close()
    }
  }
  const one = async (answers: Promise<contract.CommandAnswer[]>) => {
    const [data] = await answers
    if (data) return { data }
    throw new Error('Cannot answer: nothing was sent')
  }

  bind(contract.openRawSession, async ({ params, body }, context) => {
    const { aid, timeout } = body ?? {}
    const selected = typeof aid === 'string' ? fromHex(aid) : undefined
    const { id } = await open(context, params, timeout ?? idleS.normal, selected)
    return { data: id }
  })
  bind(contract.holdRawSession, async ({ params, body }, context) => {
    const session = sessions.find(requirePage(context), params.reader, body.sessionId)
    context.env.keepOpen()
    session.hold()
    const stop = endWithPage(context, session)
    const data = await session.ended
    stop()
    return { data }
  })
  bind(contract.closeRawSession, async ({ params, body }, context) => {
    const id = body?.sessionId ?? ''
    await sessions.find(requirePage(context), params.reader, id).close()
    return { data: id }
  })
  bind(contract.isRawCardPresent, async ({ params }, context) => {
    requirePage(context)
    const found = readers.snapshot().readers.find(({ id }) => id === params.reader)
    if (found) return { data: found.card !== undefined }
    throw new Problem('reader-unknown', `Cannot find reader "${params.reader}": it is not there`)
  })
  bind(contract.getRawAtr, async ({ params }, context) => {
    requirePage(context)
    return { data: (await findPresentCard(services, params.reader)).atr }
  })
  // A page could have a PIN verified by them.
  bind(contract.getCcidFeatures, async ({ params }, context) => {
    requirePage(context)
    await findPresentCard(services, params.reader)
    return { data: '' }
  })
  bind(contract.transmitRaw, async ({ params, body }, context) => {
    const command = new Uint8Array(Buffer.from(body.data, 'base64'))
    const { sw, rx = '' } = (await one(use(context, params, body, () => [command]))).data
    return { data: { data: Buffer.from(rx + sw, 'hex').toString('base64') } }
  })
  bind(contract.sendRawCommand, ({ params, body }, context) =>
    one(use(context, params, body, () => [fromHex(body.command)])),
  )
  bind(contract.sendRawCommands, async ({ params, body }, context) => ({
    data: await use(context, params, body, () => body.commands.map(fromHex)),
  }))
  bind(contract.sendRawApdu, ({ params, body }, context) =>
    one(use(context, params, body, ({ protocol }) => [encodeApdu(body.apdu, protocol)])),
  )
  bind(contract.sendRawApdus, async ({ params, body }, context) => ({
    data: await use(context, params, body, ({ protocol }) =>
      body.apdus.map((apdu) => encodeApdu(apdu, protocol)),
    ),
  }))
}

/** Returns a function that stops watching. */
function endWithPage({ req }: Context<ApiEnv>, session: RawSession): () => void {
  const { signal } = req.raw
  const end = () => session.end('page')
  signal.addEventListener('abort', end)
  if (signal.aborted) end()
  return () => signal.removeEventListener('abort', end)
}

/** T=0 has no place for the length of the answer behind data (ISO/IEC 7816-3 §12.1.3). */
function encodeApdu(apdu: contract.Apdu, protocol: RawSession['protocol']): Uint8Array {
  const header = [apdu.cla, apdu.ins, apdu.p1, apdu.p2].map(toByte)
  const data = fromHex(apdu.data ?? '')
  const hasLength = apdu.le !== undefined && apdu.le !== null
  const length = hasLength && (data.length === 0 || protocol === 'T=1') ? [toByte(apdu.le)] : []
  return Uint8Array.from([...header, ...(data.length > 0 ? [data.length, ...data] : []), ...length])
}

const toByte = (value: number | string | null | undefined): number =>
  typeof value === 'string' ? Number.parseInt(value.replace(/^0x/, ''), 16) : (value ?? 0)

function toAnswer(command: Uint8Array, answer: Uint8Array): contract.CommandAnswer {
  const rx = toHex(answer.subarray(0, -2))
  return { sw: toHex(answer.slice(-2)), tx: toHex(command), ...(rx !== '' && { rx }) }
}

const fromHex = (text: string): Uint8Array => new Uint8Array(Buffer.from(text, 'hex'))
const toHex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex').toUpperCase()
