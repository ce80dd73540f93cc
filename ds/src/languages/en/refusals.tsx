/** The texts of the screen of rejected registrations. */
import type { Child } from 'hono/jsx'
import { createNumbers } from '../numbers.ts'

const { count, format } = createNumbers('en-US')

export const refusals = {
  title: 'Rejected registrations',
  search: 'Host name, IP address, fingerprint or request ID',
  known: 'Matching registered devices:',
  kept: (days: number, rows: number) =>
    `The service keeps at most ${format(rows)} rejected registrations, for ${count(days, 'day', 'days')}.`,
  empty: (days: number) =>
    days === 1
      ? 'No rejected registrations in the last 24 hours.'
      : `No rejected registrations in the last ${count(days, 'day', 'days')}.`,
  noMatch: {
    known: 'No matching rejections. The device is registered.',
    unknown: 'No matching rejections.',
    notReached: (command: Child) => (
      <>
        The device hasn’t reached this service. Check the service URL on the device and the network
        between them. For details, run {command} on the device.
      </>
    ),
  },
  groups: {
    caption: 'Rejected registrations, by reason, version and network',
    reason: 'Reason',
    version: 'Version',
    network: 'Network',
    devices: 'Devices',
    times: 'Attempts',
    last: 'Last attempt',
    all: 'Show all rejected registrations',
  },
  facts: {
    last: 'Last rejected',
    repeated: (last: Child, times: number, first: Child) => (
      <>
        {last}, {count(times, 'time', 'times')} since {first}
      </>
    ),
    address: 'IP address',
    connector: 'Connector',
    key: 'Installation key',
    noKey: 'Missing or invalid',
    keyOf: (version: string) => `Key of version ${version}`,
    fingerprint: 'Fingerprint',
    details: 'Details',
    request: 'Request ID',
  },
  /** What is wrong, and what to do about it. Names of settings are arguments. */
  reasons: {
    key: {
      what: 'The installation key is missing or invalid, or has been replaced.',
      remedy: (setting: string) =>
        `Give the connector a valid installation key. Use an installer that includes one, or set ${setting} on the device.`,
    },
    version: {
      what: (version: string) => `Version ${version} isn’t registered with this service.`,
      remedy: (version: string) =>
        `Register version ${version}, or install a version that is registered.`,
    },
    unnamedVersion: {
      what: 'The connector’s version isn’t registered with this service.',
      remedy: 'Register the version, or install one that is registered.',
    },
    blocked: {
      what: 'The device and its key are blocked.',
      remedy:
        'Search the devices for the fingerprint. If the device was blocked by mistake, unblock it.',
    },
    clock: {
      what: 'The clocks of the device and of this service are more than a minute apart.',
      remedy: 'Correct the device clock. If many devices report this, check the server clock.',
    },
    signature: {
      what: 'The request signature is invalid.',
      remedy: (setting: string) =>
        `The device may use a different URL for this service, or something on the network is changing its requests. Make sure that the service URL on the device is the same as ${setting} on this service.`,
    },
    tooMany: {
      perMinute: { what: 'Too many devices registered from this IP address within a minute.' },
      perAddress: { what: 'Too many new devices registered from this IP address today.' },
      perKey: { what: 'Too many new devices registered with this installation key today.' },
      wrongKeys: {
        what: 'Too many requests with a missing or invalid installation key came from this IP address.',
      },
      remedy: (setting: string) =>
        `The connector retries automatically. If you expect this many devices, raise ${setting}. If you don’t, check for misuse of the installation key.`,
    },
    input: {
      what: 'This service doesn’t understand the request.',
      remedy: 'Install a version of the connector that is compatible with this service.',
    },
    page: {
      what: 'The request came from a web page, not a connector.',
      remedy: 'You don’t need to do anything. Web pages can’t register.',
    },
    other: 'For details, search the server log for the request ID below.',
  },
}
