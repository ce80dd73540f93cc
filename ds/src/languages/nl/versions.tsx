/** The texts of the screens of versions in Dutch. */
import type { Version, VersionReach } from '@cardwire/protocol'
import type { Texts } from '../en/catalog.ts'
import { createNumbers } from '../numbers.ts'

type Flags = Pick<Version, 'recommended' | 'mandatory' | 'allowed'>

const { format, choose, count } = createNumbers('nl')
const list = new Intl.ListFormat('nl')

/** The tags of a version, in a sentence. */
const inside = {
  allowed: 'toegestaan',
  blocked: 'geblokkeerd',
  recommended: 'aanbevolen',
  mandatory: 'vereist',
}

const describeFlags = ({ recommended, mandatory, allowed }: Flags) =>
  list.format([
    allowed ? inside.allowed : inside.blocked,
    ...(recommended ? [inside.recommended] : []),
    ...(mandatory ? [inside.mandatory] : []),
  ])

const devices = (number: number) => count(number, 'apparaat', 'apparaten')

function describeStopped({ stopped, withoutInstaller }: VersionReach) {
  const will = `Op ${devices(stopped)} stopt de connector.`
  if (withoutInstaller === stopped)
    return `${will} Er is geen installatieprogramma voor ${stopped === 1 ? 'dit apparaat' : 'deze apparaten'}.`
  if (withoutInstaller > 0)
    return `${will} Voor ${format(withoutInstaller)} daarvan is er geen installatieprogramma.`
  return `${will} ${stopped === 1 ? 'Er is een installatieprogramma voor dit apparaat.' : 'Er is een installatieprogramma voor al deze apparaten.'}`
}

