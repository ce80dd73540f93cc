/** The texts of the screens of configurations in Dutch. */
import type { Texts } from '../en/catalog.ts'
import type { Wrap } from '../markup.ts'
import { createNumbers } from '../numbers.ts'

const { format, count } = createNumbers('nl')

/** The texts of a type of configuration, by what it is called. */
const nameType = (name: string) => ({
  name,
  addLink: `${name} toevoegen`,
  title: (version: string) => `${name} voor ${version}`,
  newTitle: (version: string) => `${name} voor ${version} toevoegen`,
  removeTitle: (version: string) => `${name} voor ${version} verwijderen`,
  listed: (version: string, unseen: Wrap) => (
    <>
      {name}
      {unseen(` voor ${version}`)}
    </>
  ),
  part: (part: string) => `${name}: ${part}`,
})

export const configurations: Texts['configurations'] = {
  title: 'Configuraties',
  about:
    'Een configuratie bepaalt welke websites kaartlezers kunnen gebruiken, welke hashes de bestanden van de connector moeten hebben of welke keystore de connector gebruikt. Connectors ontvangen bij elke synchronisatie de configuraties van hun versie.',
  search: 'Versie',
  none: (link) => (
    <>Er zijn nog geen configuraties. Open een {link('versie')} en voeg de allowlist toe.</>
  ),
  noneOfVersion: (link) => (
    <>
      Er zijn geen configuraties voor deze versie. Open de versie onder {link('Versies')} en voeg de
      allowlist toe.
    </>
  ),
  list: {
    caption: 'Configuraties',
    configuration: 'Configuratie',
    version: 'Versie',
    devices: 'Apparaten',
    changed: 'Gewijzigd op',
  },
  onlyFor: (link) => <>Alleen apparaten van de groep {link} krijgen deze configuratie.</>,
  choose: {
    title: 'Configuratie toevoegen',
    about:
      'De apparaten van een groep krijgen de configuratie van de groep in plaats van die voor alle apparaten.',
    type: 'Type',
    devices: 'Apparaten',
    button: 'Doorgaan',
  },
  compareLink: 'Configuraties vergelijken',
  types: {
    CONTEXT_CONFIG: nameType('Allowlist en kaartmachtigingen'),
    FILE_DIGESTS: nameType('Bestandshashes'),
    SSL_KEYSTORE: nameType('Keystore'),
  },
  edit: {
    changedAt: (time) => <>Gewijzigd op {time}.</>,
    applies: 'Geldt vanaf de volgende synchronisatie van elke connector.',
    addButton: 'Configuratie toevoegen',
    saveButton: 'Opslaan',
    removeLink: 'Configuratie verwijderen',
    line: (number, message) => (
      <>
        Regel {format(number)}: {message}
      </>
    ),
    after: (before, next) => (
      <>
        {before}; {next}
      </>
    ),
  },
  copy: {
    title: 'Configuraties kopiëren',
    about: 'Alle configuraties worden gekopieerd, ook het wachtwoord van de keystore.',
    from: 'Van versie',
    to: 'Naar versie',
    toHint: 'Een versie die nog geen van deze configuraties heeft',
    button: 'Configuraties kopiëren',
  },
  difference: {
    title: 'Configuraties vergelijken',
    from: 'Versie',
    to: 'Vergelijken met',
    button: 'Vergelijken',
    neither: 'Geen van beide versies heeft een configuratie.',
    same: 'Beide versies hebben dezelfde configuraties. Wachtwoorden van keystores worden niet vergeleken.',
    caption: 'Verschillen',
    part: 'Instelling',
    onlyIn: (version) => `Alleen in ${version}`,
  },
  newer: {
    about: (strong, parts) => (
      <>
        {strong('U kunt deze configuratie hier niet bewerken.')} Een nieuwere versie van de server
        heeft de configuratie opgeslagen, en deze versie heeft geen veld voor {parts}. Werk de
        server bij.
      </>
    ),
    back: 'Terug naar de versie',
  },
  remove: {
    reach: (devices) =>
      devices === 0
        ? 'Geen enkel apparaat heeft deze configuratie.'
        : `${count(devices, 'apparaat verliest', 'apparaten verliezen')} deze configuratie bij de volgende synchronisatie.`,
    caption: 'Apparaten met deze configuratie, zonder geblokkeerde apparaten',
    system: 'Systeem',
    devices: 'Apparaten',
    allowlist:
      'Geldt er geen andere allowlist voor deze apparaten, dan kan geen enkele website hun kaartlezers gebruiken.',
    button: 'Configuratie verwijderen',
  },
  allowlist: {
    origins: 'Toegestane origins',
    originsHint:
      'Eén per regel, zoals https://shop.example, of https://*.bank.example voor alle subdomeinen. Laat dit leeg om alle websites te blokkeren.',
  },
  cards: {
    title: 'Extra kaartmachtigingen',
    about:
      'Met toestemming van de gebruiker kan elke toegestane website certificaten lezen en handtekeningen laten zetten. De gebruiker bevestigt elke handtekening. Hier kunt u meer toestaan. Om een item toe te voegen, vult u de lege velden onder aan de lijst in. Na het opslaan verschijnen er nieuwe lege velden. Om een item te verwijderen, maakt u de velden ervan leeg.',
    grants: {
      title: 'Machtigingen per website',
      entry: (number) => `Machtiging ${format(number)}`,
      another: 'Nieuwe machtiging',
      origin: 'Origin',
      originHint: 'Eén origin, zonder *',
      allow: {
        raw: 'Opdrachten naar de kaart sturen',
        'page-pin': 'De pincode op de pagina zelf vragen',
        pan: 'Volledige kaartnummers lezen',
        bulk: 'Meerdere handtekeningen laten zetten na één keer invoeren van de pincode',
        print: 'Onbewerkte gegevens naar printers sturen',
        'raw-authenticate': 'Willekeurige hashes ondertekenen met een authenticatiesleutel',
      },
      aids: 'Toegestane kaarttoepassingen (AID’s)',
      aidsHint:
        'Een pagina die opdrachten kan sturen, kan alleen deze toepassingen selecteren. Voer volledige AID’s hexadecimaal in, één per regel. Laat u dit leeg, dan kan de pagina geen opdrachten sturen.',
    },
    libraries: {
      title: 'PKCS #11-bibliotheken',
      entry: (number) => `Bibliotheek ${format(number)}`,
      another: 'Nieuwe bibliotheek',
      system: 'Systeem',
      path: 'Pad',
      pathHint: 'Een absoluut pad, in de notatie van het systeem',
      hash: 'SHA-256 van het bestand',
      atrs: 'ATR’s van kaarten',
      atrsHint: 'Hexadecimaal, één per regel',
      ownReaders: 'De bibliotheek gebruikt de kaartlezers van het systeem niet',
    },
    folders: {
      title: 'Mappen voor bestanden',
      entry: (number) => `Map ${format(number)}`,
      another: 'Nieuwe map',
      origin: 'Origin',
      entity: 'Entiteit',
      type: 'Type',
      nameHint: 'Moet overeenkomen met de naam in de code van de pagina',
      path: 'Pad van de map',
      pathHint: 'Een absoluut pad. Met een stationsletter geldt het alleen voor Windows.',
    },
  },
  files: {
    part: 'Bestanden',
    label: 'Bestanden en hun hashes',
    hint: (systems) =>
      `Eén hash en pad per regel, in de notatie van sha256sum. Paden zijn relatief ten opzichte van de installatiemap. Begin een regel die maar voor één systeem geldt, met dat systeem: ${systems}.`,
  },
  keystore: {
    url: 'URL',
    urlLabel: 'URL van de keystore',
    urlHint: 'https://…, of file:///… voor een geüploade keystore',
    hashHint: '64 hexadecimale tekens. Wordt automatisch berekend voor geüploade keystores.',
    password: 'Wachtwoord',
    newPassword: 'Nieuw wachtwoord',
    currentPassword: 'Huidig wachtwoord',
    keepHint:
      'Laat dit leeg om het huidige wachtwoord te behouden. Als u de URL wijzigt, voert u het opnieuw in.',
    passwordHint: 'Kan na het opslaan niet meer worden bekeken',
  },
}
