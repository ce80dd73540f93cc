/** Who waits at a node, and who leaves for another when all places are taken. */

/** Part of the places that devices without approval may take: everyone has the installation key of a stamped package. */
const unapprovedShare = 1 / 10

export interface Guest {
  readonly id: string
  readonly isApproved: boolean
  /** That the device comes from. */
  readonly address: string
}

export interface WaitingPlaces<G extends Guest> {
  get(id: string): G | undefined
  values(): Iterable<G>
  readonly size: number
  /** undefined: there is no place. `leaves`: who has to leave for it. */
  findRoom(guest: Guest): { readonly leaves?: G } | undefined
  add(guest: G): void
  remove(guest: G): void
}

export function createWaitingPlaces<G extends Guest>(max: number): WaitingPlaces<G> {
  const maxUnapproved = Math.ceil(max * unapprovedShare)
  const all = new Map<string, G>()
  const [approved, unapproved] = [createCrowd<G>(), createCrowd<G>()]
  const crowdOf = ({ isApproved }: Guest) => (isApproved ? approved : unapproved)
  const remove = (guest: G) => {
    all.delete(guest.id)
    crowdOf(guest).remove(guest)
  }
  return {
    get: (id) => all.get(id),
    values: () => all.values(),
    get size() {
      return all.size
    },
    findRoom(guest) {
      const { id, isApproved, address } = guest
      // It already has one.
      if (all.has(id)) return {}
      const isFree = isApproved || unapproved.size() < maxUnapproved
      if (isFree && all.size < max) return {}
      const unwanted = isApproved ? unapproved.findLargest() : undefined
      if (unwanted) return { leaves: unwanted.oldest }
      const largest = crowdOf(guest).findLargest()
      const isLarger = largest && largest.size > crowdOf(guest).sizeAt(address) + 1
      return isLarger ? { leaves: largest.oldest } : undefined
    },
    add(guest) {
      all.set(guest.id, guest)
      crowdOf(guest).add(guest)
    },
    remove,
  }
}

/** Guests by address; where most are is known without a search. */
function createCrowd<G extends Guest>() {
  const byAddress = new Map<string, Set<G>>()
  /** The addresses of so many guests, by their number. */
  const addresses: Set<string>[] = []
  let [size, most] = [0, 0]
  const sizeAt = (address: string) => byAddress.get(address)?.size ?? 0

  /** Notes that an address has another number of guests now: one more, or one less. */
  function note(address: string, before: number): void {
    const now = sizeAt(address)
    size += now - before
    addresses[before]?.delete(address)
    addresses[now] ??= new Set()
    if (now > 0) addresses[now].add(address)
    if (now > most || addresses[most]?.size === 0) most = now
  }

  return {
    size: () => size,
    sizeAt,
    add(guest: G): void {
      const before = sizeAt(guest.address)
      const guests = byAddress.get(guest.address) ?? new Set()
      byAddress.set(guest.address, guests.add(guest))
      note(guest.address, before)
    },
    remove(guest: G): void {
      const before = sizeAt(guest.address)
      const guests = byAddress.get(guest.address)
      guests?.delete(guest)
      if (guests?.size === 0) byAddress.delete(guest.address)
      if (sizeAt(guest.address) !== before) note(guest.address, before)
    },
    /** The one that has waited longest at the address where most wait. */
    findLargest(): { readonly size: number; readonly oldest: G } | undefined {
      const [address = ''] = addresses[most] ?? []
      const [oldest] = byAddress.get(address) ?? []
      return oldest && { size: most, oldest }
    },
  }
}
