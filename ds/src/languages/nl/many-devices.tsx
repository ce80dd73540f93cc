/** The texts of changes of many devices in Dutch. */
import type { Texts } from '../en/catalog.ts'
import { createNumbers } from '../numbers.ts'
import { describeEvery } from './every.ts'

const { count, format } = createNumbers('nl')

export const manyDevices: Texts['manyDevices'] = {
  matching: 'Deze apparaten wijzigen',
  all: 'Alle apparaten wijzigen',
  changes: {
    approve: {
      title: 'Apparaten goedkeuren',
      running: 'Apparaten worden goedgekeurd',
      effects: () => [
        'Heeft de versie van een apparaat een keystore, dan ontvangt het apparaat die bij de volgende synchronisatie, samen met het wachtwoord.',
      ],
      wayBack:
        'Dit kan niet ongedaan worden gemaakt. Ook als u de apparaten later blokkeert of verwijdert, blijft de keystore erop staan.',
      done: (devices) => count(devices, 'apparaat is goedgekeurd.', 'apparaten zijn goedgekeurd.'),
    },
    block: {
      title: 'Apparaten blokkeren',
      running: 'Apparaten worden geblokkeerd',
      effects: (cycle) => [
        'De server weigert daarna elk verzoek van de apparaten. Gebruiksgegevens blijven op de apparaten staan.',
        `De apparaten proberen minstens ${describeEvery(cycle)} verbinding te maken. Bij de volgende poging van een apparaat verliezen websites de toegang tot de kaartlezers van dat apparaat.`,
      ],
      wayBack:
        'Tot 30 dagen na het blokkeren kunt u precies deze apparaten weer deblokkeren via ‘Bulkwijzigingen’.',
      done: (devices) => count(devices, 'apparaat is geblokkeerd.', 'apparaten zijn geblokkeerd.'),
    },
    unblock: {
      title: 'Apparaten deblokkeren',
      running: 'Apparaten worden gedeblokkeerd',
      effects: (cycle) => [
        `De apparaten kunnen weer verbinding maken. Elk apparaat doet dat binnen ${cycle} en verzendt dan de gebruiksgegevens die het heeft bewaard.`,
      ],
      wayBack:
        'Tot 30 dagen na het deblokkeren kunt u precies deze apparaten weer blokkeren via ‘Bulkwijzigingen’.',
      done: (devices) =>
        count(devices, 'apparaat is gedeblokkeerd.', 'apparaten zijn gedeblokkeerd.'),
    },
    sync: {
      title: 'Apparaten nu synchroniseren',
      running: 'Apparaten worden gevraagd om te synchroniseren',
      effects: (cycle) => [
        `Apparaten die een verbinding openhouden, synchroniseren een voor een, meestal binnen een minuut. Alle andere synchroniseren zoals gewoonlijk binnen ${cycle}.`,
        'Geblokkeerde apparaten kunnen niet synchroniseren en worden overgeslagen.',
      ],
      wayBack: 'Verder verandert er niets.',
      done: (devices) =>
        count(
          devices,
          'apparaat is gevraagd om te synchroniseren.',
          'apparaten zijn gevraagd om te synchroniseren.',
        ),
    },
    addTags: {
      title: 'Tags toevoegen',
      running: 'Tags worden toegevoegd',
      effects: () => [
        'Elk apparaat behoudt ook zijn huidige tags.',
        'Door de tags kan veranderen in welke groepen een apparaat zit. Het apparaat past dit toe bij de volgende synchronisatie.',
      ],
      wayBack:
        'Tot 30 dagen na de wijziging kunt u dit ongedaan maken via ‘Bulkwijzigingen’. Elk apparaat krijgt dan precies de tags die het had.',
      done: (devices) =>
        count(devices, 'apparaat heeft nieuwe tags.', 'apparaten hebben nieuwe tags.'),
    },
    removeTags: {
      title: 'Tags verwijderen',
      running: 'Tags worden verwijderd',
      effects: () => [
        'Elk apparaat behoudt zijn andere tags, ook die het zelf meldt.',
        'Door de tags kan veranderen in welke groepen een apparaat zit. Het apparaat past dit toe bij de volgende synchronisatie.',
      ],
      wayBack:
        'Tot 30 dagen na de wijziging kunt u dit ongedaan maken via ‘Bulkwijzigingen’. Elk apparaat krijgt dan precies de tags die het had.',
      done: (devices) =>
        count(devices, 'apparaat heeft minder tags.', 'apparaten hebben minder tags.'),
    },
    restoreTags: {
      title: 'Tags terugzetten',
      running: 'Tags worden teruggezet',
      effects: () => [
        'Elk apparaat krijgt precies de tags die het vóór de wijziging had.',
        'Door de tags kan veranderen in welke groepen een apparaat zit. Het apparaat past dit toe bij de volgende synchronisatie.',
      ],
      wayBack:
        'Tot 30 dagen na de wijziging kunt u dit ongedaan maken via ‘Bulkwijzigingen’. Elk apparaat krijgt dan precies de tags die het had.',
      done: (devices) =>
        count(
          devices,
          'apparaat heeft zijn eerdere tags terug.',
          'apparaten hebben hun eerdere tags terug.',
        ),
    },
    importTags: {
      title: 'Tags importeren',
      running: 'Tags worden geïmporteerd',
      effects: () => [
        'Elk apparaat krijgt precies de tags uit zijn rij. Tags die apparaten zelf melden, veranderen niet.',
        'Door de tags kan veranderen in welke groepen een apparaat zit. Het apparaat past dit toe bij de volgende synchronisatie.',
      ],
      wayBack:
        'Tot 30 dagen na de wijziging kunt u dit ongedaan maken via ‘Bulkwijzigingen’. Elk apparaat krijgt dan precies de tags die het had.',
      done: (devices) =>
        count(
          devices,
          'apparaat heeft de tags uit zijn rij.',
          'apparaten hebben de tags uit hun rij.',
        ),
    },
    remove: {
      title: 'Apparaten verwijderen',
      running: 'Apparaten worden verwijderd',
      effects: () => [
        'De apparaten en hun logboeken worden verwijderd. Gebruiksgegevens die al zijn verzonden, blijven bewaard.',
        'Apparaten met een actieve connector en een geldige installatiesleutel registreren zich opnieuw als nieuw apparaat, ook als ze nu geblokkeerd zijn. Wilt u dat voorkomen, blokkeer ze dan en verwijder ze niet.',
      ],
      wayBack: 'Dit kan niet ongedaan worden gemaakt.',
      done: (devices) => count(devices, 'apparaat is verwijderd.', 'apparaten zijn verwijderd.'),
    },
  },
  reach: (devices) =>
    devices === 0
      ? 'Er worden geen apparaten gewijzigd.'
      : count(devices, 'apparaat wordt gewijzigd.', 'apparaten worden gewijzigd.'),
  left: (devices) =>
    count(
      devices,
      'apparaat blijft zoals het is, omdat het later opnieuw is gewijzigd.',
      'apparaten blijven zoals ze zijn, omdat ze later opnieuw zijn gewijzigd.',
    ),
  changedSince: (devices) =>
    count(
      devices,
      'apparaat is later opnieuw gewijzigd of verwijderd.',
      'apparaten zijn later opnieuw gewijzigd of verwijderd.',
    ),
  /** Of a change of tags. */
  tags: {
    tagsHint: (most) =>
      `Gescheiden door komma’s, maximaal ${most}. Toegestaan zijn kleine letters, cijfers en . _ : -`,
    wrong: 'Voer tags in, gescheiden door komma’s.',
    nextButton: 'Doorgaan',
    refused: (devices) =>
      count(
        devices,
        'apparaat houdt zijn tags, omdat het er anders meer dan 32 zou hebben.',
        'apparaten houden hun tags, omdat ze er anders meer dan 32 zouden hebben.',
      ),
    others: (devices) => count(devices, 'ander apparaat', 'andere apparaten'),
    noGroups: 'De groepen van de apparaten veranderen niet.',
    groups: {
      caption: 'Groepen die veranderen',
      group: 'Groep',
      entering: 'Nieuwe apparaten in de groep',
      uncounted: 'Niet geteld',
      leaving: 'Apparaten die de groep verlaten',
    },
  },
  import: {
    title: 'Tags importeren uit een spreadsheet',
    about:
      'Elk apparaat krijgt de tags uit zijn rij. Die vervangen de huidige tags. U kunt de wijzigingen controleren voordat u ze bevestigt.',
    columns: (tags, id, hostname) => (
      <>
        De kopregel moet de kolom {tags} bevatten, en {id} of {hostname}. Heeft een rij een ID, dan
        wordt de hostnaam genegeerd. Andere kolommen worden ook genegeerd.
      </>
    ),
    cells: 'Zet alle tags in één cel, gescheiden door spaties. Een lege cel verwijdert alle tags.',
    export: (link) => (
      <>
        Wilt u alle tags in een spreadsheet bewerken, {link('download dan de apparaten als CSV')}.
      </>
    ),
    limit: (rows) => `Het bestand kan maximaal ${format(rows)} rijen hebben.`,
    read: 'Bestand controleren',
    file: 'CSV-bestand',
    pasted: 'Of rijen plakken',
    pastedHint: (characters) =>
      `Kopieer de rijen uit uw spreadsheet, inclusief de kopregel, tot ${format(characters)} tekens.`,
    readPasted: 'Rijen controleren',
    wrongFile:
      'De server kan dit bestand niet lezen. Het moet een CSV-bestand in UTF-8 zijn. De kopregel moet de kolom ‘tags’ bevatten, en ‘id’ of ‘hostname’.',
    wrongRows:
      'De server kan deze rijen niet lezen. De kopregel moet de kolom ‘tags’ bevatten, en ‘id’ of ‘hostname’.',
    noRows: 'Plak eerst rijen.',
    tooLong: (characters) =>
      `Deze rijen zijn te lang. Plak hooguit ${format(characters)} tekens of kies een bestand.`,
    other: 'Andere tags importeren',
    devices: 'Apparaten in geïmporteerde rijen',
    rows: 'Rijen',
    unchanged: 'Apparaten die deze tags al hebben',
    changes: {
      caption: 'Wat er verandert',
      added: 'Toegevoegde tags',
      removed: 'Verwijderde tags',
      devices: 'Apparaten',
    },
    unknown: (devices) => count(devices, 'apparaat is onbekend.', 'apparaten zijn onbekend.'),
    ambiguous: (names) =>
      count(
        names,
        'hostnaam hoort bij meerdere apparaten. Gebruik hun ID’s.',
        'hostnamen horen bij meerdere apparaten. Gebruik hun ID’s.',
      ),
    faulty: (rows) => count(rows, 'rij wordt overgeslagen.', 'rijen worden overgeslagen.'),
    line: (line, fault) => `Regel ${format(line)}: ${fault}`,
    faults: {
      cells: 'er ontbreekt een cel',
      device: 'apparaat-ID en hostnaam ontbreken',
      tags: 'sommige tags zijn ongeldig',
      'too-many': 'meer dan 32 tags',
      repeated: 'het apparaat staat in een eerdere rij',
    },
    others: (more) => `en nog ${format(more)}`,
  },
  largest: 'De tabel toont alleen de grootste groepen.',
  progress: {
    done: (done, reach) => `${format(done)} van ${format(reach)} apparaten verwerkt.`,
    next: 'Klik op ‘Doorgaan’ tot alle apparaten zijn verwerkt.',
    stays:
      'Als u hier stopt, blijven de wijzigingen tot nu toe behouden. U kunt later verdergaan via ‘Bulkwijzigingen’.',
    stop: 'Hier stoppen',
    rest: 'De overige apparaten zijn niet gewijzigd.',
    button: 'Doorgaan',
  },
  changeFilters: 'Filters wijzigen',
  show: 'Deze apparaten tonen',
  undo: 'Ongedaan maken',
  /** When the access of the devices ends at the latest. */
  access: {
    block: {
      until: (at) => (
        <>
          Bereikt een apparaat de server niet meer, dan kunnen websites de kaartlezers nog gebruiken
          tot uiterlijk {at}. Dan is het beleid van het apparaat verlopen.
        </>
      ),
      forever:
        'Bereikt een apparaat de server niet meer, dan kunnen websites de kaartlezers blijven gebruiken, omdat het beleid van het apparaat niet verloopt. Stel DS_POLICY_MAX_AGE in om dat te wijzigen.',
    },
    remove: {
      until: (at) => (
        <>
          Websites kunnen de kaartlezers van de apparaten uiterlijk tot {at} gebruiken. Dan is het
          beleid van alle apparaten verlopen.
        </>
      ),
      forever:
        'Websites kunnen de kaartlezers van de apparaten blijven gebruiken, omdat het beleid van de apparaten niet verloopt. Stel DS_POLICY_MAX_AGE in om dat te wijzigen.',
    },
  },
  /** Which devices, in words. */
  filter: {
    all: 'Alle apparaten',
    hostname: 'Hostnaam',
    open: 'Niet geblokkeerd',
    approved: 'Goedgekeurd',
    seenBefore: (at) => <>Laatst gezien vóór {at}</>,
    seenAfter: (at) => <>Laatst gezien na {at}</>,
    changedBy: (link) => <>{link('Apparaten van een eerdere wijziging')}</>,
  },
  list: {
    title: 'Bulkwijzigingen',
    about:
      'De wijzigingen van de afgelopen 30 dagen. Een wijziging die is gestopt, kunt u hier hervatten. Blokkeren, deblokkeren en wijzigingen van tags kunt u hier ook ongedaan maken.',
    empty: 'Geen bulkwijzigingen in de afgelopen 30 dagen.',
    caption: 'Wijzigingen, nieuwste eerst',
    columns: {
      time: 'Tijdstip',
      change: 'Wijziging',
      devices: 'Apparaten',
      progress: 'Voortgang',
      who: 'Wie',
      actions: 'Acties',
    },
    progress: (done, reach) => `${format(done)} van ${format(reach)}`,
    changedSince: (devices) => `${format(devices)} later opnieuw gewijzigd`,
    finished: 'Voltooid',
    incomplete: 'Niet voltooid',
    final: 'Kan niet ongedaan worden gemaakt',
    show: 'Deze wijziging tonen',
  },
}
