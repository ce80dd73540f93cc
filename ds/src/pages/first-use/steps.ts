/** What a new service still needs before a page can use cards, and which of it is there. */
import {
  listConfigurations,
  listDevices,
  listLabels,
  listOrganizations,
  listVersions,
} from '@cardwire/protocol'
import type { Api } from '../frame/api.ts'

export const steps = ['organization', 'label', 'version', 'allowlist', 'device'] as const

export type StepName = (typeof steps)[number]

export interface Progress {
  readonly done: ReadonlySet<StepName>
  /** The first step that is not done; undefined when all are. */
  readonly current: StepName | undefined
  /** What later steps name: the first of each that there is. */
  readonly organization: { readonly id: string; readonly name: string } | undefined
  readonly version: string | undefined
}

/** Asks the service what there is. */
export async function readProgress({ call }: Api): Promise<Progress> {
  const size = '1'
  const [organizations, labels, versions, allowlists, devices] = await Promise.all([
    call(listOrganizations, { query: { size } }),
    call(listLabels, { query: { size } }),
    call(listVersions, { query: { size, allowed: 'true' } }),
    call(listConfigurations, { query: { size, type: 'CONTEXT_CONFIG' } }),
    call(listDevices, { query: { size } }),
  ])
  const totals: Readonly<Record<StepName, number>> = {
    organization: organizations.data.total,
    label: labels.data.total,
    version: versions.data.total,
    allowlist: allowlists.data.total,
    device: devices.data.total,
  }
  const done = new Set(steps.filter((name) => totals[name] > 0))
  return {
    done,
    current: steps.find((name) => !done.has(name)),
    organization: organizations.data.items[0],
    version: versions.data.items[0]?.id,
  }
}
