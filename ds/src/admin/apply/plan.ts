/** Compares a folder with a fleet: the changes that make the fleet what the folder says, in the order in which they are made. */
import {
  type Configuration,
  type ConfigurationInput,
  changeRollout,
  type Group,
  getConfigurationReach,
  getGroupReach,
  getRolloutReach,
  getVersionConfigurationReach,
  getVersionReach,
  putConfiguration,
  putGroup,
  putRollout,
  putVersion,
  type Rollout,
  type RolloutChange,
  type Version,
  type VersionInput,
} from '@cardwire/protocol'
import { StartError } from '../../self-hosted/start-error.ts'
import type { CallRemote } from '../remote-service.ts'
import { describeFields, isSame } from './differences.ts'
import { type Fleet, readFleet } from './fleet.ts'
import { type FoundResource, readSecretOf } from './read-folder.ts'
import {
  type ConfigurationResource,
  type GroupResource,
  type RolloutResource,
  toConfigurationKey,
  toKey,
  type VersionResource,
} from './resources.ts'

export interface Change {
  readonly kind: 'group' | 'version' | 'configuration' | 'rollout'
  /** `group "Front desks"`. */
  readonly what: string
  readonly act: 'add' | 'change'
  /** What changes, one line each. */
  readonly fields: readonly string[]
  /** The devices that it affects, counted before any change is made. */
  readonly reach: number
  make(call: CallRemote, maxReach: number): Promise<unknown>
}

export interface Plan {
  readonly changes: readonly Change[]
  /** What the service has that the folder lacks. */
  readonly others: readonly string[]
  /** What the folder says and the service does not do by itself. */
  readonly notes: readonly string[]
}

interface Planner {
  readonly call: CallRemote
  readonly fleet: Fleet
  readonly folder: string
  /** The IDs of groups by their names, those that are added included. */
  readonly groupIds: ReadonlyMap<string, string>
  /** By ID, what the folder says. */
  readonly versions: ReadonlyMap<string, VersionResource>
  /** By version, what the folder says of its rollout. */
  readonly rollouts: ReadonlyMap<string, RolloutResource>
}

/** Changes nothing. */
export async function makePlan(
  call: CallRemote,
  folder: string,
  found: readonly FoundResource[],
): Promise<Plan> {
  const fleet = await readFleet(call)
  const pick = <K extends FoundResource['resource']['kind']>(kind: K) =>
    found.filter((one): one is FoundResource & { resource: { kind: K } } => {
      return one.resource.kind === kind
    })
  const groups = pick('group').map(({ resource }) => resource as GroupResource)
  const versions = pick('version').map(({ resource }) => resource as VersionResource)
  const rollouts = pick('rollout').map(({ resource }) => resource as RolloutResource)
  const planner: Planner = {
    ...{ call, fleet, folder },
    groupIds: new Map([
      ...groups.map(({ name }): [string, string] => [name, crypto.randomUUID()]),
      ...[...fleet.groups].map(([name, { id }]): [string, string] => [name, id]),
    ]),
    versions: new Map(versions.map((one) => [one.id, one])),
    rollouts: new Map(rollouts.map((one) => [one.version, one])),
  }
  const changes: Change[] = []
  const notes: string[] = []
  for (const group of groups) changes.push(...(await planGroup(planner, group)))
  // A version is suggested when it has its allowlist.
  for (const version of versions) changes.push(...(await planNewVersion(planner, version)))
  for (const { file, resource } of pick('configuration'))
    changes.push(...(await planConfiguration(planner, file, resource as ConfigurationResource)))
  for (const version of versions) changes.push(...(await planVersion(planner, version)))
  for (const rollout of rollouts) changes.push(...(await planRollout(planner, rollout, notes)))
  return { changes, others: listOthers(fleet, found), notes }
}

