/** What `describe` says in Dutch: what happened, and what the user does now. */
import { createCount } from './count.ts'
import type { Texts } from './en.ts'

const count = createCount('nl')

export const dutch: Texts = {
  'not-running':
    'Cardwire reageert niet. Controleer of Cardwire geïnstalleerd en actief is en start daarna uw browser opnieuw.',
  'not-responding':
    'Cardwire is actief, maar reageert niet. Start uw computer opnieuw. Helpt dat niet, neem dan contact op met uw beheerder.',
  'certificate-untrusted':
    'Deze browser vertrouwt Cardwire nog niet. Start uw browser opnieuw. Helpt dat niet, neem dan contact op met uw beheerder.',
  'origin-refused':
    'Deze website mag Cardwire niet gebruiken. Neem contact op met de helpdesk van de website.',
  'permission-needed':
    'Uw browser heeft uw toestemming nodig om deze website met Cardwire te verbinden. Probeer het opnieuw en kies Toestaan.',
  'permission-pending':
    'Uw browser vraagt om uw toestemming. Beantwoord de vraag en probeer het opnieuw.',
  'permission-denied':
    'Uw browser blokkeert de toegang van deze website tot Cardwire. Sta die toe in de instellingen van uw browser voor deze website en laad de pagina opnieuw.',
  'permission-impossible':
    'Deze pagina kan Cardwire niet bereiken door de manier waarop de pagina is ingesloten. Neem contact op met de helpdesk van de website.',
  'page-insecure':
    'Deze pagina kan Cardwire niet gebruiken omdat de verbinding niet beveiligd is. Open de pagina via een adres dat met https begint.',
  'csp-blocked':
    'De eigen instellingen van deze website blokkeren de toegang tot Cardwire. Neem contact op met de helpdesk van de website.',
  'configuration-invalid':
    'Deze website is niet goed ingesteld voor Cardwire. Neem contact op met de helpdesk van de website.',
  'consent-required': 'Om hier uw kaartlezer te gebruiken, moet u deze website toestaan.',
  'no-agent':
    'Cardwire heeft geen van de codes gezien. Controleer of Cardwire actief is en kopieer daarna de nieuwe code.',
  'too-many-codes': 'Er zijn te veel codes gekopieerd. Wacht een minuut en kopieer een nieuwe.',
  'code-word-refused': 'Deze code kan niet worden gebruikt. Kopieer de nieuwe code.',
  'token-missing':
    'Deze website heeft zich niet bij Cardwire geïdentificeerd. Laad de pagina opnieuw. Helpt dat niet, neem dan contact op met de helpdesk van de website.',
  'token-unavailable': 'Deze website is nu niet beschikbaar. Wacht even en probeer het opnieuw.',
  'token-expired': 'Uw sessie is verlopen. Laad de pagina opnieuw.',
  'token-refused':
    'Cardwire kon niet bevestigen welke website dit is. Laad de pagina opnieuw. Helpt dat niet, neem dan contact op met de helpdesk van de website.',
  'signature-wrong':
    'Het antwoord van Cardwire kon niet worden gecontroleerd en is niet gebruikt. Wacht een minuut en probeer het opnieuw.',
  timeout: 'Cardwire reageerde niet op tijd. Probeer het opnieuw.',
  aborted: 'Geannuleerd.',
  'answer-malformed':
    'Mogelijk antwoordt een ander programma in plaats van Cardwire. Start Cardwire opnieuw en probeer het nog eens.',
  internal:
    'Er is iets misgegaan in Cardwire. Probeer het opnieuw. Helpt dat niet, neem dan contact op met uw beheerder.',
  'too-many-requests': 'Cardwire heeft het nu te druk. Wacht even en probeer het opnieuw.',
  'caller-refused':
    'Deze browser en Cardwire zijn door verschillende gebruikers van deze computer gestart. Open deze pagina in uw eigen browser.',
  'policy-expired':
    'Cardwire heeft te lang geen verbinding gehad met uw organisatie. Controleer uw netwerkverbinding. Helpt dat niet, neem dan contact op met uw beheerder.',
  'device-blocked':
    'Uw organisatie heeft Cardwire op deze computer geblokkeerd. Neem contact op met uw beheerder.',
  'grant-missing':
    'Uw beheerder heeft dit niet toegestaan voor deze website. Vraag uw beheerder om toegang.',
  'dialog-unavailable': 'Cardwire kan zijn venster niet tonen. Neem contact op met uw beheerder.',
  'route-unknown':
    'Uw versie van Cardwire is te oud voor deze website. Werk Cardwire bij en probeer het opnieuw.',
  'module-unknown':
    'Cardwire kan op deze computer niet doen wat deze website nodig heeft. Neem contact op met de helpdesk van de website.',
  'request-invalid':
    'Deze website heeft een onjuiste aanvraag naar Cardwire gestuurd. Neem contact op met de helpdesk van de website.',
  unknown:
    'Er is iets misgegaan. Probeer het opnieuw. Helpt dat niet, neem dan contact op met de helpdesk van de website.',
  'pcsc-unavailable':
    'Uw computer kan op dit moment geen kaartlezers gebruiken. Sluit uw kaartlezer opnieuw aan. Helpt dat niet, start dan uw computer opnieuw.',
  'reader-unknown': 'De kaartlezer is niet meer aangesloten. Sluit hem aan en probeer het opnieuw.',
  'card-absent': 'Er zit geen kaart in de kaartlezer. Plaats uw kaart en probeer het opnieuw.',
  'card-changed': 'De kaart is verwijderd of vervangen. Plaats uw kaart en probeer het opnieuw.',
  'card-unsupported': 'Deze kaart wordt niet ondersteund. Gebruik een andere kaart.',
  'card-mute':
    'De kaart reageert niet. Haal de kaart eruit, steek de kaart er opnieuw in en probeer het nog eens.',
  'card-busy':
    'Een ander programma gebruikt de kaart. Sluit dat programma of wacht even en probeer het opnieuw.',
  'card-session-unknown': 'De verbinding met de kaart is beëindigd. Probeer het opnieuw.',
  'command-refused':
    'Deze website wilde iets met uw kaart doen wat websites niet mogen. Neem contact op met de helpdesk van de website.',
  'key-unknown': 'Dit is niet de kaart die deze website nodig heeft. Gebruik een andere kaart.',
  'key-unsupported': 'Deze kaart kan niet wat deze website vraagt. Gebruik een andere kaart.',
  'pin-busy': 'Er staat al een vraag van Cardwire open. Zoek het venster van Cardwire.',
  'pin-wrong': 'De pincode is onjuist.',
  'pin-blocked':
    'Uw pincode is geblokkeerd. Neem contact op met de uitgever van uw kaart om de blokkering op te heffen.',
  'pin-cancelled': 'U hebt het invoeren van de pincode geannuleerd.',
  'pin-timeout': 'De pincode is niet op tijd ingevoerd. Probeer het opnieuw.',
  'pin-invalid':
    'Dit is geen geldige pincode voor deze kaart. Controleer de pincode en probeer het opnieuw.',
  'identity-refused': 'U hebt ervoor gekozen uw identiteitsgegevens niet te delen.',
  'file-type-unknown':
    'Deze website heeft geen toegang tot deze map. Kies een map en probeer het opnieuw.',
  'file-type-unmapped':
    'De map bestaat niet meer of websites kunnen die niet gebruiken. Kies een andere map.',
  'file-type-refused':
    'U hebt voor deze website geen map gekozen. Wilt u hier bestanden gebruiken, probeer het dan opnieuw en kies een map.',
  'file-type-managed': 'Uw beheerder heeft deze map gekozen. U kunt die hier niet wijzigen.',
  'file-path-refused':
    'Websites kunnen geen bestand met deze naam gebruiken. Kies een andere naam.',
  'file-unknown': 'Het bestand bestaat niet meer.',
  'file-taken': 'Er bestaat al een bestand met deze naam. Kies een andere naam.',
  'file-too-large': 'Het bestand is te groot. Kies een kleiner bestand.',
  'disk-failed': 'Uw schijf heeft een fout gemeld. Controleer de schijf en probeer het opnieuw.',
  'disk-full': 'Uw schijf is vol. Maak ruimte vrij en probeer het opnieuw.',
  pinWrongWithAttempts: (left) =>
    `De pincode is onjuist. Nog ${count(left, 'poging', 'pogingen')}.`,
  codeCopied: 'De code is gekopieerd.',
  codeNotCopied: 'De code is niet gekopieerd. Selecteer en kopieer de code zelf.',
}
