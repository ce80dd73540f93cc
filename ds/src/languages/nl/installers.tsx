/** The texts of the screens of installers, and of the form that uploads a file, in Dutch. */
import type { Texts } from '../en/catalog.ts'
import { createNumbers } from '../numbers.ts'

const { count, format } = createNumbers('nl')

export const installers: Texts['installers'] = {
  // The soft hyphen is for the menu on a narrow screen.
  title: 'Installatie\u00adprogramma’s',
  about:
    'Upload de installatieprogramma’s die versies aan gebruikers aanbieden. Iedereen kan ze downloaden. Een bestand dat door een versie wordt gebruikt, kunt u niet vervangen of verwijderen.',
  files: 'Bestanden',
  search: 'Bestandsnaam',
  empty:
    'Er zijn nog geen bestanden. Upload een installatieprogramma en registreer daarna een versie die het gebruikt.',
  noMatch: 'Geen bestanden gevonden. Zoek op een ander deel van de naam.',
  caption: 'Geüploade bestanden',
  name: 'Naam',
  size: 'Grootte',
  bytes: (bytes) => `${format(bytes)} byte`,
  exactSize: (size, bytes) => `${size} (${format(bytes)} byte)`,
  copyHash: 'SHA-256 kopiëren',
  url: 'URL',
  copyUrl: 'URL kopiëren',
  usedBy: 'Gebruikt door versie',
  urlUse:
    'Wilt u dit bestand aan gebruikers aanbieden, voer deze URL dan in bij de installatieprogramma’s van een versie.',
  upload: {
    title: 'Een installatieprogramma uploaden',
    file: 'Installatiebestand',
    name: 'Naam (optioneel)',
    nameHint: 'Standaard de bestandsnaam. Letters, cijfers en . _ + ~ - zijn toegestaan.',
    hash: 'SHA-256 (optioneel)',
    hashHint:
      'De hash die de leverancier heeft gepubliceerd. Een bestand met een andere hash wordt geweigerd.',
    button: 'Installatieprogramma uploaden',
  },
  manifest: {
    affects: (devices) =>
      `Er is nog niets opgeslagen. Dit bestand bepaalt welke pakketten een versie heeft. ${count(devices, 'apparaat krijgt', 'apparaten krijgen')} mogelijk een ander pakket aangeboden.`,
    confirm: (devices) => `Opslaan voor ${count(devices, 'apparaat', 'apparaten')}`,
  },
  remove: {
    title: 'Verwijderen',
    confirmTitle: (name) => `${name} verwijderen`,
    inUse:
      'U kunt dit bestand niet verwijderen zolang een versie het gebruikt. Wijzig eerst de installatieprogramma’s van die versie.',
    about: 'Het bestand kan daarna niet meer worden gedownload.',
    revisions:
      'Eerdere revisies van deze versies gebruiken het bestand. Zonder het bestand kunt u ze niet terugzetten:',
    wayBack: 'Dit kan niet ongedaan worden gemaakt, maar u kunt het bestand opnieuw uploaden.',
    button: 'Bestand verwijderen',
  },
  form: {
    several: 'U kunt meerdere bestanden kiezen.',
    onlyOne:
      'Kies één bestand om een naam in te stellen. Maak dit veld leeg om meerdere bestanden te uploaden. Elk bestand houdt dan zijn bestandsnaam.',
    all: 'Alle bestanden zijn opgeslagen, met deze SHA-256-hashes:',
    partly: 'De upload is gestopt. Deze bestanden zijn opgeslagen:',
    limit: (megabytes) => `Maximaal ${format(megabytes)} MB.`,
    progress: 'Upload',
    started: 'Bezig met uploaden…',
    sent: (sent, total) => `${sent} van ${total} MB`,
    received: 'De upload is voltooid. Bezig met opslaan…',
    tooLarge: (size) => `Het bestand is te groot (${size} MB).`,
    canceled: 'De upload is geannuleerd. Er is niets opgeslagen.',
    failed: 'De verbinding is verbroken. Er is niets opgeslagen. Probeer het opnieuw.',
    unconfirmed:
      'De server heeft de upload niet bevestigd. Controleer of het bestand is opgeslagen. Probeer het anders opnieuw.',
  },
  faults: {
    title: 'Corrigeer de onderstaande velden om het bestand op te slaan',
    file: 'Kies een bestand',
    hash: 'Voer 64 hexadecimale tekens in',
  },
}
