/** What the doctor finds, in Dutch. */
import type { Catalog } from '../en/catalog.ts'

export const findings: Catalog['findings'] = {
  'card-service-good': 'De smartcardservice reageert',
  'readers-good': 'Er is een kaartlezer aangesloten',
  'root-good': 'Het rootcertificaat van deze computer is geldig',
  'leaf-good': 'Het certificaat voor localhost, dat websites gebruiken, is geldig',
  'trust-good': 'Uw browsers vertrouwen Cardwire',
  'keystore-good': 'Het certificaat van uw organisatie, dat websites gebruiken, is geldig',
  'api-good': 'Cardwire reageert',
  'registry-good': 'Websites kunnen Cardwire vinden',
  'registry-port-free': 'De poort waarop websites Cardwire zoeken, is vrij',
  'clipboard-good': 'Cardwire kan het klembord lezen',
  'service-none': 'Cardwire werkt zonder organisatie, met de instellingen van deze computer',
  'service-good': 'De server van uw organisatie reageert',
  registered: 'Deze computer is geregistreerd',
  synchronized: 'Cardwire is gesynchroniseerd met uw organisatie',
  'updates-not-offered': 'Uw organisatie installeert updates, dus Cardwire biedt er geen aan',
  'machine-synchronized':
    'De Cardwire-service van deze computer is gesynchroniseerd met uw organisatie',
  'machine-keystore-good': 'Het certificaat van de Cardwire-service van deze computer is geldig',
  'card-service-down': 'De smartcardservice van deze computer reageert niet',
  'card-service-forbidden': 'U mag de smartcardservice van deze computer niet gebruiken',
  'card-service-missing': 'Deze computer heeft geen smartcardservice',
  'readers-none': 'Er is geen kaartlezer aangesloten',
  'root-broken': 'Het rootcertificaat van deze computer is onbruikbaar',
  'leaf-broken': 'Het certificaat voor localhost, dat websites nodig hebben, is onbruikbaar',
  'files-open': 'Andere gebruikers kunnen de privésleutels van Cardwire lezen',
  'trust-missing': 'Minstens één van uw browsers vertrouwt Cardwire nog niet',
  'trust-none': 'Geen van uw browsers vertrouwt Cardwire',
  'trust-unreadable': 'Cardwire kan niet nagaan of een browser Cardwire vertrouwt',
  'keystore-expired': 'Het certificaat van uw organisatie, dat websites gebruiken, is verlopen',
  'keystore-missing': 'Het certificaat van uw organisatie, dat websites nodig hebben, ontbreekt',
  'not-running': 'Cardwire is niet actief',
  'not-running-no-port': 'Cardwire is niet actief en de gebruikelijke poorten zijn bezet',
  'not-running-masked': 'Cardwire is niet actief omdat het is uitgeschakeld',
  'api-silent': 'Cardwire is actief, maar reageert niet',
  'registry-down':
    'Websites kunnen Cardwire niet vinden omdat een service op deze computer niet actief is',
  'registry-foreign': 'Websites vinden op deze computer de Cardwire van een andere gebruiker',
  'registry-port-taken':
    'Websites kunnen Cardwire niet vinden omdat een ander programma de poort gebruikt',
  'clipboard-unreadable': 'Cardwire kan het klembord niet lezen, dus u kunt geen websites toestaan',
  'clock-jumped': 'De klok van deze computer is versprongen',
  'file-damaged': 'Een beschadigd bestand van Cardwire is vervangen',
  'no-pages-allowed': 'Nog geen enkele website kan Cardwire gebruiken',
  'tokens-off': 'Websites kunnen Cardwire gebruiken zonder goedkeuring van uw organisatie',
  'token-keys-missing':
    'Cardwire kan niet controleren welke websites uw organisatie heeft goedgekeurd',
  'service-unreachable': 'De server van uw organisatie reageert niet',
  unregistered: 'Deze computer is niet geregistreerd bij uw organisatie',
  'never-synchronized': 'Cardwire heeft nog nooit contact gehad met uw organisatie',
  'not-synchronized': 'Cardwire kan uw organisatie nu niet bereiken',
  'policy-ending': 'Over enkele dagen kunnen websites Cardwire niet meer gebruiken',
  'policy-expired':
    'Websites kunnen Cardwire niet gebruiken omdat het te lang geen contact had met uw organisatie',
  'version-recommended': 'Uw organisatie raadt een andere versie aan',
  'version-forbidden': 'Uw organisatie staat deze versie van Cardwire niet meer toe',
  'version-unknown': 'Uw organisatie kent deze versie van Cardwire niet',
  'key-missing': 'De installatiesleutel ontbreekt',
  'key-refused': 'Uw organisatie accepteert de installatiesleutel niet',
  'key-used-up': 'Uw organisatie heeft de daglimiet voor nieuwe computers bereikt',
  'device-blocked': 'Uw organisatie heeft deze computer geblokkeerd',
  'clock-skewed': 'De klok van deze computer staat verkeerd',
  'machine-settings-ignored': 'Sommige Cardwire-instellingen op deze computer worden genegeerd',
  'machine-not-synchronized':
    'De Cardwire-service van deze computer kan uw organisatie niet bereiken',
  'machine-fault': 'De Cardwire-service van deze computer meldt een fout',
  'machine-keystore-expired':
    'Het certificaat van de Cardwire-service van deze computer is verlopen',
  'settings-invalid': 'Cardwire kan niet starten omdat sommige instellingen ongeldig zijn',
  'check-failed': 'Een controle kon niet worden uitgevoerd',
  'check-late': 'Een controle duurde te lang',
}

