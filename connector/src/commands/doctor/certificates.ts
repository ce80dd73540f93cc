/** Checks the certificates that browsers get, and which stores trust the root. */
import type { CertStatus } from '../../certificates/certificates.ts'
import { openCertificates } from '../../certificates/open-certificates.ts'
import { readKeystoreFile, type StoredKeystore } from '../../distribution/keystore/keystore-file.ts'
import type { CommandContext } from '../command-context.ts'
import { describeTrust } from '../trust-report.ts'
import { type Finding, formatDay, formatReason, openDoctorLog } from './finding.ts'

export async function checkCertificates(machine: CommandContext): Promise<readonly Finding[]> {
  const { settings, folders } = machine
  const ofService = toKeystoreFindings(await readKeystoreFile(folders.runtime), settings.localCa)
  if (!settings.localCa) return ofService
  const status = await openCertificates(settings, folders, openDoctorLog(machine)).status()
  return [...toCertificateFindings(status), ...toTrustFindings(status), ...ofService]
}

const rootAdvice: Readonly<Record<Exclude<CertStatus['root']['state'], 'good'>, string>> = {
  absent: 'create it: cardwire run',
  early: 'correct the clock of this computer',
  foreign:
    'move it to a different folder and start Cardwire again, or replace it: cardwire certs renew --root',
  broken: 'create a new one: cardwire certs renew --root',
  keyless: 'create a new one: cardwire certs renew --root',
  expired: 'create a new one: cardwire certs renew --root',
}

/** The reason says what is wrong in more detail. */
const rootFaults: typeof rootAdvice = {
  absent: 'is missing',
  early: 'is not valid yet',
  foreign: 'was not created by Cardwire',
  broken: 'is damaged',
  keyless: 'cannot be used without its private key',
  expired: 'has expired',
}

export function toCertificateFindings({ root, leaf, protection }: CertStatus): readonly Finding[] {
  const open = protection.filter((each) => !each.private)
  return [
    root.state === 'good'
      ? {
          level: 'good',
          code: 'root-good',
          what: `the root certificate is valid until ${formatDay(root.certificate?.notAfter)}`,
        }
      : {
          level: 'bad',
          code: 'root-broken',
          what: `the root certificate ${rootFaults[root.state]}${formatReason(root.reason)}`,
          remedy: rootAdvice[root.state],
        },
    ...(leaf.state === 'good'
      ? [
          {
            level: 'good',
            code: 'leaf-good',
            what: `the localhost certificate is valid until ${formatDay(leaf.certificate?.notAfter)}`,
          } as const,
        ]
      : root.state === 'good'
        ? [
            {
              level: 'bad',
              code: 'leaf-broken',
              what: `the localhost certificate ${leaf.state === 'absent' ? 'is missing' : 'needs to be renewed'}${formatReason(leaf.reason)}`,
              remedy: 'renew it: cardwire certs renew',
            } as const,
          ]
        : // It is created with the root.
          []),
    ...open.map(
      ({ path, access }): Finding => ({
        level: 'bad',
        code: 'files-open',
        what: `other users can read ${path} (${access})`,
        remedy: 'restrict access to it: cardwire run',
      }),
    ),
  ]
}

const install = 'cardwire certs install'

export function toTrustFindings({ root, trust }: CertStatus): readonly Finding[] {
  if (root.state !== 'good') return []
  const installRoot = `install the root certificate there: ${install}`
  const findings = trust.map((result): Finding => {
    const what = describeTrust(result)
    if (result.trusted) return { level: 'good', code: 'trust-good', what }
    const { remedy, unread = false } = result
    return {
      level: 'note',
      code: remedy === undefined && !unread ? 'trust-missing' : 'trust-unreadable',
      what,
      remedy: remedy === undefined ? installRoot : `${remedy}, then: ${install}`,
    }
  })
  if (trust.some(({ trusted }) => trusted)) return findings
  const what = 'none of this user’s browsers trust the connector'
  return [
    ...findings,
    { level: 'bad', code: 'trust-none', what, remedy: findings.at(-1)?.remedy ?? installRoot },
  ]
}

/** `kept`: the keystore of the service; a machine with a local authority does not need one. */
export function toKeystoreFindings(
  kept: Pick<StoredKeystore, 'names' | 'notAfter'> | undefined,
  localCa: boolean,
  now = Date.now(),
): readonly Finding[] {
  if (kept && kept.notAfter > now) {
    const until = formatDay(new Date(kept.notAfter).toISOString())
    const what = `the keystore from the service is valid until ${until}: ${kept.names.join(', ')}`
    return [{ level: 'good', code: 'keystore-good', what }]
  }
  if (kept === undefined && localCa) return []
  return [
    {
      level: 'bad',
      code: kept ? 'keystore-expired' : 'keystore-missing',
      what: kept
        ? 'the keystore from the service has expired'
        : 'there is no keystore from the service, and CARDWIRE_LOCAL_CA is off',
      remedy: 'ask the administrator for a new one, then fetch it: cardwire sync',
    },
  ]
}
