/** Every guard that the campaign removes, and the rows that have none. */
import { builtConnectorGuards, unguardedBuilt } from './guards/built-connector.ts'
import { cardGuards, unguardedCards } from './guards/cards.ts'
import { clientGuards, unguardedClient } from './guards/client.ts'
import { accountGuards, unguardedAccounts } from './guards/connector-accounts.ts'
import { certificateGuards, unguardedCertificates } from './guards/connector-certificates.ts'
import { connectorDataGuards, unguardedData } from './guards/connector-data.ts'
import { machineGuards, unguardedMachine } from './guards/connector-machine.ts'
import { pageGuards, unguardedPages } from './guards/connector-pages.ts'
import { fileGuards, unguardedFiles } from './guards/files.ts'
import { hostileCardGuards, unguardedHostileCards } from './guards/hostile-cards.ts'
import { ownPageGuards } from './guards/own-pages.ts'
import { packageGuards, unguardedPackages } from './guards/packages.ts'
import { pdfGuards } from './guards/pdf.ts'
import { pinGuards, unguardedPins } from './guards/pins.ts'
import { releaseGuards } from './guards/releases.ts'
import { revocationGuards } from './guards/revocation.ts'
import { serviceGuards, unguardedService } from './guards/service.ts'
import { administrationGuards, unguardedAdministration } from './guards/service-administration.ts'
import { serviceBucketGuards } from './guards/service-buckets.ts'
import { serviceDeviceGuards } from './guards/service-devices.ts'
import { serviceFileGuards, unguardedServiceFiles } from './guards/service-files.ts'
import { serviceLimitGuards } from './guards/service-limits.ts'
import { serviceStorageGuards } from './guards/service-storage.ts'
import { serviceWebhookGuards } from './guards/service-webhooks.ts'
import { signatureGuards } from './guards/signatures.ts'

export const guards = [
  ...serviceGuards,
  ...serviceLimitGuards,
  ...serviceWebhookGuards,
  ...serviceDeviceGuards,
  ...serviceStorageGuards,
  ...serviceBucketGuards,
  ...serviceFileGuards,
  ...administrationGuards,
  ...pageGuards,
  ...accountGuards,
  ...machineGuards,
  ...packageGuards,
  ...certificateGuards,
  ...cardGuards,
  ...pinGuards,
  ...hostileCardGuards,
  ...fileGuards,
  ...builtConnectorGuards,
  ...connectorDataGuards,
  ...clientGuards,
  ...revocationGuards,
  ...signatureGuards,
  ...pdfGuards,
  ...ownPageGuards,
  ...releaseGuards,
]

export const unguarded = {
  ...unguardedService,
  ...unguardedServiceFiles,
  ...unguardedAdministration,
  ...unguardedPages,
  ...unguardedAccounts,
  ...unguardedMachine,
  ...unguardedPackages,
  ...unguardedCertificates,
  ...unguardedCards,
  ...unguardedPins,
  ...unguardedHostileCards,
  ...unguardedFiles,
  ...unguardedBuilt,
  ...unguardedData,
  ...unguardedClient,
}
