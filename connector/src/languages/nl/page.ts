/** The texts of the local page in Dutch. */
import type { Catalog } from '../en/catalog.ts'
import { createCount } from '../numbers.ts'

const count = createCount('nl')

export const page: Catalog['page'] = {
  title: 'Cardwire op deze computer',
  usedTitle: 'Deze link is verlopen of al gebruikt',
  goneTitle: 'Deze pagina is niet meer actief',
  replacedTitle: 'Cardwire wordt bijgewerkt',
  goneText: 'Open Cardwire opnieuw via het menu Start of uw lijst met apps.',
  readingTitle: 'Een ogenblik…',
  runningTitle: 'Cardwire is actief',
  runningText:
    'Cardwire draait op de achtergrond. De controles hieronder laten zien of websites Cardwire kunnen gebruiken.',
  startingTitle: 'Cardwire wordt gestart…',
  startingText: 'Dit duurt enkele seconden.',
  stoppedTitle: 'Cardwire is niet actief',
  stoppedText: 'Websites kunnen uw kaartlezers niet vinden.',
  unresponsiveTitle: 'Cardwire reageert niet',
  unresponsiveText: 'Meld u af op uw computer en meld u daarna opnieuw aan.',
  start: 'Cardwire starten',
  findingsTitle: 'Controles',
  checking: 'Bezig met controleren…',
  nothingWrong: 'Geen problemen gevonden.',
  notesOnly: (notes) =>
    notes === 1
      ? 'Geen problemen gevonden. Lees de opmerking hieronder.'
      : 'Geen problemen gevonden. Lees de opmerkingen hieronder.',
  someWrong: 'Er is iets mis. Hieronder leest u wat u kunt doen.',
  inOrder: (passed) => `${count(passed, 'controle', 'controles')} geslaagd`,
  checkAgain: 'Opnieuw controleren',
  checked: (problems, notes) =>
    `Gecontroleerd: ${count(problems, 'probleem', 'problemen')}, ${count(notes, 'opmerking', 'opmerkingen')}.`,
  technical: 'Details voor uw beheerder, in het Engels',
  good: 'In orde:',
  note: 'Opmerking:',
  bad: 'Probleem:',
  trust: 'Mijn browsers Cardwire laten vertrouwen',
  readersTitle: 'Kaartlezers',
  noReaders: 'Er is geen kaartlezer aangesloten. Sluit er een aan, dan verschijnt die hier.',
  noCardService:
    'De smartcardservice van deze computer reageert niet, dus Cardwire kan geen kaartlezers vinden.',
  noCard: 'Geen kaart',
  card: (kind) => `Kaart: ${kind}`,
  unknownCard: 'Onbekend type kaart',
  pinpad: 'met toetsenblok',
  cardInserted: (reader) => `Kaart geplaatst in ${reader}.`,
  cardRemoved: (reader) => `Kaart verwijderd uit ${reader}.`,
  readerConnected: (reader) => `${reader} is aangesloten.`,
  readerRemoved: (reader) => `${reader} is losgekoppeld.`,
  consentsTitle: 'Toegestane websites',
  noConsents:
    'U hebt nog geen websites toegestaan. Een website vraagt u om toestemming wanneer die uw kaartlezer nodig heeft.',
  consentsUnread:
    'Cardwire kan de toegestane websites nu niet laden. Open Cardwire opnieuw. Helpt dat niet, neem dan contact op met uw beheerder.',
  consentTimes: (since, until, used) =>
    `Toegestaan op ${since}, verloopt op ${until}, laatst gebruikt op ${used}`,
  identity: (cards) => `Kan uw identiteitsgegevens lezen van deze kaarten: ${cards}`,
  folders: (folders) => `Kan bestanden lezen en schrijven in: ${folders}`,
  managedFolders: (folders) =>
    `Kan bestanden lezen en schrijven in: ${folders}. Alleen een beheerder kan dit wijzigen.`,
  revoke: 'Toegang intrekken',
  revokeOf: (origin) => `Toegang van ${origin} intrekken`,
  revoked: (origin) => `${origin} heeft geen toegang meer.`,
  revokeIdentity: 'Mijn identiteitsgegevens niet meer delen',
  revokeIdentityOf: (origin) => `Mijn identiteitsgegevens niet meer delen met ${origin}`,
  identityRevoked: (origin) => `${origin} kan uw identiteitsgegevens niet meer lezen.`,
  revokeFolders: 'Deze mappen niet meer delen',
  revokeFoldersOf: (origin) => `Deze mappen niet meer delen met ${origin}`,
  foldersRevoked: (origin) => `${origin} kan uw mappen niet meer gebruiken.`,
  serviceTitle: 'Uw organisatie',
  serviceNone: 'Cardwire is nog niet verbonden met een organisatie.',
  serviceHint:
    'Hebt u van uw organisatie een URL en een installatiesleutel gekregen? Voer die hier in.',
  serviceChange: 'URL en sleutel invoeren',
  serviceAt: (address) => `URL: ${address}`,
  registered: (device) => `Deze computer is geregistreerd als ${device}.`,
  unregistered: 'Deze computer is nog niet geregistreerd.',
  lastContact: (time) => `Laatste contact: ${time}`,
  noContact: 'Nog geen contact.',
  address: 'URL',
  installationKey: 'Installatiesleutel',
  keyIsSet:
    'Er is een sleutel opgeslagen. Laat dit veld leeg om de opgeslagen sleutel te behouden.',
  fixedByAdministrator: 'Uw beheerder heeft dit ingesteld. U kunt het hier niet wijzigen.',
  fixedByEnvironment:
    'Dit is ingesteld bij het starten van Cardwire. U kunt het hier niet wijzigen.',
  save: 'Opslaan',
  saving: 'Verbinding maken met de server…',
  saved: 'Opgeslagen. Cardwire is opnieuw gestart met de nieuwe instellingen.',
  notSaved: (reason) => `Niet opgeslagen: ${reason}`,
  addressMissing: 'Voer de URL in.',
  addressInvalid: 'Dit is geen URL van een server. Voer een URL in die begint met https://',
  addressUnreachable: 'Op deze URL reageert geen server. Controleer de URL en uw netwerk.',
  keyMissing: 'Voer de installatiesleutel in.',
  keyInvalid:
    'Een installatiesleutel bestaat uit 36 tekens, bijvoorbeeld 123e4567-e89b-42d3-a456-426614174000.',
  keyRefused: 'De server accepteert deze sleutel niet. Vraag uw beheerder om de huidige sleutel.',
  keyUsedUp:
    'De server heeft de daglimiet voor nieuwe computers bereikt. Probeer het morgen opnieuw.',
  versionTitle: 'Versie',
  version: (version) => `Versie ${version}`,
  updateUnmanaged: 'Updates krijgt u op dezelfde manier als Cardwire.',
  updateUnknown: 'Het is nog niet bekend of er een nieuwere versie is.',
  updateCurrent: 'Cardwire is up-to-date.',
  updateRecommended: 'Uw organisatie raadt een andere versie aan.',
  updateRequired: 'Deze versie is te oud. Uw organisatie vereist een andere versie.',
  updateForbidden: 'Uw organisatie heeft deze versie geblokkeerd.',
  updateMissing:
    'Er is geen installatieprogramma voor deze computer. Neem contact op met uw beheerder.',
  updateMuted: 'Uw beheerder installeert de updates. U hoeft niets te doen.',
  updateHow:
    'Cardwire downloadt en controleert het installatieprogramma en start daarna opnieuw. Uw computer vraagt misschien om een wachtwoord.',
  install: (version) => `Versie ${version} installeren`,
  installing: 'Bezig met installeren…',
  installed: 'De installatie is voltooid of gaat verder in een ander venster.',
  notInstalled:
    'Er is niets geïnstalleerd. Probeer het opnieuw of neem contact op met uw beheerder.',
  failed: 'Er is iets misgegaan. Klik op Opnieuw controleren of open Cardwire opnieuw.',
}
