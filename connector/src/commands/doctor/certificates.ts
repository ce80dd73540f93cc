/** The doctor on what is shown to browsers, and who believes it. */
import type { CertStatus } from '../../certs/certificates.ts'
import { openCertificates } from '../../certs/open-certificates.ts'
import { type KeptKeystore, readKept } from '../../keystore/kept.ts'
import type { Machine } from '../machine.ts'
import { storeWords } from '../store-words.ts'
import { because, day, type Finding, logOf } from './finding.ts'

export async function certificates(machine: Machine): Promise<readonly Finding[]> {
  const { settings, folders } = machine
  const ofService = keystoreFindings(await readKept(folders.runtime), settings.localCa)
  if (!settings.localCa) return ofService
  const status = await openCertificates(settings, folders, logOf(machine)).status()
  return [...certificateFindings(status), ...trustFindings(status), ...ofService]
}

const rootAdvice: Readonly<Record<Exclude<CertStatus['root']['state'], 'good'>, string>> = {
  absent: 'make it: cardwire run',
  early: 'set the clock of this machine right',
  foreign: 'move it away and start again, or make one in its place: cardwire certs renew --root',
  broken: 'make a new one: cardwire certs renew --root',
  keyless: 'make a new one: cardwire certs renew --root',
  expired: 'make a new one: cardwire certs renew --root',
}

export function certificateFindings({ root, leaf, protection }: CertStatus): readonly Finding[] {
  const open = protection.filter((each) => !each.private)
  return [
    root.state === 'good'
      ? {
          level: 'good',
          what: `the root certificate is good until ${day(root.certificate?.notAfter)}`,
        }
      : {
          level: 'bad',
          what: `the root certificate is ${root.state}${because(root.reason)}`,
          todo: rootAdvice[root.state],
        },
    ...(leaf.state === 'good'
      ? [
          {
            level: 'good',
            what: `the certificate of localhost is good until ${day(leaf.certificate?.notAfter)}`,
          } as const,
        ]
      : root.state === 'good'
        ? [
            {
              level: 'bad',
              what: `the certificate of localhost is ${leaf.state}${because(leaf.reason)}`,
              todo: 'make it anew: cardwire certs renew',
            } as const,
          ]
        : // It comes with the root.
          []),
    ...open.map(
      ({ path, access }): Finding => ({
        level: 'bad',
        what: `${path} can be read by others (${access})`,
        todo: 'cardwire run repairs it',
      }),
    ),
  ]
}

const install = 'cardwire certs install'

export function trustFindings({ root, trust }: CertStatus): readonly Finding[] {
  if (root.state !== 'good') return []
  const todo = `make them believe it: ${install}`
  const findings = trust.map((result): Finding => {
    const { what, remedy } = storeWords(result)
    if (result.trusted) return { level: 'good', what }
    return {
      level: 'note',
      what,
      todo: remedy === undefined ? todo : `${remedy}, then: ${install}`,
    }
  })
  if (trust.some(({ trusted }) => trusted)) return findings
  const what = 'no browser of this user will believe the connector'
  return [...findings, { level: 'bad', what, todo: findings.at(-1)?.todo ?? todo }]
}

/** `kept`: the keystore of the service; a machine with a local authority may do without. */
export function keystoreFindings(
  kept: Pick<KeptKeystore, 'names' | 'notAfter'> | undefined,
  localCa: boolean,
  now = Date.now(),
): readonly Finding[] {
  if (kept && kept.notAfter > now) {
    const until = day(new Date(kept.notAfter).toISOString())
    const what = `the keystore of the service is good until ${until}: ${kept.names.join(', ')}`
    return [{ level: 'good', what }]
  }
  if (kept === undefined && localCa) return []
  return [
    {
      level: 'bad',
      what: kept
        ? 'the keystore of the service has expired'
        : 'there is no keystore of a service, and CARDWIRE_LOCAL_CA is off',
      todo: 'ask the administrator for one; cardwire sync fetches it',
    },
  ]
}
