/** What administrators of a demo have made, by the operations of the service itself: applications, versions, configurations, API clients. */
import {
  addApiClient,
  addClientCredential,
  type NewCredential,
  type Operation,
  putConfiguration,
  putLabel,
  putOrganization,
  putVersion,
} from '@cardwire/protocol'

/** Sends an operation as an administrator; resolves with the id of what it has made. */
export type Send = (operation: Operation, body: object, query?: string) => Promise<string>

const applications = {
  'Example Bank': ['Customer portal', 'Branch counter', 'Signing desk'],
  'City of Example': ['Citizen portal', 'Permit office'],
}

const origins = [
  'https://portal.bank.example',
  'https://counter.bank.example',
  'https://sign.bank.example',
  'https://citizens.city.example',
  'https://permits.city.example',
]

/** From the oldest: each has the sites of those before, and more. */
const releases = [
  { id: '3.9.1', sites: 2, allowed: false },
  { id: '4.0.0', sites: 3 },
  { id: '4.1.0', sites: 4 },
  { id: '4.2.0', sites: 5, recommended: true },
  { id: '4.3.0', sites: 5 },
] as const

const files = {
  WIN64: 'cardwire-x64.msi',
  UNIX: 'cardwire_amd64.deb',
  MACOSARM: 'cardwire-arm64.pkg',
  MACOS: 'cardwire-x64.pkg',
} as const

/** Resolves with the ids of the applications. */
export async function makeReleases(send: Send): Promise<readonly string[]> {
  const labels: string[] = []
  for (const [name, owned] of Object.entries(applications)) {
    const orgId = await send(putOrganization, { name })
    for (const label of owned) labels.push(await send(putLabel, { name: label, orgId }))
  }
  for (const { id, sites, ...flags } of releases) {
    const uris = Object.entries(files).map(([os, file]) => ({
      os,
      uri: `https://downloads.example/${id}/${file}`,
    }))
    const version = { id, recommended: false, mandatory: false, allowed: true, ...flags, uris }
    // Before it has an allowlist, a recommended version would be refused.
    await send(putVersion, version, '?force=true')
    const config = { cors: origins.slice(0, sites) }
    await send(putConfiguration, { type: 'CONTEXT_CONFIG', versionId: id, config })
  }
  return labels
}

const programs = [
  {
    client: { id: 'release-pipeline', role: 'publisher', description: 'Publishes new versions' },
    credential: {
      kind: 'federated',
      issuer: 'https://token.actions.githubusercontent.com',
      subject: 'repo:example/cards:ref:refs/tags/*',
    },
  },
  {
    client: { id: 'monitoring', role: 'viewer', description: 'Reads the metrics' },
    credential: { kind: 'secret' },
  },
] as const satisfies readonly { readonly client: object; readonly credential: NewCredential }[]

/** Programs with access, each in its own way. */
export async function makePrograms(send: Send): Promise<void> {
  for (const { client, credential } of programs) {
    await send(addApiClient, client)
    const path = addClientCredential.path.replace('{id}', client.id) as `/${string}`
    await send({ ...addClientCredential, path }, credential)
  }
}
