/**
 * The operations that the client calls, with validators of its own for the responses: the contract's schemas would be half
 * of the bundle. The compiler checks each of them against the contract.
 */

import type * as contract from '@cardwire/protocol'
import type { ClientOperation } from '@cardwire/protocol/call'
import {
  array,
  boolean,
  nullable,
  number,
  object,
  oneOf,
  optional,
  record,
  string,
  union,
  unknown,
  type Validator,
} from '@cardwire/protocol/validators'
import type { BrowserInformation, DeviceCertificate } from './core-service.ts'
import { maxItems } from './max-items.ts'

const consented = { method: 'GET', access: 'consented' } as const
const anyone = { method: 'GET', access: 'anyone' } as const

const reader: Validator<contract.Reader> = object({
  id: string,
  name: string,
  pinpad: boolean,
  card: optional(
    object({
      atr: string,
      description: array(string, maxItems.cardKinds),
      module: optional(string),
      modules: array(string, maxItems.modules),
    }),
  ),
})

export const readerEvent: Validator<contract.ReaderEvent> = union(
  object<Extract<contract.ReaderEvent, { type: 'snapshot' }>>({
    type: oneOf('snapshot'),
    sequence: number,
    readers: array(reader, maxItems.readers),
    cardService: optional(object({ state: oneOf('up', 'down'), reason: optional(string) })),
  }),
  object<Exclude<contract.ReaderEvent, { type: 'snapshot' }>>({
    type: oneOf('reader-added', 'reader-removed', 'card-inserted', 'card-removed'),
    sequence: number,
    reader,
  }),
)

export const listReaders: ClientOperation<typeof contract.listReaders> = {
  ...consented,
  path: '/v3/readers',
  data: array(reader, maxItems.readers),
}
export const getReader: ClientOperation<typeof contract.getReader> = {
  ...consented,
  path: '/v3/readers/{id}',
  data: reader,
}
export const detectReaders: ClientOperation<typeof contract.detectReaders> = {
  ...consented,
  path: '/v3/readers/detect',
  data: nullable(array(reader, maxItems.readers)),
}
export const detectAnyCard: ClientOperation<typeof contract.detectAnyCard> = {
  ...consented,
  path: '/v3/readers/detect-card',
  data: nullable(reader),
}
export const detectCard: ClientOperation<typeof contract.detectCard> = {
  ...consented,
  path: '/v3/readers/{id}/detect-card',
  data: nullable(reader),
}
export const readerEvents: ClientOperation<typeof contract.readerEvents> = {
  ...consented,
  path: '/v3/readers/events',
  data: unknown,
}

const module: Validator<contract.Module> = object({
  id: string,
  version: string,
  description: string,
  systems: array(oneOf('windows', 'macos', 'linux'), maxItems.systems),
  cards: boolean,
})
export const listModules: ClientOperation<typeof contract.listModules> = {
  ...consented,
  path: '/v3/modules',
  data: array(module, maxItems.modules),
}
export const getModule: ClientOperation<typeof contract.getModule> = {
  ...consented,
  path: '/v3/modules/{id}',
  data: module,
}

const cardInReader = '/v3/modules/{module}/apps/token/readers/{reader}'
const certificateAnswer: Validator<contract.CertificateAnswer> = object({
  id: string,
  certificate: string,
  certificateType: string,
  certificates: array(
    object({
      id: string,
      certificate: string,
      certificateType: string,
      subject: string,
      issuer: string,
      serialNumber: string,
    }),
    maxItems.certificates,
  ),
})
export const listCardCertificates: ClientOperation<
  typeof contract.listCardCertificates,
  contract.CertificateList
