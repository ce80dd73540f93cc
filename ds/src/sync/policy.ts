/** What the devices of a version and system get: verdict, allowed origins, card settings, files, keystore and keys. */
import type { CardSettings, Keystore, Platform, Verdict } from '@cardwire/protocol'
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
    const rows = chooseConfigurations(await catalog.getConfigurations(version), groups)
    // A device can be in any set of groups: only what it gets by them makes a difference.
    const rest = [
      ...(isApproved ? [] : ['without keystore']),
      ...[...reachedBy].toSorted(),
      ...rows.map(({ id }) => `configuration ${id}`).toSorted(),
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
        { machine, rows },
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
    {
      machine,
      rows,
    }: Pick<ServedDevice, 'machine'> & { readonly rows: readonly ConfigurationRow[] },
  ): Promise<Omit<VersionPolicy, 'digest'>> {
    const { action, target } = decideVerdict(version, os, catalog.releases)
    const offer = target && (await createOffer(target, os, machine))
    const keystore = findKeystore(rows, keystoreUrl)
    const cards = findCardSettings(rows, os)
    return {
      verdict: { action, version, ...(offer && { offer }) },
      cors: findConfig(rows, 'cors')?.config.cors ?? [],
      ...(cards && { cards }),
      files: await listFiles(catalog, rows, os),
      ...(keystore && { keystore }),
    }
  }
}

/** The row of the type with this field, of which a device gets one. */
const findConfig = <K extends 'cors' | 'files'>(rows: readonly ConfigurationRow[], field: K) =>
  rows.find(
    (
      row,
    ): row is ConfigurationRow & {
      config: Extract<ConfigurationRow['config'], Record<K, unknown>>
    } => field in row.config,
  )

/** One list for all policies with the row: there may be many of them. */
async function listFiles(
  catalog: Pick<Catalog, 'memo'>,
  rows: readonly ConfigurationRow[],
  os: Platform,
): Promise<VersionPolicy['files']> {
  const row = findConfig(rows, 'files')
  if (!row) return []
  return catalog.memo(`files of ${row.id} for ${os}`, async () =>
    row.config.files
      .filter((file) => file.os === undefined || file.os === os)
      .map(({ path, digest }) => ({ path, digest })),
  )
}

function findCardSettings(
  rows: readonly ConfigurationRow[],
  os: Platform,
): CardSettings | undefined {
  const found = findConfig(rows, 'cors')?.config.cards
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
