/** What `describe` says in Dutch: what happened, and what the user does now. */
import { createCount } from './count.ts'
import type { Texts } from './en.ts'

const count = createCount('nl')

export const dutch: Texts = {
  notRunning:
    'Cardwire reageert niet. Controleer of Cardwire geïnstalleerd en actief is en start daarna uw browser opnieuw.',
  notResponding:
    'Cardwire is actief, maar reageert niet. Start uw computer opnieuw. Helpt dat niet, neem dan contact op met uw beheerder.',
  certificateUntrusted:
    'Deze browser vertrouwt het certificaat van Cardwire nog niet. Start uw browser opnieuw. Helpt dat niet, neem dan contact op met uw beheerder.',
  originRefused:
    'Deze website mag Cardwire niet gebruiken. Neem contact op met de helpdesk van de website.',
  permissionNeeded:
    'Uw browser heeft uw toestemming nodig om deze website met Cardwire te verbinden. Probeer het opnieuw en kies Toestaan.',
  permissionPending:
    'Uw browser vraagt om uw toestemming. Beantwoord de vraag en probeer het opnieuw.',
  permissionDenied:
    'Uw browser blokkeert de toegang van deze website tot Cardwire. Sta die toe in de instellingen van uw browser voor deze website en laad de pagina opnieuw.',
  siteEmbedded:
    'Deze pagina kan Cardwire niet bereiken door de manier waarop de pagina is ingesloten. Neem contact op met de helpdesk van de website.',
  siteInsecure:
    'Deze pagina kan Cardwire niet gebruiken omdat de verbinding niet beveiligd is. Open de pagina met https.',
  siteFault:
    'Deze website is niet goed ingesteld voor Cardwire. Neem contact op met de helpdesk van de website.',
  siteUnavailable: 'Deze website is nu niet beschikbaar. Wacht even en probeer het opnieuw.',
  siteUnidentified:
    'Deze website kon zich niet identificeren bij Cardwire. Laad de pagina opnieuw. Helpt dat niet, neem dan contact op met de helpdesk van de website.',
  sessionExpired: 'Uw sessie is verlopen. Laad de pagina opnieuw.',
  timeout: 'Cardwire reageerde niet op tijd. Probeer het opnieuw.',
  aborted: 'Geannuleerd.',
  answerUnverified:
    'Het antwoord van Cardwire kon niet worden gecontroleerd en is niet gebruikt. Wacht een minuut en probeer het opnieuw.',
  answerMalformed:
    'Mogelijk antwoordt een ander programma in plaats van Cardwire. Start Cardwire opnieuw en probeer het nog eens.',
  consentRequired: 'Om hier uw kaartlezer te gebruiken, moet u deze website toestaan.',
  codeCopied: 'De code is gekopieerd.',
  codeNotCopied: 'De code is niet gekopieerd. Selecteer en kopieer de code zelf.',
  codesNotFound:
    'Cardwire heeft geen van de codes gezien. Controleer of Cardwire actief is en kopieer daarna de nieuwe code.',
  codesTooMany: 'Er zijn te veel codes gekopieerd. Wacht een minuut en kopieer een nieuwe.',
  codeRefused: 'Deze code kan niet worden gebruikt. Kopieer de nieuwe code.',
  failed:
    'Er is iets misgegaan in Cardwire. Probeer het opnieuw. Helpt dat niet, neem dan contact op met uw beheerder.',
  busy: 'Cardwire heeft het nu te druk. Wacht even en probeer het opnieuw.',
  otherUser:
    'Deze browser en Cardwire zijn door verschillende gebruikers van deze computer gestart. Open deze pagina in uw eigen browser.',
  agentUnknown:
    'Cardwire is niet actief onder uw gebruikersaccount. Start Cardwire en probeer het opnieuw.',
  grantMissing:
    'Uw beheerder heeft dit niet toegestaan voor deze website. Vraag uw beheerder om toegang.',
  policyExpired:
    'Cardwire heeft te lang geen verbinding gehad met uw organisatie. Controleer uw netwerkverbinding. Helpt dat niet, neem dan contact op met uw beheerder.',
  deviceBlocked:
    'Uw organisatie heeft Cardwire op deze computer geblokkeerd. Neem contact op met uw beheerder.',
  certificatesKept:
    'De certificaten van Cardwire zijn niet gewijzigd. Hebt u nieuwe nodig, neem dan contact op met uw beheerder.',
  logsKept:
    'De logboeken kunnen niet worden verzonden omdat uw beheerder daar geen bestemming voor heeft ingesteld.',
  dialogUnavailable: 'Cardwire kan zijn venster niet tonen. Neem contact op met uw beheerder.',
  dialogOpen: 'Er staat al een vraag van Cardwire open. Zoek het venster van Cardwire.',
  readerUnknown: 'De kaartlezer is niet meer aangesloten. Sluit hem aan en probeer het opnieuw.',
  readersUnavailable:
    'De smartcardservice van uw computer is niet actief. Sluit uw kaartlezer opnieuw aan. Helpt dat niet, start dan uw computer opnieuw.',
  cardAbsent: 'Er zit geen kaart in de kaartlezer. Plaats uw kaart en probeer het opnieuw.',
  cardChanged: 'De kaart is verwijderd of vervangen. Plaats uw kaart en probeer het opnieuw.',
  cardUnsupported: 'Deze kaart wordt niet ondersteund. Gebruik een andere kaart.',
  cardMute:
    'De kaart reageert niet. Haal de kaart eruit, steek de kaart er opnieuw in en probeer het nog eens.',
  cardBusy:
    'Een ander programma gebruikt de kaart. Sluit dat programma of wacht even en probeer het opnieuw.',
  cardReleased: 'De verbinding met de kaart is beëindigd. Probeer het opnieuw.',
  keyUnknown:
    'De sleutel die deze website nodig heeft, staat niet op deze kaart. Gebruik een andere kaart.',
  keyUnsupported: 'De sleutel op deze kaart werkt niet met deze website. Gebruik een andere kaart.',
  storeUnavailable:
    'Cardwire kan het certificaatarchief van deze computer niet openen. Probeer het opnieuw. Helpt dat niet, neem dan contact op met uw beheerder.',
  pinWrong: 'De pincode is onjuist.',
  pinWrongWithAttempts: (left) =>
    `De pincode is onjuist. Nog ${count(left, 'poging', 'pogingen')}.`,
  pinBlocked:
    'Uw pincode is geblokkeerd. Neem contact op met de uitgever van uw kaart om de blokkering op te heffen.',
  pinCanceled: 'U hebt het invoeren van de pincode geannuleerd.',
  pinTimeout: 'De pincode is niet op tijd ingevoerd. Probeer het opnieuw.',
  pinInvalid:
    'Dit is geen geldige pincode voor deze kaart. Controleer de pincode en probeer het opnieuw.',
  identityRefused: 'U hebt ervoor gekozen uw identiteitsgegevens niet te delen.',
  folderUnknown:
    'Deze website heeft geen toegang tot deze map. Kies een map en probeer het opnieuw.',
  folderGone:
    'De map bestaat niet meer of websites kunnen die niet gebruiken. Kies een andere map.',
  folderRefused:
    'U hebt voor deze website geen map gekozen. Wilt u hier bestanden gebruiken, probeer het dan opnieuw en kies een map.',
  folderManaged: 'Uw beheerder heeft deze map gekozen. U kunt die hier niet wijzigen.',
  nameRefused: 'Websites kunnen geen bestand met deze naam gebruiken. Kies een andere naam.',
  fileUnknown: 'Het bestand bestaat niet meer.',
  fileTaken: 'Er bestaat al een bestand met deze naam. Kies een andere naam.',
  fileTooLarge: 'Het bestand is te groot. Kies een kleiner bestand.',
  diskFailed: 'Uw schijf heeft een fout gemeld. Controleer de schijf en probeer het opnieuw.',
  diskFull: 'Uw schijf is vol. Maak ruimte vrij en probeer het opnieuw.',
  printerUnknown: 'Deze printer is niet beschikbaar. Kies een andere printer.',
  printingUnavailable:
    'Deze computer kan nu niet afdrukken. Controleer of er een printer is ingesteld.',
  printingRefused:
    'De printer heeft het document geweigerd. Controleer de printer en probeer het opnieuw.',
}
