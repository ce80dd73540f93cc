/** The names that a leaf carries beside the local ones: those of the settings, and those of the list in the folder. */
import type { Certificate } from '../pki/certificate.ts'
import { localNames, type Name, readName } from '../pki/names.ts'
import type { CertificateServices } from './certificate-services.ts'
import { readValidHosts, splitByConstraints } from './hosts.ts'
import { readListUnlessDamaged } from './read-list.ts'

type NameServices = Pick<CertificateServices, 'folder' | 'hosts' | 'log'>

const localServerNames: readonly Name[] = localNames.flatMap((name) => readName(name) ?? [])

/** Throws when the list cannot be read: a root without its names could not sign for them later. */
export async function readRequestedNames(services: NameServices): Promise<readonly Name[]> {
  const listed = await readListUnlessDamaged(services, 'hosts')
  return readValidHosts([...services.hosts, ...listed])
}

/** The names a leaf below this root must carry. */
export async function readRequiredNames(
  services: NameServices,
  root: Certificate,
): Promise<readonly Name[]> {
  const { inside } = splitByConstraints(root.constraints, await readRequestedNames(services))
  return [...localServerNames, ...inside]
}

/** The same as texts: for these, beside the local ones, the root of this user may sign. */
export const readKnownHosts = async (services: NameServices): Promise<readonly string[]> =>
  (await readRequestedNames(services)).map(({ value }) => value)
