/** A simulated card service: readers, cards, connections, and waits that end when a reader changes. */
import {
  bytesField,
  type Call,
  codes,
  type Reply,
  readBytes,
  readText,
  textField,
} from './driver-protocol.ts'

interface ScriptedReader {
  readonly name: string
  /** The answer to reset of the card in it, as hex; empty for a card that does not answer. None without a card. */
  readonly atr?: string
  /** The feature tags of PC/SC part 10 that it has; without a list it does not support the query. */
  readonly features?: readonly number[]
  /** The response APDU of the card to a command, both as hex. */
  readonly apdu?: (command: string) => string
  /** A transaction or a connection that ends resets its card. */
  readonly reset?: () => void
}

export interface SimulatedCardService {
  plug(...readers: readonly ScriptedReader[]): void
  unplug(name: string): void
  insert(name: string, atr: string): void
  remove(name: string): void
  /** What the service returns; `gone` aborts when the caller no longer waits. */
  handleCall(call: Call, gone: AbortSignal): Promise<Reply>
  /** Forgets contexts and connections, as a service does that starts again. */
  forget(): void
}

interface Slot {
  readonly reader: ScriptedReader
  readonly atr: string | undefined
  /** How often a card came or went: the upper half of a state. */
  readonly events: number
}

/** SCARD_STATE_* of winscard.h. */
const state = {
  ignore: 0x1,
  changed: 0x2,
  unknown: 0x4,
  unavailable: 0x8,
  empty: 0x10,
  present: 0x20,
  exclusive: 0x80,
  inUse: 0x100,
  mute: 0x200,
} as const

const share = { exclusive: 1, direct: 3 } as const

// pcsc-lite 1.9 takes no notice when a card comes into use, and every notice when something it was told of is over.
const differs = {
  linux: (before: number, now: number) =>
    before === 0 || (before & ~now) !== 0 || (now & ~before & state.mute) !== 0,
  windows: (before: number, now: number) => before !== now,
} as const

// PCSCLITE_MAX_READERS_CONTEXTS; Windows documents no limit.
const mostStates = { linux: 16, windows: Number.POSITIVE_INFINITY } as const

/** The name under which changes of the readers themselves are awaited. */
const pnp = String.raw`\\?PnP?\Notification`

const infinite = 0xffffffff

// SCARD_CTL_CODE(3400) of reader.h, and of winsmcrd.h.
const featureRequest = { linux: 0x42000000 + 3400, windows: (0x31 << 16) | (3400 << 2) } as const

// SCARD_RESET_CARD
const resetCard = 1

// SCARD_ATTR_ATR_STRING
const atrAttribute = 0x00090303

const success: Reply = { code: codes.success }

