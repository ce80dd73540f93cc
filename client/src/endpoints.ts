/**
 * The operations that the client calls. What an answer is read by stands here a second time, because the contract's own
 * values would be half of the bundle; the compiler holds every line of it against the contract.
 */
import type { BrowserInformation, DeviceCertificate } from './core-service.ts'
import type { Callable } from './protocol/call.ts'
import type * as contract from './protocol/index.ts'
import {
  anything,
  either,
  flag,
  list,
  nullable,
  number,
  object,
  oneOf,
  optional,
  record,
  type Shape,
  text,
} from './shape.ts'

const consented = { method: 'GET', access: 'consented' } as const
const anyone = { method: 'GET', access: 'anyone' } as const

const reader: Shape<contract.Reader> = object({
  id: text,
  name: text,
  pinpad: flag,
  card: optional(
    object({
      atr: text,
      description: list(text),
      module: optional(text),
      modules: list(text),
    }),
  ),
})

export const readerEvent: Shape<contract.ReaderEvent> = either(
  object({ type: oneOf('snapshot'), sequence: number, readers: list(reader) }),
  object({
    type: oneOf('reader-added', 'reader-removed', 'card-inserted', 'card-removed'),
    sequence: number,
    reader,
  }),
)

export const listReaders: Callable<typeof contract.listReaders> = {
  ...consented,
  path: '/v3/readers',
  data: list(reader),
}
export const getReader: Callable<typeof contract.getReader> = {
  ...consented,
  path: '/v3/readers/{id}',
  data: reader,
}
export const detectReaders: Callable<typeof contract.detectReaders> = {
  ...consented,
  path: '/v3/readers/detect',
  data: nullable(list(reader)),
}
export const detectAnyCard: Callable<typeof contract.detectAnyCard> = {
  ...consented,
  path: '/v3/readers/detect-card',
  data: nullable(reader),
}
export const detectCard: Callable<typeof contract.detectCard> = {
  ...consented,
  path: '/v3/readers/{id}/detect-card',
  data: nullable(reader),
}
export const readerEvents: Callable<typeof contract.readerEvents> = {
  ...consented,
  path: '/v3/readers/events',
  data: anything,
}

const module: Shape<contract.Module> = object({
  id: text,
  version: text,
  description: text,
  systems: list(oneOf('windows', 'macos', 'linux')),
  cards: flag,
})
export const listModules: Callable<typeof contract.listModules> = {
  ...consented,
  path: '/v3/modules',
  data: list(module),
}
export const getModule: Callable<typeof contract.getModule> = {
  ...consented,
  path: '/v3/modules/{id}',
  data: module,
}

export const getInfo: Callable<typeof contract.getInfo> = {
  ...anyone,
  path: '/info',
  data: object({
    t1CInfoAPI: object({
      service: object({
        deviceType: oneOf('PROXY', 'API'),
        distributionServiceUrl: optional(text),
        dsRegistryActivated: oneOf(false),
      }),
      version: text,
      status: oneOf('ACTIVATED', 'UNREGISTERED'),
      optionalConsent: oneOf(false),
    }),
    t1CInfoUser: object({ hostName: text }),
  }),
}
export const getVersion: Callable<typeof contract.getConnectorVersion> = {
  ...consented,
  path: '/v3/version',
  data: object({ version: text }),
}
export const getDeviceKey: Callable<typeof contract.getDeviceKey> = {
  ...anyone,
  path: '/device-key',
  data: nullable(text),
}
export const getDeviceCertificate: Callable<
  typeof contract.getDeviceCertificate,
  DeviceCertificate
> = {
  ...consented,
  path: '/v3/device/certificate',
  data: object({ certificate: text, fingerprint: text }),
}
export const getBrowser: Callable<typeof contract.getBrowser, BrowserInformation> = {
  ...consented,
  path: '/v3/browser',
  data: object({
    name: text,
    version: text,
    engine: text,
    os: object({ name: text, version: text }),
    mobile: flag,
    hints: record,
  }),
}

const consentAnswer: Shape<contract.ConsentAnswer> = object({
  consentState: oneOf('APPROVED', 'REQUIRED'),
  consents: optional(list(text)),
  consent: optional(text),
})
export const validateConsents: Callable<typeof contract.validateConsents, contract.ConsentAnswer> =
  { ...anyone, method: 'POST', path: '/v3/validate', data: consentAnswer }
export const requestConsent: Callable<typeof contract.requestConsent, contract.ConsentAnswer> = {
  ...anyone,
  method: 'POST',
  path: '/v3/consent',
  data: consentAnswer,
}
