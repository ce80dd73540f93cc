/** Chance from a seed: the same seed gives the same numbers, bytes and identifiers, on every machine. */

export interface SeededRandom {
  /** From 0 to 1, 1 excluded. */
  next(): number
  /** A whole number from `least` to `most`, both included. */
  integer(least: number, most: number): number
  /** True in this share of the calls. */
  chance(share: number): boolean
  pick<T>(items: readonly T[]): T
  bytes(length: number): Uint8Array<ArrayBuffer>
  /** A UUID of version 4 (RFC 9562). */
  uuid(): string
  /** Numbers of their own: what draws from one does not move the other. */
  fork(): SeededRandom
}

export function createRandom(seed: number): SeededRandom {
  const draw = createSfc32(seed)
  const next = () => draw() / 4_294_967_296
  const integer = (least: number, most: number) => least + Math.floor(next() * (most - least + 1))
  const bytes = (length: number) => {
    const made = new Uint8Array(length)
    for (let at = 0; at < length; at += 4) {
      let word = draw()
      for (let part = at; part < Math.min(at + 4, length); part += 1) {
        made[part] = word
        word >>>= 8
      }
    }
    return made
  }
  return {
    next,
    integer,
    chance: (share) => next() < share,
    pick(items) {
      const item = items[integer(0, items.length - 1)]
      if (item === undefined) throw new Error('Cannot pick: there is nothing to pick from')
      return item
    },
    bytes,
    uuid() {
      const hex = Buffer.from(bytes(16)).toString('hex')
      const variant = '89ab'[Number.parseInt(hex[16] ?? '0', 16) % 4]
      return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20)}`
    },
    fork: () => createRandom(draw()),
  }
}

/** sfc32 of PractRand (pracrand.sourceforge.net), begun with the seed and warmed up as its author does; 32 bits a call. */
function createSfc32(seed: number): () => number {
  let [a, b, c, counter] = [seed >>> 0, Math.floor(seed / 4_294_967_296) >>> 0, 0x9e3779b9, 1]
  const draw = () => {
    const result = (a + b + counter) >>> 0
    counter = (counter + 1) >>> 0
    a = b ^ (b >>> 9)
    b = (c + (c << 3)) >>> 0
    c = (((c << 21) | (c >>> 11)) + result) >>> 0
    return result
  }
  for (let round = 0; round < 15; round += 1) draw()
  return draw
}