async function planGroup(
  { call, fleet, groupIds }: Planner,
  { name, rules, priority }: GroupResource,
): Promise<readonly Change[]> {
  const what = `group "${name}"`
  const before: Group | undefined = fleet.groups.get(name)
  const wanted = { rules, priority }
  const fields = describeFields(
    before && { rules: before.rules, priority: before.priority },
    wanted,
  )
  if (fields.length === 0) return []
  const id = groupIds.get(name) ?? ''
  const query = { rules: JSON.stringify(rules), priority: String(priority) }
  const act = `count the devices of ${what}`
  const { reach } = await call(act, getGroupReach, { params: { id }, query })
  return [
    {
      ...{ kind: 'group', what, fields, reach, act: before ? 'change' : 'add' },
      make: (to, maxReach) =>
        to(
          `save ${what}`,
          putGroup,
          {
            params: { id },
            query: { maxReach: String(maxReach) },
            body: { name, ...wanted },
          },
          before?.revision,
        ),
    },
  ]
}

const flags = ['recommended', 'mandatory', 'allowed'] as const
const newFlags = { recommended: false, mandatory: false, allowed: true } as const

/** Neither suggested nor required yet: its configurations come first. */
async function planNewVersion(
  planner: Planner,
  resource: VersionResource,
): Promise<readonly Change[]> {
  const { id, uris = [], allowed = true } = resource
  if (planner.fleet.versions.has(id)) return []
  const wanted: VersionInput = { id, ...newFlags, allowed, uris: [...uris] }
  return [
    {
      ...{ kind: 'version', what: `version ${id}`, act: 'add' },
      fields: uris.map(({ os, uri }) => `${os}: ${uri}`),
      reach: await countVersionReach(planner, wanted, undefined),
      make: (to, maxReach) => putVersionTo(to, wanted, maxReach, undefined),
    },
  ]
}

async function planVersion(
  planner: Planner,
  resource: VersionResource,
): Promise<readonly Change[]> {
  const { id } = resource
  const before = planner.fleet.versions.get(id)
  const current = before ?? { id, ...newFlags, allowed: resource.allowed ?? true, uris: [] }
  const wanted: VersionInput = {
    id,
    ...pickFlags(current),
    ...pickFlags(resource),
    uris: mergeInstallers(current.uris, resource.uris),
  }
  // A finished rollout gives the flag that it names.
  const flag = planner.rollouts.get(id)?.flag
  if (flag !== undefined) wanted[flag] = current[flag]
  const shown = (one: VersionInput | Version) => ({ ...pickFlags(one), ...byPlatform(one.uris) })
  const fields = describeFields(
    before ? shown(before) : shown({ ...wanted, ...newFlags, allowed: wanted.allowed }),
    shown(wanted),
  )
  if (fields.length === 0) return []
  return [
    {
      ...{ kind: 'version', what: `version ${id}`, act: 'change', fields },
      reach: await countVersionReach(planner, wanted, before),
      make: (to, maxReach) => putVersionTo(to, wanted, maxReach, before?.revision),
    },
  ]
}

const putVersionTo = (
  call: CallRemote,
  body: VersionInput,
  maxReach: number,
  revision: number | undefined,
) =>
  call(
    `save version ${body.id}`,
    putVersion,
    { query: { maxReach: String(maxReach) }, body },
    revision,
  )

const pickFlags = (given: { readonly [flag in (typeof flags)[number]]?: boolean | undefined }) =>
  Object.fromEntries(
    flags.flatMap((flag) => (given[flag] === undefined ? [] : [[flag, given[flag]]])),
  ) as Record<(typeof flags)[number], boolean>

const byPlatform = (uris: VersionInput['uris']) =>
  Object.fromEntries(uris.map(({ os, ...rest }) => [os, rest]))

