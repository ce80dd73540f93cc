/** The texts of the screens of counted uses and of downloads in Dutch. */
import type { Texts } from '../en/catalog.ts'
import { createNumbers } from '../numbers.ts'

const { choose, count, format } = createNumbers('nl')

export const use: Texts['use'] = {
  title: 'Gebruik',
  about: (downloads, organizations) => (
    <>
      Hoe vaak websites kaartlezers gebruiken, per dag (UTC). Zonder filter ziet u de laatste 30
      dagen. {downloads('Downloads van installatieprogramma’s')} worden apart geteld. U kunt ook het{' '}
      {organizations('gebruik per organisatie')} in een maand bekijken.
    </>
  ),
  empty: (applications) => (
    <>
      Geen gebruik gevonden voor dit filter. Als een pagina met een token van een{' '}
      {applications('toepassing')} een kaartlezer gebruikt, meldt de connector dat bij de volgende
      synchronisatie.
    </>
  ),
  total: (total, mark) => <>In totaal {mark(format(total))} keer gebruikt.</>,
  download: 'Alles downloaden als CSV',
  chart: {
    title: 'Gebruik per dag',
    counted: 'Aantal keer gebruikt',
    description: (from, to, best, most) =>
      `Van ${from} tot en met ${to}. De piek lag op ${best}: ${format(most)} keer gebruikt. In de tabel hieronder staan alle aantallen.`,
  },
  asTable: 'Als tabel tonen',
  day: 'Dag',
  filters: {
    from: 'Van',
    to: 'Tot en met',
    application: 'Toepassing',
    module: 'Module',
    useCase: 'Soort gebruik',
    version: 'Versie',
    system: 'Systeem',
    all: 'Alle',
    apply: 'Toepassen',
    clear: 'Laatste 30 dagen',
  },
  counters: {
    caption: 'Gebruik per toepassing',
    application: 'Toepassing',
    noApplication: 'Geen',
    module: 'Module',
    useCase: 'Soort gebruik',
    tag: 'Factureringstag',
    tagAbout:
      'Factureringstags komen van pagina’s, die er bij elk verzoek een kunnen meesturen (X-T1C-BILLING-TAG).',
    uses: 'Aantal keer gebruikt',
  },
  modules: {
    piv: 'PIV-kaart',
    beid: 'Belgische identiteitskaart',
    openpgp: 'OpenPGP-kaart',
    emv: 'Betaalkaart',
    crelan: 'Betaalkaart, Crelan',
    pkcs11: 'PKCS #11-bibliotheek',
    fileexchange: 'Bestanden',
    truststore: 'Windows-certificaten',
    rawprint: 'Printer',
    remoteloading: 'Kaartopdrachten',
  },
  useCases: {
    'identity-read': 'Identiteit lezen',
    authentication: 'Aanmelden',
    signature: 'Ondertekenen',
    'pin-verification': 'Pincode controleren',
    'card-commands': 'Kaartopdrachten sturen',
    'file-download': 'Bestand downloaden',
    'file-upload': 'Bestand uploaden',
    print: 'Afdrukken',
  },
  organizations: {
    title: 'Gebruik per organisatie',
    about:
      'Gebruik en unieke apparaten in een maand (UTC). Een uniek apparaat is de connector van één gebruiker op één computer. Het telt één keer voor elke toepassing, één keer voor elke organisatie en één keer in totaal, hoe vaak het ook wordt gebruikt.',
    month: 'Maand',
    show: 'Tonen',
    empty: 'Geen gebruik in deze maand.',
    caption: 'Gebruik per organisatie en toepassing',
    organization: 'Organisatie',
    none: 'Geen',
    application: 'Toepassing',
    all: 'Alle toepassingen',
    uses: 'Aantal keer gebruikt',
    devices: 'Unieke apparaten',
    notCounted: 'Niet geteld',
    total: (uses, devices) =>
      devices === null
        ? `In totaal ${format(uses)} keer gebruikt. In deze maand zijn geen unieke apparaten geteld.`
        : `In totaal ${format(uses)} keer gebruikt door ${count(devices, 'uniek apparaat', 'unieke apparaten')}.`,
  },
  downloads: {
    total: (total, mark) => (
      <>
        In totaal {mark(format(total))} {choose(total, 'download', 'downloads')}.
      </>
    ),
    title: 'Downloads van installatieprogramma’s',
    about: 'Installatieprogramma’s die van deze server zijn gedownload, per dag (UTC).',
    empty: (path) => (
      <>
        Geen downloads gevonden voor dit filter. Via de URL {path} op deze server krijgt elke
        gebruiker het juiste installatieprogramma voor zijn computer.
      </>
    ),
    chart: {
      title: 'Downloads per dag',
      counted: 'Downloads',
      description: (from, to, best, most) =>
        `Van ${from} tot en met ${to}. De piek lag op ${best}: ${count(most, 'download', 'downloads')}. In de tabel hieronder staan alle aantallen.`,
    },
    caption: 'Downloads per versie en systeem',
    version: 'Versie',
    system: 'Systeem',
    count: 'Downloads',
  },
}
