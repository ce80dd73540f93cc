/** What the devices of a version and system get: verdict, allowed origins, card settings, files, keystore and keys. */
import type { CardSettings, Keystore, Platform, Verdict } from '@cardwire/client/protocol'
import type { PublishedKey } from '../auth/keys/signing-key.ts'
import { toPlan } from '../db/rollouts.ts'
import { isFileUri } from '../packages/packages.ts'
import type { Machine } from '../rules/choose-package.ts'
import { chooseConfigurations } from '../rules/group.ts'
import { applyRollouts } from '../rules/rollout.ts'
import { decideVerdict } from '../rules/verdict.ts'
import type { Services } from '../services.ts'
import type { Catalog, ConfigurationRow } from './catalog.ts'
import { type CreateInstallerUrl, createOfferWriter } from './offer.ts'

/** The part that comes from the catalog: the same for every device of a version and system. */
interface VersionPolicy {
  readonly verdict: Verdict
  readonly cors: readonly string[]
  readonly cards?: CardSettings
  readonly files: readonly { readonly path: string; readonly digest: string }[]
  /** `secret` is the wrapped password of the configuration whose id is `row`. Both names are part of what `digest` covers. */
  readonly keystore?: Omit<Keystore, 'password'> & {
    readonly secret: string
    readonly row: string
  }
  /** SHA-256 of all of it. */
  readonly digest: string
}

export interface DevicePolicy extends VersionPolicy {
  /** Changes when anything of the policy does; keys, cycle and maximum age included. */
  readonly state: string
  readonly tokenKeys: readonly PublishedKey['jwk'][]
  readonly replyKeys: readonly PublishedKey['jwk'][]
}

/** Where this service serves installers and keystores. */
interface DownloadUrls {
  readonly createInstallerUrl: CreateInstallerUrl
  readonly keystoreUrl: string
}

/** What decides about a policy beside version and system. */
interface ServedDevice {
  /** Without it, a device gets no keystore. */
  readonly isApproved: boolean
  readonly machine: Machine
  /** The rollouts that reach it. */
  readonly reachedBy: ReadonlySet<string>
  /** The groups that it is in; the one that decides comes first. */
  readonly groups: readonly string[]
}

export function createPolicyResolver(
  services: Pick<Services, 'packages' | 'clock' | 'digest' | 'keyring' | 'settings'>,
  { createInstallerUrl, keystoreUrl }: DownloadUrls,
) {
  const { digest, keyring, settings } = services
  const createOffer = createOfferWriter(services, createInstallerUrl)

  return async (
    catalog: Catalog,
    version: string,
    os: Platform,
    { isApproved, machine, reachedBy, groups }: ServedDevice,
  ): Promise<DevicePolicy> => {
    const { architecture = '', format = '' } = machine
    const configured = await catalog.getConfigurations(version)
    // The others make no difference, and each name has a result of its own.
    const deciding = groups.filter((id) => configured.some(({ groupId }) => groupId === id))
    const rest = [
      ...(isApproved ? [] : ['without keystore']),
      ...[...reachedBy].toSorted(),
      ...deciding.map((id) => `group ${id}`),
    ]
    const name = ['policy of', os, architecture, format, version, ...rest].join(' ')
    const policy = await catalog.memo(name, async () => {
      const releases =
        reachedBy.size === 0
          ? catalog.offered
          : applyRollouts(catalog.releases, catalog.rollouts.map(toPlan), reachedBy)
      const { keystore, ...rest } = await resolveVersionPolicy(
        { ...catalog, releases },
        version,
        os,
        { machine, groups: deciding },
      )
      const content = isApproved && keystore ? { ...rest, keystore } : rest
      return { ...content, digest: await digest(JSON.stringify(content)) }
    })
    const [tokens, replies] = [await keyring.list('application'), await keyring.list('reply')]
    const keyIds = [...tokens, ...replies].map(({ id }) => id)
    const { cycleS, policyMaxAgeS } = settings
    const age = policyMaxAgeS === undefined ? [] : [`max age ${policyMaxAgeS}`]
    const parts = [policy.digest, cycleS, ...age, ...keyIds].join(' ')
    const state = await catalog.memo(`state of ${parts}`, () => digest(parts))
    return {
      ...policy,
      state,
      tokenKeys: tokens.map(({ jwk }) => jwk),
      replyKeys: replies.map(({ jwk }) => jwk),
    }
  }

  async function resolveVersionPolicy(
    catalog: Catalog,
    version: string,
    os: Platform,
    { machine, groups }: Pick<ServedDevice, 'machine' | 'groups'>,
  ): Promise<Omit<VersionPolicy, 'digest'>> {
    const { action, target } = decideVerdict(version, os, catalog.releases)
    const offer = target && (await createOffer(target, os, machine))
    const rows = chooseConfigurations(await catalog.getConfigurations(version), groups)
    const keystore = findKeystore(rows, keystoreUrl)
    const cards = findCardSettings(rows, os)
    return {
      verdict: { action, version, ...(offer && { offer }) },
      cors: rows.flatMap(({ config }) => ('cors' in config ? config.cors : [])),
      ...(cards && { cards }),
      files: rows
        .flatMap(({ config }) => ('files' in config ? config.files : []))
        .filter((file) => file.os === undefined || file.os === os)
        .map(({ path, digest }) => ({ path, digest })),
      ...(keystore && { keystore }),
    }
  }
}

function findCardSettings(
  rows: readonly ConfigurationRow[],
  os: Platform,
): CardSettings | undefined {
  const [found] = rows.flatMap(({ config }) => ('cors' in config ? (config.cards ?? []) : []))
  return found && { ...found, libraries: found.libraries.filter((one) => one.os === os) }
}

function findKeystore(
  rows: readonly ConfigurationRow[],
  keystoreUrl: string,
): VersionPolicy['keystore'] {
  const row = rows.find(({ type }) => type === 'SSL_KEYSTORE')
  if (!row?.secret || !('uri' in row.config)) return undefined
  const { uri, digest } = row.config
  const guarded = isFileUri(uri)
  return {
    uri: guarded ? keystoreUrl : new URL(uri).href,
    guarded,
    ...(digest !== undefined && { digest }),
    secret: row.secret,
    row: row.id,
  }
}