/** What a file leaves out of an installer stays: its hash and size, which the service knows of a file that it has. */
function mergeInstallers(
  current: VersionInput['uris'],
  wanted: VersionInput['uris'] | undefined,
): VersionInput['uris'] {
  if (!wanted) return [...current]
  return wanted.map((one) => {
    const same = current.find(({ os, uri }) => os === one.os && uri === one.uri)
    return same ? { ...same, ...one } : one
  })
}

async function countVersionReach(
  { call }: Planner,
  { id, uris, recommended, mandatory, allowed }: VersionInput,
  before: Version | undefined,
): Promise<number> {
  const list = (systems: readonly string[]) => systems.join(',') || 'none'
  const changed = uris.filter(
    (one) => !isSame(one, before?.uris.find(({ os }) => os === one.os) ?? one),
  )
  const { reach } = await call(`count the devices of version ${id}`, getVersionReach, {
    params: { id },
    query: {
      ...{ recommended: `${recommended}`, mandatory: `${mandatory}`, allowed: `${allowed}` },
      installers: list(uris.map(({ os }) => os)),
      otherInstallers: list(changed.map(({ os }) => os)),
    },
  })
  return reach
}

async function planConfiguration(
  { call, fleet, folder, groupIds, versions }: Planner,
  file: string,
  resource: ConfigurationResource,
): Promise<readonly Change[]> {
  const { version, type, group } = resource
  const what = toConfigurationKey(version, type, group)
  const isNewVersion = !fleet.versions.has(version)
  if (isNewVersion && !versions.has(version))
    throw new StartError(`Cannot apply ${file}: there is no version ${version}`)
  const groupId = group === undefined ? undefined : groupIds.get(group)
  if (group !== undefined && groupId === undefined)
    throw new StartError(`Cannot apply ${file}: there is no group "${group}"`)
  const before = fleet.configurations.get(toKey(resource))
  const fields = describeFields(before && toShown(before), toShown(resource))
  if (fields.length === 0) return []
  const body = {
    ...(before && { id: before.id }),
    ...{ type, versionId: version, ...(groupId !== undefined && { groupId }) },
    config: createConfig(folder, file, resource),
  } as ConfigurationInput
  return [
    {
      ...{ kind: 'configuration', what, fields, act: before ? 'change' : 'add' },
      reach: before
        ? (
            await call(`count the devices with the ${what}`, getConfigurationReach, {
              params: { id: before.id },
            })
          ).reach
        : isNewVersion
          ? 0
          : (
              await call(`count the devices of version ${version}`, getVersionConfigurationReach, {
                params: { id: version },
                query: { type, groupId: fleet.groups.get(group ?? '')?.id },
              })
            ).reach,
      make: (to, maxReach) =>
        to(
          `save the ${what}`,
          putConfiguration,
          { query: { maxReach: String(maxReach) }, body },
          before?.revision,
        ),
    },
  ]
}

/** Of a keystore only what names its file: the service returns no password, and reads the certificate itself. */
function toShown({ type, config }: Configuration | ConfigurationResource): object {
  if (type !== 'SSL_KEYSTORE') return config
  const { uri, digest } = config
  return { uri, ...(digest !== undefined && { digest }) }
}

function createConfig(folder: string, file: string, { type, config }: ConfigurationResource) {
  if (type !== 'SSL_KEYSTORE') return config
  const { passwordFile, ...others } = config
  return { ...others, password: readSecretOf(folder, file, passwordFile) }
}

/** The states that lead on from each. What the service or an administrator has stopped is not started again from a folder. */
const nextStates: Readonly<Record<Rollout['state'], readonly RolloutChange[]>> = {
  draft: ['running', 'finished'],
  running: ['paused', 'halted', 'finished'],
  paused: ['halted', 'finished'],
  halted: [],
  finished: [],
}

