/** Information about the connector, its device and the browser that calls it. */
import * as z from 'zod/mini'
import { data, operation } from './operation.ts'

const text = z.string()

/** Callers without consent get these fields only. Legacy clients need them, and they say nothing about the user. */
export const Info = z.object({
  t1CInfoAPI: z.looseObject({
    service: z.looseObject({
      deviceType: z.enum(['PROXY', 'API']),
      distributionServiceUrl: z.optional(text),
      dsRegistryActivated: z.literal(false),
    }),
    version: text,
    status: z.enum(['ACTIVATED', 'UNREGISTERED']),
    optionalConsent: z.literal(false),
  }),
  t1CInfoUser: z.looseObject({ hostName: text }),
})
export type Info = z.output<typeof Info>

export const getInfo = operation({
  name: 'getInfo',
  method: 'GET',
  path: '/info',
  tag: 'Connector',
  access: 'anyone',
  summary: 'Get the version, device and user context',
  description:
    'Every field is both at the top level and in `data`, because legacy clients read either. Without consent, you get the short form, with `deviceType` PROXY. With consent and a token, you get the full form, with API.',
  reply: {
    kind: 'document',
    schema: z.looseObject({ success: z.literal(true), data: Info, signature: z.optional(text) }),
    media: 'application/json',
  },
  problems: ['token-refused'],
})

export const getConnectorVersion = operation({
  name: 'getConnectorVersion',
  method: 'GET',
  path: '/v3/version',
  tag: 'Connector',
  access: 'consented',
  summary: 'Get the version of the connector',
  reply: data(z.object({ version: text })),
  problems: [],
})

export const getDeviceKey = operation({
  name: 'getDeviceKey',
  method: 'GET',
  path: '/device-key',
  tag: 'Connector',
  access: 'anyone',
  summary: 'Get the public key that verifies responses and encrypts PINs (SPKI, PEM)',
  reply: data(z.nullable(text)),
  problems: [],
})

export const getDeviceCertificate = operation({
  name: 'getDeviceCertificate',
  method: 'GET',
  path: '/v3/device/certificate',
  tag: 'Connector',
  access: 'consented',
  summary: 'Get this key as a certificate (X.509, PEM)',
  reply: data(z.object({ certificate: text, fingerprint: text })),
  problems: [],
})

export const getBrowser = operation({
  name: 'getBrowser',
  method: 'GET',
  path: '/v3/browser',
  tag: 'Connector',
  access: 'consented',
  summary: 'Get the browser of the caller, from its User-Agent and client hints',
  reply: data(
    z.object({
      name: text,
      version: text,
      engine: text,
      os: z.object({ name: text, version: text }),
      mobile: z.boolean(),
      hints: z.record(z.string(), z.string()),
    }),
  ),
  problems: [],
})

export const stopConnector = operation({
  name: 'stopConnector',
  method: 'POST',
  path: '/v3/stop',
  tag: 'Connector',
  access: 'management',
  summary: 'Stop the connector',
  description: 'The connector responds, stops what it is doing, and ends with exit status 0.',
  reply: data(z.object({ stopping: z.literal(true) })),
  problems: [],
})

export const pushLogs = operation({
  name: 'pushLogs',
  method: 'GET',
  path: '/logs/push',
  tag: 'Connector',
  access: 'management',
  summary: 'Send the logs to the distribution service',
  reply: data(z.object({ pushed: z.boolean() })),
  problems: ['logs-kept'],
})
