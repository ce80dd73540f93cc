/** The limits of registrations: those of the new devices of a day, and which setting refused one. */

interface Limits {
  readonly devicesPerAddress: number
  readonly devicesPerKey: number
}

/** `version`: whose installation key it is. The address comes first: nobody can use up the quota of a key from one alone. */
export const listNewDeviceLimits = (
  { devicesPerAddress, devicesPerKey }: Limits,
  version: string,
  address: string,
) =>
  [
    {
      setting: 'DS_DEVICES_PER_ADDRESS',
      subject: `new devices from ${address}`,
      limit: devicesPerAddress,
    },
    {
      setting: 'DS_DEVICES_PER_KEY',
      subject: `new devices of version ${version}`,
      limit: devicesPerKey,
    },
  ] as const

/** What limits the registrations of a minute: a setting, and on Workers a binding. */
export const registrationSettings = {
  environment: 'DS_REGISTRATION_LIMIT',
  binding: 'REGISTRATION_LIMIT',
} as const

/** Names the setting in the message of a problem, where `findLimitSetting` finds it. */
export const nameLimitSetting = (action: string, setting: string) => `${action} (${setting})`

const limitSettings = [
  'DS_DEVICES_PER_ADDRESS',
  'DS_DEVICES_PER_KEY',
  registrationSettings.environment,
  registrationSettings.binding,
] as const

/** The setting that refused a registration; undefined where the message of its problem names none. */
export const findLimitSetting = (detail: string) =>
  limitSettings.find((setting) => detail.includes(nameLimitSetting('', setting)))
