/** Sets the extra names of the leaf: stores their list, has the leaf renewed, and reports what it carries now. */
import type { Certificate } from '../pki/certificate.ts'
import { tryReadCertificate } from '../pki/validate.ts'
import { errorText } from '../system/error-text.ts'
import type { CertificateServices } from './certificate-services.ts'
import type { Certificates } from './certificates.ts'
import { readHosts, splitByConstraints } from './hosts.ts'

type Folder = CertificateServices['folder']

const needsRootWarning =
  'The root certificate isn’t allowed to sign for some of these hosts. Run cardwire certs renew --root, then make every store trust the new one: cardwire certs install'

export async function setHosts(
  folder: Folder,
  texts: readonly string[],
  ensure: Certificates['ensure'],
): ReturnType<Certificates['hosts']> {
  const hosts = readHosts(texts)
  const values = hosts.map(({ value }) => value)
  await ensure()
  await folder.withLock(() => folder.writeList('hosts', values))
  const failure = await ensure().then(() => undefined, errorText)
  const root = await readRoot(folder)
  const leaf = tryReadCertificate((await folder.read()).leafCert ?? '')
  const outside = root ? splitByConstraints(root.constraints, hosts).outside : []
  const missing = values.filter(
    (value) => !leaf?.names.includes(value) && !outside.some((name) => name.value === value),
  )
  const reason =
    failure ??
    (missing.length > 0 ? `the localhost certificate still lacks ${missing.join(', ')}` : undefined)
  return {
    hosts: values,
    names: leaf?.names ?? [],
    needsRoot: outside.map(({ value }) => value),
    ...(reason === undefined ? {} : { reason }),
    warnings: outside.length > 0 ? [needsRootWarning] : [],
  }
}

export async function readRoot(folder: Folder): Promise<Certificate | undefined> {
  const { rootCert } = await folder.read()
  return rootCert === undefined ? undefined : tryReadCertificate(rootCert)
}
