/** The limits of the new devices of a day. */

interface Limits {
  readonly devicesPerAddress: number
  readonly devicesPerKey: number
}

/** `version`: whose installation key it is. The address comes first: nobody can use up the quota of a key from one alone. */
export const listNewDeviceLimits = (
  { devicesPerAddress, devicesPerKey }: Limits,
  version: string,
  address: string,
) => [
  { subject: `new devices from ${address}`, limit: devicesPerAddress },
  { subject: `new devices of version ${version}`, limit: devicesPerKey },
]