> = {
  ...consented,
  path: `${cardInReader}/cert-list`,
  data: object({
    authenticationCertificate: optional(certificateAnswer),
    nonRepudiationCertificate: optional(certificateAnswer),
    encryptionCertificate: optional(certificateAnswer),
    intermediateCertificates: optional(certificateAnswer),
    rootCertificate: optional(certificateAnswer),
  }),
}
export const listCardHashes: ClientOperation<typeof contract.listCardAlgorithms> = {
  ...consented,
  path: `${cardInReader}/supported-algorithms`,
  data: object({ ref: array(string, maxItems.hashes) }),
}
const signedFile = { rawData: string, signature: string }
export const getIdentity: ClientOperation<typeof contract.getCardIdentity> = {
  ...consented,
  path: `${cardInReader}/all-data`,
  data: object({
    biometric: optional(
      object({
        ...signedFile,
        version: string,
        cardNumber: string,
        chipNumber: string,
        cardValidityDateBegin: string,
        cardValidityDateEnd: string,
        cardDeliveryMunicipality: string,
        nationalNumber: string,
        name: string,
        firstNames: string,
        thirdName: string,
        nationality: string,
        birthLocation: string,
        birthDate: string,
        sex: string,
        nobleCondition: string,
        documentType: string,
        specialStatus: string,
        pictureHash: string,
        issuer: optional(string),
      }),
    ),
    address: optional(
      object({
        ...signedFile,
        version: string,
        streetAndNumber: string,
        zipcode: string,
        municipality: string,
      }),
    ),
    picture: optional(
      object({ picture: string, signature: string, width: number, height: number }),
    ),
  }),
}
export const sign: ClientOperation<typeof contract.signWithCard> = {
  ...consented,
  method: 'POST',
  path: `${cardInReader}/sign`,
  data: object({ data: string }),
}
export const signAll: ClientOperation<typeof contract.signDigestsWithCard> = {
  ...consented,
  method: 'POST',
  path: `${cardInReader}/signatures`,
  data: object({ signatures: array(string, maxItems.signatures) }),
}
export const authenticate: ClientOperation<typeof contract.createAuthenticationToken> = {
  ...consented,
  method: 'POST',
  path: `${cardInReader}/authentication-token`,
  data: object({
    unverifiedCertificate: string,
    algorithm: oneOf('ES256', 'ES384', 'RS256'),
    signature: string,
    format: string,
    appVersion: string,
  }),
}

const rawInReader = '/v3/modules/remoteloading/apps/hsm/readers/{reader}'
export const openRaw: ClientOperation<typeof contract.openRawSession> = {
  ...consented,
  method: 'POST',
  path: `${rawInReader}/open-session`,
  data: string,
}
export const holdRaw: ClientOperation<typeof contract.holdRawSession> = {
  ...consented,
  method: 'POST',
  path: `${rawInReader}/hold-session`,
  data: string,
}
export const closeRaw: ClientOperation<typeof contract.closeRawSession> = {
  ...consented,
  method: 'POST',
  path: `${rawInReader}/close-session`,
  data: string,
}
export const transmitRaw: ClientOperation<typeof contract.transmitRaw> = {
  ...consented,
  method: 'POST',
  path: `${rawInReader}/transmit`,
  data: object({ data: string }),
}

export const getInfo: ClientOperation<typeof contract.getInfo> = {
  ...anyone,
  path: '/info',
  data: object({
    t1CInfoAPI: object({
      service: object({
        deviceType: oneOf('PROXY', 'API'),
        distributionServiceUrl: optional(string),
        dsRegistryActivated: oneOf(false),
      }),
      version: string,
      status: oneOf('ACTIVATED', 'UNREGISTERED'),
      optionalConsent: oneOf(false),
    }),
    t1CInfoUser: object({ hostName: string }),
  }),
}
export const getVersion: ClientOperation<typeof contract.getConnectorVersion> = {
  ...consented,
  path: '/v3/version',
  data: object({ version: string }),
}
export const getDeviceKey: ClientOperation<typeof contract.getDeviceKey> = {
  ...anyone,
  path: '/device-key',
  data: nullable(string),
}
export const getDeviceCertificate: ClientOperation<
  typeof contract.getDeviceCertificate,
  DeviceCertificate
> = {
  ...consented,
  path: '/v3/device/certificate',
  data: object({ certificate: string, fingerprint: string }),
}
export const getBrowser: ClientOperation<typeof contract.getBrowser, BrowserInformation> = {
  ...consented,
  path: '/v3/browser',
  data: object({
    name: string,
    version: string,
    engine: string,
    os: object({ name: string, version: string }),
    mobile: boolean,
    hints: record(maxItems.hints),
  }),
}

const consentAnswer: Validator<contract.ConsentAnswer> = object({
  consentState: oneOf('APPROVED', 'REQUIRED'),
  consents: optional(array(string, maxItems.consents)),
  consent: optional(string),
  retryAfterS: optional(number),
})
export const validateConsents: ClientOperation<
  typeof contract.validateConsents,
  contract.ConsentAnswer
> = { ...anyone, method: 'POST', path: '/v3/validate', data: consentAnswer }
export const requestConsent: ClientOperation<
  typeof contract.requestConsent,
  contract.ConsentAnswer
> = {
  ...anyone,
  method: 'POST',
  path: '/v3/consent',
  data: consentAnswer,
}
