/** The texts of the screens of devices in Dutch. */
import type { Texts } from '../en/catalog.ts'
import { createNumbers } from '../numbers.ts'
import { describeEvery } from './every.ts'

const { count } = createNumbers('nl')

const noInstaller =
  'Er is geen bruikbare versie met een installatieprogramma voor het systeem van dit apparaat.'

const offer = (target: string | undefined) =>
  target === undefined ? noInstaller : `Versie ${target} wordt aangeboden.`

export const devices: Texts['devices'] = {
  title: 'Apparaten',
  table: {
    all: 'Apparaten',
    matching: 'Gevonden apparaten',
    device: 'Apparaat en gebruiker',
    status: 'Status',
    version: 'Versie',
    system: 'Systeem',
    errors: 'Fouten',
    lastSeen: 'Laatst gezien',
  },
  downloadAll: 'Alle apparaten downloaden als CSV',
  downloadMatching: 'Deze apparaten downloaden als CSV',
  noMatch: {
    title: 'Geen apparaten gevonden. Wijzig of wis de filters.',
    elsewhere: (link) => (
      <>
        Connectors waarvan de registratie is mislukt, staan hier niet. Onder{' '}
        {link('Geweigerde registraties')} vindt u de reden.
      </>
    ),
  },
  empty: {
    title: 'Er zijn nog geen connectors geregistreerd.',
    install: (link) => (
      <>
        Installeer een connector met de URL van deze server en een geldige installatiesleutel.
        Verschijnt de connector hier niet, dan vindt u de reden onder{' '}
        {link('Geweigerde registraties')}.
      </>
    ),
  },
  filters: {
    unknown: 'De URL bevat een onbekend filter. Kies een ander filter.',
    search: 'Zoeken',
    searchHint: 'Een deel van een hostnaam of gebruikersnaam, een apparaat-ID of een vingerafdruk',
    status: 'Status',
    error: 'Fout',
    anyError: 'Met fouten',
    system: 'Systeem',
    update: 'Updatestatus',
    version: 'Versie',
    tag: 'Tag',
    wrongTag: 'Dit is geen geldige tag. Verbeter de invoer onder ‘Tag’.',
    tagForm: 'Kleine letters, cijfers en . _ : -',
    any: 'Alle',
    clear: 'Filters wissen',
  },
  standings: {
    active: 'Actief',
    silent: 'Inactief',
    unserved: 'Versie niet geregistreerd',
    waiting: 'Wacht op goedkeuring',
    blocked: 'Geblokkeerd',
  },
  standingMeanings: {
    active: 'Het apparaat synchroniseert regelmatig.',
    silent:
      'Al een week of langer niet gezien. Het apparaat is misschien uitgeschakeld of vervangen, of kan deze server niet bereiken.',
    unserved:
      'De server weigert elke synchronisatie van het apparaat, omdat de versie niet is geregistreerd. Registreer de versie opnieuw of installeer een geregistreerde versie op het apparaat.',
    waiting:
      'Het apparaat synchroniseert, maar krijgt pas een keystore wanneer een beheerder het goedkeurt.',
    blocked: 'De server weigert elk verzoek van dit apparaat tot een beheerder het deblokkeert.',
  },
  updates: {
    none: 'Geen update nodig',
    recommend: 'Update aanbevolen',
    require: 'Update vereist',
    stop: 'Versie geblokkeerd',
  },
  updateReasons: {
    none: (version) => `Op het apparaat staat versie ${version}.`,
    recommend: (version, target) =>
      `Op het apparaat staat versie ${version}.${target === undefined ? '' : ` ${offer(target)}`}`,
    require: (version, target) =>
      `Op het apparaat staat versie ${version}. De connector waarschuwt de gebruiker en stopt. ${offer(target)}`,
    stop: (version, target) =>
      `Op het apparaat staat versie ${version}. De connector stopt. ${offer(target)}`,
  },
  facts: {
    access: 'Toegang',
    status: 'Status',
    lastUpdate: 'Updatestatus bij laatste synchronisatie',
    rollouts: 'Uitrol',
    inRollout: {
      reached: (version: string) => `Versie ${version}: aangeboden aan dit apparaat`,
      control: (version: string) => `Versie ${version}: in de vergelijkingsgroep`,
    },
    nextUpdate: 'Updatestatus bij volgende synchronisatie',
    versionUnknown: (version) =>
      `Versie ${version} is niet geregistreerd. Daarom kan het apparaat niet synchroniseren en krijgt het geen update aangeboden.`,
    updateWhenUnblocked: 'Updatestatus na deblokkering',
    lastSeen: 'Laatst gezien',
    version: 'Versie',
    system: 'Systeem',
    component: 'Component',
    user: 'Gebruiker',
    language: 'Taal',
    keystore: 'Keystore',
    noKeystore: 'Niet gemeld',
    copyKeystore: 'Hash van de keystore kopiëren',
    logs: 'Logboeken',
    downloadLogs: (link) => (
      <>Zodra het apparaat logboeken heeft verzonden, kunt u {link('de nieuwste downloaden')}.</>
    ),
    id: 'Apparaat-ID',
    copyId: 'Apparaat-ID kopiëren',
    fingerprint: 'Vingerafdruk van de sleutel',
    copyFingerprint: 'Vingerafdruk van de sleutel kopiëren',
    firstRegistered: 'Eerste registratie',
    lastRegistered: 'Laatste registratie',
    registrations: (last, times) => (
      <>
        {last}, in totaal {count(times, 'registratie', 'registraties')}
      </>
    ),
  },
  detailsTitle: 'Details',
  rejected: 'Geweigerde registraties met de sleutel van dit apparaat',
  errors: {
    title: 'Fouten',
    none: 'Bij de laatste synchronisatie zijn geen fouten gemeld.',
    since: (error, time) => (
      <>
        {error} (sinds {time}).
      </>
    ),
    detail: (text) => <>Details: {text}</>,
  },
  errorKinds: {
    'keystore-refused': {
      what: 'Kan de keystore niet gebruiken',
      remedy: () =>
        'Controleer het wachtwoord, de hash en de geldigheidsduur van de keystore in de configuratie van de versie.',
    },
    'keystore-missing': {
      what: 'Kan de keystore niet downloaden',
      remedy: () =>
        'Controleer of het apparaat de URL in de configuratie van de versie kan bereiken.',
    },
    'digest-mismatch': {
      what: 'Connectorbestanden wijken af van de versie',
      remedy: () =>
        'Installeer de connector opnieuw of corrigeer de hashes in de configuratie van de versie.',
    },
    'digests-refused': {
      what: 'Kan connectorbestanden niet met hun hashes vergelijken',
      remedy: () =>
        'Is de lijst met hashes onjuist, corrigeer die dan in de configuratie van de versie. Controleer anders of het apparaat te weinig geheugen heeft of te veel bestanden open heeft.',
    },
    'reply-refused': {
      what: 'Kan de antwoorden van deze server niet verifiëren',
      remedy: (setting) =>
        `Is de server zijn antwoordsleutels kwijt, voeg dan op het apparaat de vingerafdruk van de nieuwe sleutel toe aan ${setting}. Zo niet, dan worden de antwoorden ergens in het netwerk gewijzigd. Zoek naar een proxy die TLS-verkeer inspecteert.`,
    },
    'counters-failed': {
      what: 'Kan gebruiksgegevens niet opslaan',
      remedy: () =>
        'Controleer of de schijf van het apparaat vol is en of een map alleen-lezen is.',
    },
  },
  unknownError:
    'De connector is nieuwer dan deze server. Werk de server bij om te zien wat dit betekent.',
  activity: {
    title: 'Activiteit',
    empty: 'Geen activiteit van beheerders.',
    caption: 'Wijzigingen, nieuwste eerst',
    time: 'Tijdstip',
    action: 'Actie',
    who: 'Wie',
    address: 'IP-adres',
    all: 'Alles bekijken in het auditlogboek',
  },
  /** When the access of a device ends at the latest. */
  access: {
    ended: 'Websites kunnen de kaartlezers niet meer gebruiken, omdat het beleid is verlopen.',
    block: {
      until: (at) => (
        <>
          Bereikt het apparaat de server niet meer, dan kunnen websites de kaartlezers nog gebruiken
          tot {at}. Dan verloopt het beleid van het apparaat.
        </>
      ),
      forever:
        'Bereikt het apparaat de server niet meer, dan kunnen websites de kaartlezers blijven gebruiken, omdat het beleid van het apparaat niet verloopt. Stel DS_POLICY_MAX_AGE in om dat te wijzigen.',
    },
    remove: {
      until: (at) => (
        <>
          Websites kunnen de kaartlezers van het apparaat uiterlijk tot {at} gebruiken. Dan verloopt
          het beleid van het apparaat.
        </>
      ),
      forever:
        'Websites kunnen de kaartlezers van het apparaat blijven gebruiken, omdat het beleid van het apparaat niet verloopt. Stel DS_POLICY_MAX_AGE in om dat te wijzigen.',
    },
  },
  changes: {
    approve: {
      link: 'Goedkeuren',
      title: (device) => `${device} goedkeuren`,
      button: 'Apparaat goedkeuren',
      past: 'Goedgekeurd',
      done: 'Het apparaat is goedgekeurd.',
      effects: () => [
        'Heeft de versie van het apparaat een keystore, dan ontvangt het apparaat die bij de volgende synchronisatie, samen met het wachtwoord.',
      ],
      wayBack:
        'Dit kan niet ongedaan worden gemaakt. Ook als u het apparaat later blokkeert of verwijdert, blijft de keystore erop staan.',
    },
    block: {
      link: 'Blokkeren',
      title: (device) => `${device} blokkeren`,
      button: 'Apparaat blokkeren',
      past: 'Geblokkeerd',
      done: 'Het apparaat is geblokkeerd.',
      effects: (cycle) => [
        'De server weigert daarna elk verzoek van het apparaat. Gebruiksgegevens blijven op het apparaat staan.',
        `Het apparaat probeert minstens ${describeEvery(cycle)} verbinding te maken. Bij de volgende poging verliezen websites de toegang tot de kaartlezers van het apparaat.`,
        'Het apparaat kan zich niet opnieuw registreren met dezelfde sleutel.',
      ],
      wayBack: 'U kunt het apparaat daarna weer deblokkeren.',
    },
    unblock: {
      link: 'Deblokkeren',
      title: (device) => `${device} deblokkeren`,
      button: 'Apparaat deblokkeren',
      past: 'Gedeblokkeerd',
      done: 'Het apparaat is gedeblokkeerd.',
      effects: (cycle) => [
        `Het apparaat kan weer verbinding maken. Het doet dat binnen ${cycle} en verzendt dan de gebruiksgegevens die het heeft bewaard.`,
      ],
      wayBack: 'U kunt het apparaat daarna weer blokkeren.',
    },
    sync: {
      link: 'Nu synchroniseren',
      title: (device) => `${device} nu synchroniseren`,
      button: 'Nu synchroniseren',
      past: 'Synchronisatie gevraagd',
      done: 'Het apparaat is gevraagd om te synchroniseren.',
      effects: (cycle) => [
        `Als het apparaat een verbinding openhoudt, synchroniseert het binnen enkele seconden. Anders synchroniseert het zoals gewoonlijk binnen ${cycle}.`,
      ],
      wayBack: 'Verder verandert er niets.',
    },
    remove: {
      link: 'Verwijderen',
      title: (device) => `${device} verwijderen`,
      button: 'Apparaat verwijderen',
      past: 'Verwijderd',
      done: 'Het apparaat is verwijderd.',
      effects: () => [
        'Het apparaat en zijn logboeken worden verwijderd. Gebruiksgegevens die het al heeft verzonden, blijven bewaard.',
        'Is op het apparaat nog een connector met een geldige installatiesleutel actief, dan registreert die zich opnieuw als nieuw apparaat, ook als het apparaat nu geblokkeerd is. Wilt u dat voorkomen, blokkeer het apparaat dan en verwijder het niet.',
      ],
      wayBack: 'Dit kan niet ongedaan worden gemaakt.',
    },
  },
}