export function createSimulatedCardService(): SimulatedCardService {
  const slots = new Map<string, Slot>()
  const contexts = new Set<number>()
  const cards = new Map<number, { readonly reader: string; readonly share: number }>()
  const waits = new Set<(happened: { readonly cancelled?: number }) => void>()
  let lastHandle = 0

  const happen = (happened: { readonly cancelled?: number } = {}) => {
    for (const wait of [...waits]) wait(happened)
  }
  const set = (name: string, atr: string | undefined) => {
    const slot = slots.get(name)
    if (!slot) throw new Error(`Cannot change the card in "${name}": no such reader`)
    slots.set(name, { ...slot, atr, events: slot.events + 1 })
    happen()
  }

  /** The state bits of a reader, and the counter above them. */
  const stateOf = ({ reader, atr, events }: Slot): number => {
    const held = [...cards.values()].filter((card) => card.reader === reader.name)
    if (atr === undefined) return state.empty | (events << 16)
    const exclusive = held.some((one) => one.share === share.exclusive)
    const sharing = exclusive ? state.exclusive : held.length > 0 ? state.inUse : 0
    return state.present | (atr === '' ? state.mute : 0) | sharing | (events << 16)
  }

  interface Watched {
    readonly name: string
    readonly current: number
  }

  /** The events of what is watched, and whether any of them ends the wait. */
  const look = (watched: readonly Watched[], readersAtStart: number, system: Call['system']) => {
    const events = watched.map(({ name, current }) => {
      if (current & state.ignore) return { event: state.ignore, atr: '' }
      if (name === pnp) return { event: pnpEvent(current, readersAtStart, system), atr: '' }
      const slot = slots.get(name)
      if (!slot) {
        const known = current & state.unknown ? 0 : state.changed
        return { event: state.unknown | state.unavailable | known, atr: '' }
      }
      const now = stateOf(slot)
      const counted = current >>> 16 !== 0 && current >>> 16 !== now >>> 16
      const changed = counted || differs[system](current & 0xfffc, now & 0xfffc)
      return { event: now | (changed ? state.changed : 0), atr: slot.atr ?? '' }
    })
    return { events, ended: events.some(({ event }) => event & state.changed) }
  }

  /** Windows keeps the number of readers in the upper half; pcsc-lite 1.9 sees what changes during the call alone. */
  const pnpEvent = (current: number, readersAtStart: number, system: Call['system']): number => {
    if (system === 'linux') return slots.size === readersAtStart ? 0 : state.changed
    const changed = current >>> 16 !== slots.size
    return (slots.size << 16) | (changed ? state.changed : 0)
  }

  function statusChange(call: Call, gone: AbortSignal): Promise<Reply> | Reply {
    const [timeout, ...states] = call.fields
    if (states.length > mostStates[call.system]) return { code: codes.invalidParameter }
    if (states.length === 0) return success
    const watched = states.map((text) => {
      const [name, current] = text.split(',')
      return { name: readText(name), current: Number(current) }
    })
    const unknown = watched.some(
      ({ name, current }) => name !== pnp && !(current & state.ignore) && !slots.has(name),
    )
    if (unknown) return { code: codes.unknownReader }

    const readersAtStart = slots.size
    const reply = (code: number): Reply => {
      const { events } = look(watched, readersAtStart, call.system)
      const fields = events.map(({ event, atr }) => `${event >>> 0},${bytesField(atr)}`)
      return { code, fields }
    }
    if (look(watched, readersAtStart, call.system).ended) return reply(codes.success)
    const timeoutMs = Number(timeout)
    if (timeoutMs === 0) return reply(codes.timeout)
    return new Promise((resolve) => {
      const end = (code: number) => {
        waits.delete(wait)
        clearTimeout(timer)
        resolve(reply(code))
      }
      const wait = ({ cancelled }: { readonly cancelled?: number }) => {
        if (cancelled === call.handle) end(codes.cancelled)
        else if (look(watched, readersAtStart, call.system).ended) end(codes.success)
      }
      // The longest a timer takes is far longer than any test.
      const timer =
        timeoutMs >= Math.min(infinite, 2 ** 31 - 1)
          ? undefined
          : setTimeout(() => end(codes.timeout), timeoutMs)
      waits.add(wait)
      gone.addEventListener('abort', () => end(codes.cancelled), { once: true })
    })
  }

  function connect({ fields }: Call): Reply {
    const [mode, protocols, reader] = [Number(fields[0]), Number(fields[1]), readText(fields[2])]
    const slot = slots.get(reader)
    if (!slot) return { code: codes.unknownReader }
    const held = [...cards.values()].filter((card) => card.reader === reader)
    const taken = held.some((card) => card.share === share.exclusive)
    if (taken || (mode === share.exclusive && held.length > 0))
      return { code: codes.sharingViolation }
    if (mode !== share.direct && slot.atr === undefined) return { code: codes.noSmartcard }
    if (mode !== share.direct && slot.atr === '') return { code: codes.unresponsiveCard }
    lastHandle += 1
    cards.set(lastHandle, { reader, share: mode })
    happen()
    // T=1 where it is asked for, else T=0; none without a card.
    const protocol = slot.atr ? (protocols & 2 ? 2 : protocols & 1) : 0
    return { code: codes.success, fields: [String(lastHandle), String(protocol)] }
  }

  function withCard(call: Call, slot: Slot): Reply {
    const { name, fields, system } = call
    if (name === 'transmit') {
      if (!slot.atr) return { code: codes.removedCard }
      const answer = slot.reader.apdu?.(readBytes(fields[1])) ?? '6D00'
      return { code: codes.success, fields: [bytesField(answer)] }
    }
    if (name === 'control') {
      const { features } = slot.reader
      if (Number(fields[0]) !== featureRequest[system] || !features)
        return { code: codes.unsupportedFeature }
      return { code: codes.success, fields: [bytesField(features.map(feature).join(''))] }
    }
    if (name === 'get-attribute') {
      return Number(fields[0]) === atrAttribute
        ? { code: codes.success, fields: [bytesField(slot.atr ?? '')] }
        : { code: codes.unsupportedFeature }
    }
    if (name === 'end' && Number(fields[0]) === resetCard) slot.reader.reset?.()
    if (name === 'status') return status(slot, system)
    if (name === 'reconnect') return { code: codes.success, fields: [slot.atr ? '2' : '0'] }
    return success
  }

  return {
    plug: (...readers) => {
      for (const reader of readers)
        slots.set(reader.name, {
          reader,
          atr: reader.atr,
          events: reader.atr === undefined ? 0 : 1,
        })
      happen()
    },
    unplug: (name) => {
      slots.delete(name)
      happen()
    },
    insert: set,
    remove: (name) => set(name, undefined),
    forget: () => {
      contexts.clear()
      cards.clear()
      waits.clear()
    },
    handleCall: async (call, gone) => {
      const { name, handle } = call
      if (name === 'establish') {
        lastHandle += 1
        contexts.add(lastHandle)
        return { code: codes.success, fields: [String(lastHandle)] }
      }
      const card = cards.get(handle)
      if (!contexts.has(handle) && !card) return { code: codes.invalidHandle }
      switch (name) {
        case 'is-valid':
          return success
        case 'release':
          contexts.delete(handle)
          return success
        case 'cancel':
          happen({ cancelled: handle })
          return success
        case 'list-readers': {
          if (slots.size === 0) return { code: codes.noReadersAvailable }
          const names = [...slots.keys()].map((reader) => `${reader}\0`).join('')
          return { code: codes.success, fields: [textField(`${names}\0`)] }
        }
        case 'status-change':
          return statusChange(call, gone)
        case 'connect':
          return connect(call)
        case 'disconnect':
          if (Number(call.fields[0]) === resetCard) slots.get(card?.reader ?? '')?.reader.reset?.()
          cards.delete(handle)
          happen()
          return success
      }
      const slot = card && slots.get(card.reader)
      return slot ? withCard(call, slot) : { code: codes.removedCard }
    },
  }
}

/** A feature as the structure of PC/SC part 10 §2.2: tag, length, and the control code to use, most significant first. */
const feature = (tag: number) =>
  [tag, 4, 0x42, 0x33, 0, tag].map((byte) => byte.toString(16).padStart(2, '0')).join('')

function status({ reader, atr }: Slot, system: Call['system']): Reply {
  // A set of bits in winscard.h of pcsc-lite, where Windows counts: absent 1, negotiable 5.
  const [absent, ready] = system === 'windows' ? [1, 5] : [0x02, 0x34]
  const name = system === 'windows' ? `${reader.name}\0\0` : `${reader.name}\0`
  const is = atr === undefined ? absent : ready
  return {
    code: codes.success,
    fields: [textField(name), String(is), atr ? '2' : '0', bytesField(atr ?? '')],
  }
}
