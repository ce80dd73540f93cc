/** The settings that let a fleet install and start without a limit in its way. */

export interface Fleet {
  readonly devices: number
  /** The addresses that the service sees: those of NAT gateways, or the /56 networks of IPv6. */
  readonly addresses: number
  /** Within how many hours the connectors are installed, at most a day. */
  readonly hours: number
}

/** What a fleet may be, so that no result is beyond the bounds of its setting. */
export const fleetBounds = { devices: 5_000_000, addresses: 1_000_000, hours: 24 } as const

/** A device that is installed anew counts as a new one: a quarter more. */
const reinstalled = 1.25

/** An address may have twice its share of the devices. */
const uneven = 2

/** In its busiest minute, an address has ten times the average: computers are switched on together. */
const peak = 10

/** A download takes a minute. */
const downloadMinutes = 1

/** All users open the same application within an hour, and its back end fetches a token for each. */
const startMinutes = 60

/** The defaults, and so the least that is recommended. */
const defaults = {
  DS_TOKEN_LIMIT: 600,
  DS_DOWNLOAD_LIMIT: 64,
  DS_DEVICES_PER_KEY: 20_000,
  DS_DEVICES_PER_ADDRESS: 5000,
  DS_REGISTRATION_LIMIT: 600,
} as const

type LimitSetting = keyof typeof defaults

/** By the names of the settings, in the order of the documents; never less than the default. */
export function computeFleetLimits({
  devices,
  addresses,
  hours,
}: Fleet): Readonly<Record<LimitSetting, number>> {
  const behindOne = Math.min(devices, (devices / addresses) * uneven)
  const perMinute = behindOne / (hours * 60)
  const need = (setting: LimitSetting, amount: number) =>
    Math.max(defaults[setting], roundUp(amount))
  return {
    DS_TOKEN_LIMIT: need('DS_TOKEN_LIMIT', devices / startMinutes),
    DS_DOWNLOAD_LIMIT: need('DS_DOWNLOAD_LIMIT', perMinute * downloadMinutes),
    DS_DEVICES_PER_KEY: need('DS_DEVICES_PER_KEY', devices * reinstalled),
    DS_DEVICES_PER_ADDRESS: need('DS_DEVICES_PER_ADDRESS', behindOne * reinstalled),
    DS_REGISTRATION_LIMIT: need('DS_REGISTRATION_LIMIT', perMinute * peak),
  }
}

/** To two digits, which is as exact as the assumptions are. */
function roundUp(amount: number): number {
  const unit = 10 ** Math.max(0, Math.floor(Math.log10(amount)) - 1)
  return Math.ceil(amount / unit) * unit
}