export const versions: Texts['versions'] = {
  title: 'Versies',
  about:
    'De release-instellingen van een versie bepalen of oudere connectors een update naar die versie aanraden of vereisen. Ze kunnen ook connectors met die versie laten stoppen.',
  registerLink: 'Versie registreren',
  uploadLink: 'Eerst installatieprogramma’s uploaden',
  empty:
    'Er zijn nog geen versies. Upload de installatieprogramma’s, registreer hun versie en voeg daarna een allowlist toe.',
  list: {
    caption: 'Versies, nieuwste eerst',
    version: 'Versie',
    status: 'Releasestatus',
    installers: 'Installatieprogramma’s',
    noInstallers: 'Geen',
    added: 'Toegevoegd op',
    rollout: 'Uitrol',
  },
  tags: {
    allowed: 'Toegestaan',
    blocked: 'Geblokkeerd',
    recommended: 'Aanbevolen',
    mandatory: 'Vereist',
  },
  page: {
    title: (id) => `Versie ${id}`,
    status: 'Releasestatus',
    flagsLink: 'Release-instellingen bewerken',
    installersLink: 'Installatieprogramma’s bewerken',
    devicesTitle: 'Apparaten met deze versie',
    configurationsTitle: 'Configuraties',
    keyTitle: 'Installatiesleutel en verwijdering',
    keyLink: 'Installatiesleutel vervangen',
    removeLink: 'Versie verwijderen',
  },
  devices: {
    none: 'Geen enkel apparaat heeft deze versie.',
    caption: 'Apparaten per systeem',
    system: 'Systeem',
    devices: 'Apparaten',
    number: (total, isMore) => `${isMore ? 'Meer dan ' : ''}${format(total)}`,
    all: (total, isMore) =>
      isMore
        ? `Alle apparaten bekijken (meer dan ${format(total)})`
        : `Alle apparaten bekijken (${format(total)})`,
  },
  configurations: {
    empty:
      'Er zijn nog geen configuraties. Zolang er geen allowlist is, kan geen enkele website de kaartlezers van connectors met deze versie gebruiken.',
    groupLink: 'Configuratie toevoegen voor een groep',
    copyLink: 'Configuraties kopiëren van of naar een andere versie',
    compareLink: 'Vergelijken met een andere versie',
  },
  flags: {
    title: (id) => `Release-instellingen voor ${id}`,
    legend: 'Release-instellingen',
    recommended: 'Aanbevolen',
    recommendedHint: 'Oudere connectors tonen een updatemelding. In de API heet dit ‘recommended’.',
    mandatory: 'Vereist',
    mandatoryHint:
      'Oudere connectors stoppen tot ze zijn bijgewerkt. In de API heet dit ‘mandatory’.',
    allowed: 'Toegestaan',
    allowedHint:
      'Connectors met deze versie stoppen als u dit uitschakelt. Ze kunnen dan overstappen op de nieuwste toegestane versie, ook als die ouder is.',
    next: 'Hierna controleert u de betrokken apparaten. Zijn er geen, dan wordt de wijziging meteen toegepast.',
    reviewButton: 'Wijzigingen controleren',
    confirmTitle: (id) => `Release-instellingen voor ${id} wijzigen`,
    change: (id, before, after) =>
      `De releasestatus van versie ${id} verandert van ‘${describeFlags(before)}’ in ‘${describeFlags(after)}’.`,
    applyButton: 'Toepassen',
    yes: 'Ja',
    no: 'Nee',
  },
  affected: {
    lostSites: {
      sentence: (sites) =>
        `Na de update ${choose(sites, 'kan', 'kunnen')} ${count(sites, 'website', 'websites')} geen kaartlezers meer gebruiken.`,
      caption: 'Websites die door de update geen toegang meer hebben',
      site: 'Website',
      more: (others) => `Nog ${count(others, 'website', 'websites')}.`,
    },
    sentence: (reach) => {
      if (reach.unserved > 0)
        return `${count(reach.unserved, 'apparaat met deze versie kan', 'apparaten met deze versie kunnen')} niet synchroniseren tot u de versie opnieuw registreert.`
      if (reach.reach === 0) return 'Dit heeft geen gevolgen voor apparaten.'
      if (reach.stopped > 0) return describeStopped(reach)
      return `Dit heeft gevolgen voor ${devices(reach.reach)}. Er stoppen geen connectors.`
    },
    stoppedWithoutInstaller: (total) =>
      `Voor ${count(total, 'apparaat', 'apparaten')} waarop de connector al is gestopt, is er dan geen installatieprogramma.`,
    /** What sites lose; empty when they lose nothing. */
    lost: (reach) =>
      reach.withoutAllowlist === 0
        ? ''
        : `${count(reach.withoutAllowlist, 'apparaat zou', 'apparaten zouden')} een update krijgen naar een versie zonder allowlist. Geen enkele website zou de kaartlezers van ${choose(reach.withoutAllowlist, 'dit apparaat', 'deze apparaten')} dan nog kunnen gebruiken.`,
    goBack: (total) =>
      `${count(total, 'apparaat gaat', 'apparaten gaan')} terug naar een oudere versie. Elke gebruiker moet dat bevestigen: in het venster van de connector, of in een terminal met ‘cardwire update’. In Windows kan een installatieprogramma dat ALLOWDOWNGRADE niet ondersteunt, een nieuwere versie niet vervangen. Verwijder in dat geval eerst de nieuwere versie.`,
    caption: 'Betrokken apparaten',
    captionUnblocked: 'Betrokken apparaten, zonder geblokkeerde apparaten',
    version: 'Versie',
    system: 'Systeem',
    devices: 'Apparaten',
    now: 'Nu',
    after: 'Daarna',
    target: 'Update naar',
    verdicts: {
      none: 'Geen update nodig',
      recommend: 'Update aanbevolen',
      require: 'Update vereist',
      stop: 'Versie geblokkeerd',
    },
    otherInstallers: (total) =>
      `${count(total, 'apparaat krijgt', 'apparaten krijgen')} voor dezelfde versie een ander installatieprogramma aangeboden.`,
    otherInstaller: (version) => `${version}, ander installatieprogramma`,
    noInstaller: 'Geen installatieprogramma',
    more: (groups) => `En nog ${count(groups, 'kleinere groep', 'kleinere groepen')}.`,
  },
  installers: {
    title: (id) => `Installatieprogramma’s voor ${id}`,
    heading: 'Installatieprogramma’s',
    empty:
      'Er zijn nog geen installatieprogramma’s. Zolang u er geen toevoegt, kunnen gebruikers deze versie niet downloaden en kunnen connectors geen update naar deze versie installeren.',
    caption: 'Installatieprogramma’s per systeem',
    system: 'Systeem',
    url: 'Bestand of URL',
    size: 'Grootte',
    download: 'Downloaden',
    downloadLink: (system, unseen) => <>Downloaden{unseen(` voor ${system}`)}</>,
    notGiven: 'Niet opgegeven',
    saveButton: 'Installatieprogramma’s opslaan',
    urlLabel: 'URL van het installatieprogramma',
    urlHint:
      'Kies een geüpload bestand (file:///…) of voer een URL in (https://…). Laat dit leeg als er geen installatieprogramma is.',
    hashHint: '64 hexadecimale tekens. Wordt automatisch berekend voor geüploade bestanden.',
  },
  register: {
    title: 'Een versie registreren',
    taken: (id) => `Versie ${id} is al geregistreerd`,
    versionLabel: 'Versie',
    versionHint: 'De versie van de installatieprogramma’s, bijvoorbeeld 4.0.1',
    configurationsTitle: 'Configuraties',
    copyLabel: 'Allowlist en andere configuraties',
    copyHint:
      'Zonder allowlist kan geen enkele website de kaartlezers gebruiken van apparaten met deze versie.',
    copyOption: (id) => `Kopiëren van ${id}`,
    copyNone: 'Geen',
    installersTitle: 'Installatieprogramma’s',
    noFiles: (link) => (
      <>
        Er zijn nog geen bestanden geüpload. {link('Upload installatieprogramma’s')} of voer URL’s
        in.
      </>
    ),
    files: (link) => (
      <>Kies geüploade bestanden, {link('upload installatieprogramma’s')} of voer URL’s in.</>
    ),
    button: 'Versie registreren',
    confirmTitle: (id) => `Versie ${id} registreren`,
    wayBack: 'U kunt de release-instellingen van de versie daarna wijzigen.',
    editButton: 'Verder bewerken',
  },
  key: {
    title: (id) => `Installatiesleutel voor ${id}`,
    replaceTitle: (id) => `Installatiesleutel voor ${id} vervangen`,
    replaceAbout:
      'De oude sleutel werkt meteen niet meer. Nieuwe connectors kunnen zich er dan niet meer mee registreren. Op de volgende pagina ziet u één keer de nieuwe sleutel.',
    wayBack: 'Dit kan niet ongedaan worden gemaakt. De server bewaart de oude sleutel niet.',
    /** Of devices that have the version. */
    kept: (total) =>
      total === 0
        ? 'Geen enkel apparaat heeft deze versie.'
        : `${count(total, 'geregistreerd apparaat met deze versie blijft', 'geregistreerde apparaten met deze versie blijven')} werken.`,
    replaceButton: 'Sleutel vervangen',
    copyLabel: 'Installatiesleutel kopiëren',
    warning:
      'Kopieer deze sleutel nu. U krijgt die niet opnieuw te zien, want de server bewaart er alleen een hash van. Voeg de sleutel toe aan de instellingen van uw connectors.',
    done: 'Ik heb de sleutel opgeslagen',
    about: (setting) => (
      <>Connectors registreren zich met deze sleutel. Geef de sleutel door als {setting}.</>
    ),
  },
  remove: {
    title: (id) => `Versie ${id} verwijderen`,
    about:
      'De installatiesleutel werkt dan niet meer en de installatieprogramma’s worden niet meer aangeboden.',
    wayBack:
      'Dit kan niet ongedaan worden gemaakt. Ook de geschiedenis van de versie wordt verwijderd.',
    button: 'Versie verwijderen',
  },
}
