/** Every operation of the distribution service, in the order of its document. */
import * as account from './account.ts'
import * as administrator from './administrator.ts'
import * as apiClient from './api-client.ts'
import * as approval from './approval.ts'
import * as audit from './audit.ts'
import * as clientToken from './client-token.ts'
import * as configuration from './configuration.ts'
import * as counter from './counter.ts'
import * as device from './device.ts'
import * as deviceChange from './device-change.ts'
import * as download from './download.ts'
import * as gateway from './gateway.ts'
import * as group from './group.ts'
import * as halt from './halt.ts'
import * as history from './history.ts'
import * as identity from './identity.ts'
import * as installer from './installer.ts'
import * as keystore from './keystore.ts'
import * as label from './label.ts'
import type { Operation } from './operation.ts'
import * as organization from './organization.ts'
import * as organizationUse from './organization-use.ts'
import * as partialChange from './partial-change.ts'
import * as reach from './reach.ts'
import * as refusal from './refusal.ts'
import * as rollout from './rollout.ts'
import * as sync from './sync.ts'
import * as system from './system.ts'
import * as tagImport from './tag-import.ts'
import * as token from './token.ts'
import * as version from './version.ts'
import * as webhook from './webhook.ts'

export const dsOperations: readonly Operation[] = [
  token.applicationToken,
  token.keySet,
  gateway.checkApplicationKey,
  gateway.checkRegistrationKey,
  download.downloadInstaller,
  download.downloadInstallerFor,
  download.downloadInstallerOf,
  download.downloadManifest,
  download.listDownloads,
  download.summarizeDownloads,
  version.putVersion,
  version.listVersions,
  version.latestVersion,
  version.getVersion,
  partialChange.patchVersion,
  reach.getVersionReach,
  history.listVersionRevisions,
  history.getVersionRevision,
  history.restoreVersion,
  version.deleteVersion,
  approval.listApprovals,
  approval.removeApproval,
  halt.getHaltReach,
  halt.haltRollouts,
  rollout.putRollout,
  rollout.listRollouts,
  rollout.getRollout,
  rollout.getRolloutHours,
  rollout.getRolloutReach,
  rollout.changeRollout,
  rollout.deleteRollout,
  group.putGroup,
  group.listGroups,
  group.getGroup,
  group.getGroupReach,
  group.deleteGroup,
  installer.putInstaller,
  installer.listInstallers,
  installer.getInstaller,
  installer.deleteInstaller,
  keystore.putKeystore,
  keystore.listKeystores,
  keystore.deleteKeystore,
  configuration.putConfiguration,
  configuration.listConfigurations,
  configuration.getConfiguration,
  partialChange.patchConfiguration,
  reach.getVersionConfigurationReach,
  reach.getConfigurationReach,
  history.listConfigurationRevisions,
  history.getConfigurationRevision,
  history.restoreConfiguration,
  configuration.deleteConfiguration,
  configuration.copyConfigurations,
  organization.putOrganization,
  organization.listOrganizations,
  organization.getOrganization,
  partialChange.patchOrganization,
  reach.getOrganizationReach,
  organization.deleteOrganization,
  label.putLabel,
  label.listLabels,
  label.getLabel,
  partialChange.patchLabel,
  reach.getLabelReach,
  label.deleteLabel,
  label.rotateLabelKey,
  label.revokeLabelKey,
  device.registerDevice,
  refusal.checkInstallationKey,
  sync.syncDevice,
  sync.waitForNews,
  sync.listSuccessions,
  sync.downloadKeystore,
  sync.uploadLogs,
  device.listDevices,
  device.exportDevices,
  device.summarizeDevices,
  refusal.listRefusals,
  deviceChange.getDeviceReach,
  deviceChange.listDeviceChanges,
  deviceChange.getDeviceChange,
  deviceChange.changeDevices,
  tagImport.putTagImport,
  tagImport.getTagImport,
  refusal.countRefusals,
  device.getDevice,
  device.blockDevice,
  device.unblockDevice,
  device.approveDevice,
  device.putDeviceTags,
  device.requestSync,
  device.deleteDevice,
  device.downloadLogs,
  counter.listCounters,
  counter.summarizeCounters,
  counter.exportCounters,
  organizationUse.listOrganizationUse,
  organizationUse.exportOrganizationUse,
  token.listSigningKeys,
  token.rotateSigningKey,
  reach.getSigningKeyReach,
  token.deleteSigningKey,
  webhook.putWebhook,
  webhook.listWebhooks,
  webhook.getWebhook,
  webhook.deleteWebhook,
  webhook.rotateWebhookSecret,
  webhook.testWebhook,
  webhook.listWebhookDeliveries,
  webhook.redeliverWebhookEvent,
  audit.listAudit,
  audit.exportAudit,
  account.getAccount,
  account.changePassword,
  account.beginSecondFactor,
  account.confirmSecondFactor,
  account.createRecoveryCodes,
  account.removeSecondFactor,
  account.listSessions,
  account.endOtherSessions,
  account.endOwnSession,
  administrator.listAdministrators,
  administrator.addAdministrator,
  administrator.getAdministrator,
  administrator.changeRole,
  administrator.setPassword,
  administrator.resetSecondFactor,
  administrator.removeAdministrator,
  administrator.listAdministratorSessions,
  administrator.endAdministratorSessions,
  apiClient.listApiClients,
  apiClient.addApiClient,
  apiClient.getApiClient,
  apiClient.changeApiClient,
  apiClient.removeApiClient,
  apiClient.addClientCredential,
  apiClient.removeClientCredential,
  clientToken.issueClientToken,
  clientToken.authorizationServerMetadata,
  identity.issueToken,
  identity.endSession,
  identity.identityKeySet,
  identity.identityDiscovery,
  system.systemStatus,
  system.health,
  system.metrics,
]
