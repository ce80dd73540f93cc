/** What administrators do before the hours and in them. */
import type { SeededRandom } from '../../bed/random.ts'
import type { Label } from './pages.ts'
import { dsUrl, type HoursService } from './service.ts'

export interface SetUp {
  readonly version: string
  readonly installationKey: string
  /** Of the keys of replies, as an administrator puts them into the settings of connectors. */
  readonly fingerprints: readonly string[]
  readonly labels: readonly [Label, ...Label[]]
  changePolicy(): Promise<void>
  /** Somebody downloads the installer. */
  download(): Promise<void>
  /** Changes until now. */
  changes(): number
}

const version = '4.0.0'
const moreLabels = 4

export async function setUp(service: HoursService, random: SeededRandom): Promise<SetUp> {
  let changes = 0
  const put = (path: string, body: unknown) => {
    changes += 1
    return service.ask('PUT', path, body)
  }
  const installationKey = random.uuid()
  await put('/v3/versions', {
    ...{ id: version, allowed: true, mandatory: false, recommended: false },
    uris: [{ os: 'UNIX', uri: 'https://downloads.example/cardwire.deb' }],
    installationApiKey: installationKey,
  })
  const policy = (number: number) => ({
    ...{ type: 'CONTEXT_CONFIG', versionId: version },
    config: { cors: [`https://r${number}.example`] },
  })
  const { id } = await put('/v3/configurations', policy(0))
  await put('/v3/organizations', { name: 'shops' })
  const addLabel = async (number: number): Promise<Label> => {
    const apiKey = random.uuid()
    const label = await put('/v3/labels', { name: `shop ${number}`, orgId: 'shops', apiKey })
    return { id: label.id, apiKey }
  }
  const labels: [Label, ...Label[]] = [await addLabel(0)]
  for (let number = 1; number <= moreLabels; number += 1) labels.push(await addLabel(number))
  const keys: { id: string; use: string }[] = await service.ask('GET', '/v3/signing-keys')
  const fingerprints = keys.filter(({ use }) => use === 'reply').map(({ id }) => id)
  return {
    ...{ version, installationKey, fingerprints, labels },
    async changePolicy() {
      await put('/v3/configurations?maxReach=999999999', { ...policy(changes), id })
    },
    async download() {
      const headers = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0' }
      await service.fetch(new Request(`${dsUrl}/v3/downloads/installer`, { headers }))
    },
    changes: () => changes,
  }
}
