/** The texts of the first steps in Dutch. */
import type { Texts } from '../en/catalog.ts'
import { createNumbers } from '../numbers.ts'

const { count } = createNumbers('nl')

export const firstUse: Texts['firstUse'] = {
  title: 'Eerste stappen',
  about:
    'In vijf stappen gaat u van een nieuwe server naar een website die kaarten gebruikt. U kunt de stappen ook later uitvoeren.',
  complete: (devices, overview) => (
    <>
      Alles is ingesteld. Uw eerste connector is geregistreerd. {devices('Bekijk de apparaten')} of
      ga naar het {overview('overzicht')}.
    </>
  ),
  done: 'Voltooid',
  steps: {
    organization: 'Een organisatie toevoegen',
    label: 'Een toepassing toevoegen',
    version: 'Een connectorversie registreren',
    allowlist: 'Websites toestaan',
    device: 'De eerste connector registreren',
  },
  organization: {
    about:
      'Toepassingen horen bij een organisatie, zoals uw eigen organisatie of die van een klant. De ID wordt nu van de naam afgeleid en verandert daarna niet meer.',
    name: 'Naam van de organisatie',
    button: 'Organisatie toevoegen',
  },
  label: {
    about: (organization) =>
      `De toepassing hoort bij ${organization} en krijgt een API-sleutel die alleen de back-end kent. Het gebruik van kaarten wordt per toepassing geteld.`,
    name: 'Naam van de toepassing',
    button: 'Toepassing toevoegen en sleutel tonen',
    doneTitle: (name) => `Toepassing ‘${name}’ toegevoegd`,
    keyWarning: (mark) => (
      <>
        Kopieer deze {mark('API-sleutel')} nu. U krijgt die niet opnieuw te zien. Bewaar de sleutel
        in een wachtwoordmanager.
      </>
    ),
    copyKey: 'API-sleutel kopiëren',
    keyUse: (header) => (
      <>
        De back-end van de toepassing stuurt de sleutel mee in de header {header} om tokens te
        krijgen. Zet de sleutel nooit in een webpagina.
      </>
    ),
  },
  version: {
    about:
      'Gebruikers downloaden de connector van deze server. Voeg een installatieprogramma (een geüpload bestand of een URL) toe voor elk besturingssysteem dat u ondersteunt. Oudere connectors raden een update naar deze versie aan.',
    noFiles: (link) => (
      <>
        Er zijn nog geen bestanden geüpload. {link('Upload een installatieprogramma')} of voer URL’s
        in.
      </>
    ),
    files: (total, link) => (
      <>
        {count(total, 'bestand is', 'bestanden zijn')} beschikbaar. {link('Upload er nog een')}.
      </>
    ),
    id: 'Versie',
    idHint: 'De versie van de installatieprogramma’s, bijvoorbeeld 4.0.0',
    installer: (system) => `Installatieprogramma voor ${system}`,
    installerMissing: 'Voeg een installatieprogramma toe voor minstens één besturingssysteem',
    button: 'Versie registreren',
    doneTitle: (id) => `Versie ${id} geregistreerd`,
    keyWarning: (mark) => (
      <>
        Kopieer deze {mark('installatiesleutel')} nu. U krijgt die niet opnieuw te zien. Bewaar de
        sleutel in een wachtwoordmanager.
      </>
    ),
    copyKey: 'Installatiesleutel kopiëren',
    keyUse: (setting) => (
      <>Connectors registreren zich met deze sleutel. Stel de sleutel in als {setting}.</>
    ),
  },
  allowlist: {
    about: (version) =>
      `Connectors met versie ${version} accepteren alleen deze origins, en alleen na toestemming van de gebruiker.`,
    origins: 'Origins',
    originsHint:
      'Eén per regel, zoals https://shop.example, of https://*.bank.example voor alle subdomeinen.',
    button: 'Deze websites toestaan',
  },
  device: {
    about:
      'Stel op de computer van een gebruiker deze twee waarden in en voer daarna het installatieprogramma uit. De tweede waarde is de installatiesleutel die u in stap 3 hebt gekopieerd.',
    copyUrl: 'URL-instelling kopiëren',
    download: (link) => (
      <>
        Iedereen kan het installatieprogramma downloaden via {link}. De connector verschijnt op deze
        pagina zodra die zich registreert.
      </>
    ),
    places: {
      caption: 'Waar u de twee instellingen opgeeft',
      head: ['Besturingssysteem', 'Plaats'],
      windows: (key) => <>Tekstwaarden (REG_SZ) in {key}</>,
      linux: (file) => <>Elk op een eigen regel in {file} (eigenaar: root)</>,
      mac: (command) => <>Voer voor elke instelling {command} uit</>,
    },
    registered: 'Er is een connector geregistreerd. Vernieuw deze pagina.',
    none: 'Er is nog geen connector geregistreerd of geweigerd.',
    refused: (address, time, reason) =>
      `Er is nog geen connector geregistreerd. Een connector met IP-adres ${address} is op ${time} geweigerd. ${reason}`,
    refresh: (link, refusals) => (
      <>
        {link('Vernieuw de pagina')} of bekijk de {refusals('geweigerde registraties')}.
      </>
    ),
  },
  next: 'Doorgaan',
}
