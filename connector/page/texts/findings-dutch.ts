/** What the doctor found, in Dutch: a sentence, and what the person can do. */
import type { FindingTexts } from './findings-english.ts'

export const dutchFindings: FindingTexts = {
  'card-service-good': { title: 'De kaartdienst antwoordt' },
  'readers-good': { title: 'Er is een kaartlezer aangesloten' },
  'root-good': { title: 'Het basiscertificaat van deze computer is geldig' },
  'leaf-good': { title: 'Het certificaat van de verbinding is geldig' },
  'trust-good': { title: 'Browsers vertrouwen Cardwire' },
  'keystore-good': { title: 'Het certificaat van uw organisatie is geldig' },
  'api-good': { title: 'Cardwire antwoordt' },
  'registry-good': { title: 'Webpagina’s vinden Cardwire' },
  'registry-port-free': { title: 'De poort waarop webpagina’s Cardwire zoeken, is vrij' },
  'clipboard-good': { title: 'Cardwire kan het klembord lezen' },
  'service-none': { title: 'Cardwire werkt zonder organisatie' },
  'service-good': { title: 'De dienst van uw organisatie antwoordt' },
  registered: { title: 'Deze computer is geregistreerd' },
  synchronized: { title: 'Er was contact met uw organisatie' },
  'updates-not-offered': { title: 'Geen venster biedt updates aan: uw organisatie installeert ze' },
  'machine-synchronized': { title: 'De dienst van deze computer had contact met uw organisatie' },
  'machine-keystore-good': { title: 'Het certificaat van deze computer is geldig' },
  'card-service-down': {
    title: 'De kaartdienst van deze computer antwoordt niet',
    todo: 'Start de computer opnieuw. Helpt dat niet, vraag het dan uw beheerder.',
  },
  'card-service-forbidden': {
    title: 'U mag de kaartdienst van deze computer niet gebruiken',
    todo: 'Meld u aan op de computer zelf, niet vanaf een andere. Helpt dat niet, vraag het dan uw beheerder.',
  },
  'card-service-missing': {
    title: 'Deze computer heeft geen kaartdienst',
    todo: 'Vraag uw beheerder om hem te installeren.',
  },
  'readers-none': {
    title: 'Er is geen kaartlezer aangesloten',
    todo: 'Sluit een kaartlezer aan. Verschijnt hij niet, vraag uw beheerder dan of het stuurprogramma geïnstalleerd is.',
  },
  'root-broken': {
    title: 'Het basiscertificaat van deze computer is onbruikbaar',
    todo: 'Start Cardwire. Blijft dit zo, vraag het dan uw beheerder.',
  },
  'leaf-broken': {
    title: 'Het certificaat van de verbinding is onbruikbaar',
    todo: 'Start Cardwire. Blijft dit zo, vraag het dan uw beheerder.',
  },
  'files-open': {
    title: 'Anderen kunnen sleutels van Cardwire lezen',
    todo: 'Start Cardwire: het sluit ze af. Meld uw beheerder dat ze open waren.',
  },
  'trust-missing': {
    title: 'Een browser vertrouwt Cardwire nog niet',
    todo: 'Druk op de knop hieronder, sluit daarna de browser helemaal en open hem opnieuw.',
  },
  'trust-none': {
    title: 'Geen van uw browsers vertrouwt Cardwire',
    todo: 'Druk op de knop hieronder, sluit daarna de browser helemaal en open hem opnieuw.',
  },
  'trust-unreadable': {
    title: 'Of een browser Cardwire vertrouwt, is niet te zien',
    todo: 'Vraag het uw beheerder: er ontbreekt een programma voor.',
  },
  'keystore-expired': {
    title: 'Het certificaat van uw organisatie is verlopen',
    todo: 'Vraag uw beheerder om een nieuw.',
  },
  'keystore-missing': {
    title: 'Het certificaat van uw organisatie ontbreekt',
    todo: 'Vraag uw beheerder erom.',
  },
  'not-running': { title: 'Cardwire is niet gestart', todo: 'Start het met de knop hierboven.' },
  'not-running-no-port': {
    title: 'Cardwire is niet gestart en zijn gewone poorten zijn bezet',
    todo: 'Start het met de knop hierboven: het neemt een andere poort.',
  },
  'not-running-masked': {
    title: 'Cardwire is niet gestart: iemand heeft het uitgeschakeld',
    todo: 'De knop hierboven start het niet. Vraag het uw beheerder.',
  },
  'api-silent': {
    title: 'Cardwire is gestart en antwoordt niet',
    todo: 'Meld u af op uw computer en meld u opnieuw aan.',
  },
  'registry-down': {
    title: 'Webpagina’s vinden Cardwire niet: een dienst van deze computer is niet gestart',
    todo: 'Vraag uw beheerder om hem te starten.',
  },
  'registry-foreign': {
    title: 'Webpagina’s vinden de Cardwire van iemand anders op deze computer',
    todo: 'Vraag uw beheerder om er een dienst van de computer van te maken.',
  },
  'registry-port-taken': {
    title: 'Webpagina’s vinden Cardwire niet: een ander programma heeft zijn poort',
    todo: 'Vraag het uw beheerder: hieronder staat welk programma het is.',
  },
  'clipboard-unreadable': {
    title: 'Cardwire kan het klembord niet lezen, dus u kunt geen pagina toelaten',
    todo: 'Vraag het uw beheerder: hieronder staat wat er ontbreekt.',
  },
  'clock-jumped': {
    title: 'De klok van deze computer is versprongen',
    todo: 'Zet de klok goed. Staat ze goed, laat Cardwire dan enkele uren aanstaan.',
  },
  'file-damaged': {
    title: 'Een bestand van Cardwire was beschadigd en is vervangen',
    todo: 'Vraag uw beheerder om de schijf te controleren.',
  },
  'no-pages-allowed': {
    title: 'Nog geen webpagina mag Cardwire gebruiken',
    todo: 'Vul hieronder het adres en de sleutel van uw organisatie in.',
  },
  'tokens-off': {
    title: 'Webpagina’s hebben geen toestemming van een organisatie nodig',
    todo: 'Hebt u dit niet zelf ingesteld, meld het dan uw beheerder.',
  },
  'token-keys-missing': {
    title: 'Cardwire kan de toestemming van webpagina’s niet controleren',
    todo: 'Vul hieronder het adres en de sleutel van uw organisatie in.',
  },
  'service-unreachable': {
    title: 'De dienst van uw organisatie antwoordt niet',
    todo: 'Controleer uw netwerk. Werkt het, vraag het dan uw beheerder.',
  },
  unregistered: {
    title: 'Deze computer is niet bij uw organisatie geregistreerd',
    todo: 'Start Cardwire. Blijft dit zo, vraag het dan uw beheerder.',
  },
  'never-synchronized': {
    title: 'Er was nog geen contact met uw organisatie',
    todo: 'Controleer uw netwerk en controleer daarna opnieuw.',
  },
  'not-synchronized': {
    title: 'Er is nu geen contact met uw organisatie',
    todo: 'Controleer opnieuw. Blijft dit zo, vraag het dan uw beheerder.',
  },
  'policy-ending': {
    title: 'Webpagina’s kunnen Cardwire nog maar enkele dagen gebruiken',
    todo: 'Verbind deze computer met het netwerk van uw organisatie.',
  },
  'policy-expired': {
    title: 'Webpagina’s kunnen Cardwire niet gebruiken: er was te lang geen contact',
    todo: 'Verbind deze computer met het netwerk van uw organisatie.',
  },
  'version-recommended': {
    title: 'Uw organisatie raadt een andere versie aan',
    todo: 'Installeer ze: zie hieronder.',
  },
  'version-forbidden': {
    title: 'Deze versie van Cardwire mag niet meer worden gebruikt',
    todo: 'Installeer een andere: zie hieronder.',
  },
  'version-unknown': {
    title: 'Uw organisatie kent deze versie van Cardwire niet',
    todo: 'Vraag uw beheerder om ze te registreren, of om een andere.',
  },
  'key-missing': {
    title: 'De installatiesleutel ontbreekt',
    todo: 'Vul hem hieronder in; uw beheerder heeft hem.',
  },
  'key-refused': {
    title: 'Uw organisatie aanvaardt de installatiesleutel niet',
    todo: 'Vraag uw beheerder naar de huidige en vul hem hieronder in.',
  },
  'key-used-up': {
    title: 'Uw organisatie registreert vandaag geen computers meer',
    todo: 'Wacht tot morgen, of vraag het uw beheerder.',
  },
  'device-blocked': {
    title: 'Uw organisatie heeft deze computer geblokkeerd',
    todo: 'Vraag uw beheerder om de blokkering op te heffen.',
  },
  'clock-skewed': { title: 'De klok van deze computer staat verkeerd', todo: 'Zet ze goed.' },
  'machine-settings-ignored': {
    title: 'Instellingen van deze computer tellen niet',
    todo: 'Vraag het uw beheerder: hieronder staat waarom.',
  },
  'machine-not-synchronized': {
    title: 'De dienst van deze computer heeft geen contact met uw organisatie',
    todo: 'Controleer uw netwerk. Werkt het, vraag het dan uw beheerder.',
  },
  'machine-fault': {
    title: 'De dienst van deze computer meldt een fout',
    todo: 'Vraag het uw beheerder: hieronder staat welke.',
  },
  'machine-keystore-expired': {
    title: 'Het certificaat van deze computer is verlopen',
    todo: 'Vraag uw beheerder om een nieuw.',
  },
  'settings-invalid': {
    title: 'Instellingen van Cardwire zijn onbruikbaar, dus het kan niet starten',
    todo: 'Vraag het uw beheerder: hieronder staat welke.',
  },
  'check-failed': {
    title: 'Iets kon niet worden gecontroleerd',
    todo: 'Controleer opnieuw. Blijft dit zo, vraag het dan uw beheerder.',
  },
  'check-late': {
    title: 'Een controle duurde te lang',
    todo: 'Controleer opnieuw. Blijft dit zo, vraag het dan uw beheerder.',
  },
}
