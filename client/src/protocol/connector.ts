/** Every operation of the connector's API, in the order of its document. */
import * as identity from './card-identity.ts'
import * as signing from './card-signing.ts'
import * as card from './card-token.ts'
import * as certificate from './certificate.ts'
import * as sync from './connector-sync.ts'
import * as system from './connector-system.ts'
import * as consent from './consent.ts'
import * as module from './module.ts'
import type { Operation } from './operation.ts'
import * as reader from './reader.ts'

export const connectorOperations: readonly Operation[] = [
  system.getInfo,
  system.getConnectorVersion,
  system.getDeviceKey,
  system.getDeviceCertificate,
  system.getBrowser,
  system.pushLogs,
  system.stopConnector,
  sync.getSyncState,
  sync.synchronise,
  sync.listTransactions,
  consent.validateConsents,
  consent.requestConsent,
  consent.getConsent,
  consent.grantConsent,
  consent.listAgents,
  reader.listReaders,
  reader.getReader,
  reader.detectReaders,
  reader.detectAnyCard,
  reader.detectCard,
  reader.readerEvents,
  reader.listAtrs,
  module.listModules,
  module.getModule,
  module.x509Pem,
  module.x509Json,
  module.x509SubjectCn,
  module.x509IssuerCn,
  card.listCardCertificates,
  card.getAuthenticationCertificate,
  card.getNonRepudiationCertificate,
  card.getEncryptionCertificate,
  card.getRootCertificate,
  card.getIntermediateCertificates,
  card.getIssuerCertificate,
  card.listCardAlgorithms,
  identity.getCardIdentity,
  identity.getCardBiometric,
  identity.getCardAddress,
  identity.getCardPicture,
  identity.getCardInfo,
  identity.getCardVersion,
  signing.verifyCardPin,
  signing.authenticateWithCard,
  signing.signWithCard,
  signing.signDataWithCard,
  signing.signDigestsWithCard,
  signing.validateCardSignature,
  signing.createAuthenticationToken,
  card.resetBulkPin,
  card.resetBulkPinByGet,
  certificate.certificateStatus,
  certificate.certificateDomainStatus,
  certificate.installCertificates,
  certificate.renewCertificates,
  certificate.setCertificateHosts,
  certificate.uninstallCertificates,
]