/** What the user can do about it. */
export const remedies: Catalog['remedies'] = {
  'card-service-down':
    'Start de computer opnieuw op. Helpt dat niet, neem dan contact op met uw beheerder.',
  'card-service-forbidden':
    'Meld u aan op de computer zelf, niet op afstand. Helpt dat niet, neem dan contact op met uw beheerder.',
  'card-service-missing': 'Vraag uw beheerder om de service te installeren.',
  'readers-none':
    'Sluit een kaartlezer aan. Verschijnt die niet, vraag uw beheerder dan of het stuurprogramma is geïnstalleerd.',
  'root-broken':
    'Start Cardwire. Is het al actief, meld u dan af op uw computer en meld u opnieuw aan. Blijft het probleem bestaan, neem dan contact op met uw beheerder.',
  'leaf-broken':
    'Start Cardwire. Is het al actief, meld u dan af op uw computer en meld u opnieuw aan. Blijft het probleem bestaan, neem dan contact op met uw beheerder.',
  'files-open': 'Start Cardwire om ze te beveiligen en meld het aan uw beheerder.',
  'trust-missing':
    'Klik op de knop hieronder, sluit daarna de browser volledig af en open hem opnieuw.',
  'trust-none':
    'Klik op de knop hieronder, sluit daarna de browser volledig af en open hem opnieuw.',
  'trust-unreadable': 'Neem contact op met uw beheerder. De reden staat hieronder.',
  'keystore-expired': 'Vraag uw beheerder om een nieuw certificaat.',
  'keystore-missing': 'Vraag uw beheerder om het certificaat.',
  'not-running': 'Klik op de knop hierboven om Cardwire te starten.',
  'not-running-no-port': 'Klik op de knop hierboven om Cardwire op een andere poort te starten.',
  'not-running-masked':
    'De knop hierboven kan Cardwire niet starten. Neem contact op met uw beheerder.',
  'api-silent': 'Meld u af op uw computer en meld u daarna opnieuw aan.',
  'registry-down': 'Vraag uw beheerder om de service te starten.',
  'registry-foreign': 'Vraag uw beheerder om de Cardwire-service op deze computer te installeren.',
  'registry-port-taken': 'Neem contact op met uw beheerder. Hieronder staat welk programma het is.',
  'clipboard-unreadable': 'Neem contact op met uw beheerder. De reden staat hieronder.',
  'clock-jumped': 'Zet de klok goed. Staat die al goed, laat Cardwire dan enkele uren aanstaan.',
  'file-damaged': 'Vraag uw beheerder om de schijf te controleren.',
  'no-pages-allowed': 'Voer hieronder de URL en de sleutel van uw organisatie in.',
  'tokens-off': 'Hebt u dit niet zelf gekozen, meld het dan aan uw beheerder.',
  'token-keys-missing': 'Voer hieronder de URL en de sleutel van uw organisatie in.',
  'service-unreachable':
    'Controleer uw netwerk. Is het netwerk in orde, neem dan contact op met uw beheerder.',
  unregistered:
    'Start Cardwire. Is het al actief, meld u dan af op uw computer en meld u opnieuw aan. Blijft het probleem bestaan, neem dan contact op met uw beheerder.',
  'never-synchronized': 'Controleer uw netwerk en voer daarna de controle opnieuw uit.',
  'not-synchronized':
    'Klik op Opnieuw controleren. Blijft het probleem bestaan, neem dan contact op met uw beheerder.',
  'policy-ending': 'Verbind deze computer met het netwerk van uw organisatie.',
  'policy-expired': 'Verbind deze computer met het netwerk van uw organisatie.',
  'version-recommended': 'Zie ‘Versie’ hieronder.',
  'version-forbidden': 'Zie ‘Versie’ hieronder.',
  'version-unknown':
    'Vraag uw beheerder om deze versie te registreren of om u een andere te geven.',
  'key-missing': 'Vraag uw beheerder om de sleutel en voer die hieronder in.',
  'key-refused': 'Vraag uw beheerder om de huidige sleutel en voer die hieronder in.',
  'key-used-up': 'Probeer het morgen opnieuw of neem contact op met uw beheerder.',
  'device-blocked': 'Vraag uw beheerder om de blokkering op te heffen.',
  'clock-skewed': 'Zet de klok goed.',
  'machine-settings-ignored': 'Neem contact op met uw beheerder. De reden staat hieronder.',
  'machine-not-synchronized':
    'Controleer uw netwerk. Is het netwerk in orde, neem dan contact op met uw beheerder.',
  'machine-fault': 'Neem contact op met uw beheerder. De fout staat hieronder.',
  'machine-keystore-expired': 'Vraag uw beheerder om een nieuw certificaat.',
  'settings-invalid':
    'Neem contact op met uw beheerder. Hieronder staat om welke instellingen het gaat.',
  'check-failed':
    'Klik op Opnieuw controleren. Blijft het probleem bestaan, neem dan contact op met uw beheerder.',
  'check-late':
    'Klik op Opnieuw controleren. Blijft het probleem bestaan, neem dan contact op met uw beheerder.',
}