async function planRollout(
  planner: Planner,
  resource: RolloutResource,
  notes: string[],
): Promise<readonly Change[]> {
  const { fleet } = planner
  const { version, state } = resource
  const what = `rollout of ${version}`
  const before = fleet.rollouts.get(version)
  const { kind: _, state: __, ...wanted } = { ...resource, stages: toStages(planner, resource) }
  const fields = describeFields(
    before && toShownRollout(before, nameStages(planner, before)),
    toShownRollout(resource, resource.stages),
  )
  const isStarted = before !== undefined && before.state !== 'draft'
  if (isStarted && before.state !== 'finished' && fields.length > 0)
    throw new StartError(
      `Cannot change the ${what}: it has started. Change the file back, or halt and remove the rollout`,
    )
  const id = before?.id ?? crypto.randomUUID()
  const changes: Change[] = []
  if (!isStarted && fields.length > 0)
    changes.push({
      ...{ kind: 'rollout', what, fields, reach: 0, act: before ? 'change' : 'add' },
      make: (to, maxReach) =>
        to(
          `save the ${what}`,
          putRollout,
          { params: { id }, query: { maxReach: String(maxReach) }, body: wanted },
          before?.revision,
        ),
    })
  const current = before?.state ?? 'draft'
  if (current === state || (state === 'running' && current === 'finished')) return changes
  if (state === 'draft' || !nextStates[current].includes(state)) {
    notes.push(
      `The ${what} is ${current}, and the folder says ${state}. To change this, use \`rollout\`.`,
    )
    return changes
  }
  changes.push({
    ...{ kind: 'rollout', what, act: 'change', fields: [`state: ${current} → ${state}`] },
    reach: await countRolloutReach(planner, before, resource, state),
    make: (to, maxReach) =>
      to(`change the ${what}`, changeRollout, {
        params: { id },
        query: { maxReach: String(maxReach) },
        body: { state },
      }),
  })
  return changes
}

const toShownRollout = (
  { flag, goodRate, badRate }: Pick<Rollout, 'flag' | 'goodRate' | 'badRate'>,
  stages: RolloutResource['stages'],
) => ({ flag, stages, goodRate, badRate })

/** The stages of a rollout with the names of their groups. */
function nameStages({ fleet }: Planner, { stages }: Rollout): RolloutResource['stages'] {
  const names = new Map([...fleet.groups.values()].map(({ id, name }) => [id, name]))
  return stages.map(({ share, holdS, group }) =>
    group === undefined ? { share, holdS } : { share, holdS, group: names.get(group) ?? group },
  )
}

function toStages({ groupIds }: Planner, { version, stages }: RolloutResource) {
  return stages.map(({ share, holdS, group }) => {
    if (group === undefined) return { share, holdS }
    const id = groupIds.get(group)
    if (id !== undefined) return { share, holdS, group: id }
    throw new StartError(`Cannot plan the rollout of ${version}: there is no group "${group}"`)
  })
}

/** Before a rollout exists: what its version would reach with the flag. */
async function countRolloutReach(
  planner: Planner,
  before: Rollout | undefined,
  { version, flag }: RolloutResource,
  state: RolloutChange,
): Promise<number> {
  if (before) {
    const act = `count the devices of the rollout of ${version}`
    const parts = { params: { id: before.id }, query: { state } }
    return (await planner.call(act, getRolloutReach, parts)).reach
  }
  const known = planner.fleet.versions.get(version)
  const uris = [...(planner.versions.get(version)?.uris ?? known?.uris ?? [])]
  return countVersionReach(planner, { id: version, ...newFlags, uris, [flag]: true }, known)
}

function listOthers(fleet: Fleet, found: readonly FoundResource[]): readonly string[] {
  const named = new Set(found.map(({ resource }) => toKey(resource)))
  return [
    ...[...fleet.groups.keys()].map((name) => `group "${name}"`),
    ...[...fleet.versions.keys()].map((id) => `version ${id}`),
    ...fleet.configurations.keys(),
    ...[...fleet.rollouts.keys()].map((version) => `rollout of ${version}`),
  ].filter((key) => !named.has(key))
}
