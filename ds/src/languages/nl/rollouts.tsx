/** The texts of the screens of rollouts in Dutch. */
import type { Texts } from '../en/catalog.ts'
import { createNumbers } from '../numbers.ts'

const { count, format } = createNumbers('nl')

export const rollouts: Texts['rollouts'] = {
  title: 'Uitrol',
  list: {
    about:
      'Een uitrol biedt een versie aan een groeiend deel van uw apparaten aan. De server zet de uitrol stop als de versie op te veel daarvan problemen geeft.',
    empty:
      'Een uitrol biedt een nieuwe versie aan een groeiend deel van uw apparaten aan en vergelijkt deze met apparaten die de versie nog niet hebben. Geeft de versie op te veel apparaten problemen, dan zet de server de uitrol stop en biedt de versie niet meer aan.',
    newLink: 'Uitrol maken',
    caption: 'Uitrol van versies, nieuwste eerst',
    columns: {
      version: 'Versie',
      state: 'Status',
      share: 'Huidig aandeel',
      reached: 'Bereikte apparaten',
      updated: 'Gewijzigd op',
      actions: 'Acties',
    },
  },
  states: {
    draft: 'Niet gestart',
    running: 'Actief',
    paused: 'Gepauzeerd',
    halted: 'Stopgezet',
    finished: 'Voltooid',
  },
  inGroup: {
    running: (share, group) =>
      `Actief. De versie wordt aan ${share} van de apparaten in de groep ${group} aangeboden.`,
    paused: (share, group) =>
      `Gepauzeerd. De versie wordt nog steeds aan ${share} van de apparaten in de groep ${group} aangeboden. De volgende fase begint pas als u de uitrol hervat.`,
  },
  inWords: {
    draft: () =>
      'Deze uitrol is nog niet gestart. De versie wordt aan geen enkel apparaat aangeboden.',
    running: (share) => `Actief. De versie wordt aan ${share} van uw apparaten aangeboden.`,
    paused: (share) =>
      `Gepauzeerd. De versie wordt nog steeds aan ${share} van uw apparaten aangeboden. De volgende fase begint pas als u de uitrol hervat.`,
    halted: () =>
      'Stopgezet. De versie wordt niet meer aangeboden. Apparaten die de versie al hebben, behouden die.',
    finished: () => 'Voltooid. De versie wordt aan alle apparaten aangeboden.',
  },
  halt: {
    byService: (time) => <>Stopgezet door de server op {time}.</>,
    byAdministrator: (who, time) => (
      <>
        Stopgezet door {who} op {time}.
      </>
    ),
    ratio: (ratio) => `De testwaarde was ${ratio}.`,
    next: (link) => (
      <>
        Bekijk de {link('fouten van de apparaten met deze versie')}. Hervat de uitrol om met
        dezelfde versie door te gaan. Wilt u de versie vervangen, registreer dan een nieuwe versie
        en maak daarvoor een uitrol.
      </>
    ),
  },
  page: {
    title: (version) => `Uitrol van versie ${version}`,
    state: 'Status',
    version: 'Versie',
    rates: 'Foutpercentages',
    ratesValue: (good, bad) => `Aanvaardbaar: ${good}, onaanvaardbaar: ${bad}`,
    editLink: 'Uitrol bewerken',
  },
  stages: {
    title: 'Fasen',
    caption: 'Fasen van de uitrol',
    stage: 'Fase',
    devices: 'Apparaten',
    share: 'Deel van de apparaten',
    hold: 'Minimale duur',
    when: 'Voortgang',
    about:
      'Deze tijden schuiven op als u de uitrol pauzeert. Een fase met meer dan 10% van uw apparaten wacht ook tot de meeste apparaten waarop de versie is geïnstalleerd, die al 5 dagen hebben. Pas dan weet de server welke apparaten niet meer synchroniseren.',
    done: 'Klaar',
    skipped: 'Overgeslagen',
    current: {
      running: 'Huidige fase.',
      paused: 'Hier gepauzeerd.',
      halted: 'Hier stopgezet.',
    },
    nextAt: (time) => <>Volgende fase op zijn vroegst: {time}</>,
    finishes: (time) => <>Einde: {time}</>,
    startsAt: (time) => <>Begin op zijn vroegst: {time}</>,
  },
  evidence: {
    title: 'Resultaten',
    test: {
      title: 'Testwaarde tussen de twee grenzen',
      good: 'Goed',
      bad: 'Stop',
      description: (ratio, good, bad) =>
        `De waarde is ${ratio}, tussen ${good} voor een goede versie en ${bad}, waarbij de uitrol wordt stopgezet.`,
      about: (ratio, good, bad) =>
        `De testwaarde is ${ratio}. De waarde stijgt met elk apparaat waarop de versie problemen geeft, en daalt met elk apparaat waarop de versie werkt. Bij ${bad} zet de server de uitrol stop. Bij ${good} geldt de versie als goed.`,
      failed: (failures, tested) =>
        `Problemen op ${failures} van ${tested} apparaten waarvan het resultaat bekend is.`,
      noControl:
        'Er zijn geen apparaten om mee te vergelijken. De server kan de uitrol in deze fase dus niet stopzetten. Controleer de fouten zelf.',
      verdicts: {
        none: 'Nog geen resultaten.',
        open: 'Er zijn te weinig resultaten om te beslissen.',
        accept: 'De versie lijkt goed.',
        halt: 'De versie geeft te vaak problemen.',
      },
    },
    table: {
      caption: 'Bereikte apparaten en vergelijkingsgroep',
      measure: 'Apparaten',
      reached: 'Bereikt',
      control: 'Vergelijkingsgroep',
      notOffered: 'Niet aangeboden',
      measures: {
        devices: 'Totaal',
        installed: 'Hebben de versie geïnstalleerd',
        successes: 'Werken',
        faults: 'Met een nieuwe fout',
        wentBack: 'Terug naar een eerdere versie',
        silent: '5 dagen niet gesynchroniseerd',
      },
      about:
        'De versie wordt niet aangeboden aan de vergelijkingsgroep. Problemen die ook daar optreden, worden de versie niet aangerekend.',
    },
  },
  course: {
    title: 'Verloop',
    about: {
      hour: 'Het totale aantal apparaten, per uur.',
      day: 'Het totale aantal apparaten aan het einde van elke dag (UTC).',
    },
    hour: 'Uur',
    devices: 'Apparaten in de loop van de tijd',
    description: (from, to, last) => `Van ${from} tot ${to}. Aan het einde: ${last}.`,
    series: {
      offered: 'Aangeboden',
      installed: 'Geïnstalleerd',
      successes: 'Werken',
      failures: 'Mislukt',
      silent: '5 dagen niet gesynchroniseerd',
    },
    ratio: 'Testwaarde in de loop van de tijd',
    ratioName: 'Testwaarde',
    ratioDescription: (from, to, ratio) =>
      `Van ${from} tot ${to}. Aan het einde is de testwaarde ${ratio}.`,
    notYet:
      'De versie is nog aan geen enkel apparaat aangeboden. De grafieken verschijnen zodra apparaten die de uitrol heeft bereikt, zijn gesynchroniseerd.',
    none: 'Geen gegevens per uur. De versie is aan geen enkel apparaat aangeboden, of de uitrol liep op een oudere versie van de server.',
  },
  acts: {
    /** Where the version lacks an installer or an allowlist. */
    force: 'Toch doorgaan',
    /** After it was halted. */
    startsOver: 'De resultaten tot nu toe vervallen en de test begint opnieuw.',
    notPossible: (state) => `Dit kan nu niet. Status van de uitrol: ${state}.`,
    start: {
      title: (version) => `Uitrol van versie ${version} starten`,
      button: 'Uitrol starten',
      effects: ['De fasen volgen elkaar op zonder verdere bevestiging.'],
      wayBack:
        'U kunt de uitrol altijd pauzeren of stopzetten. Apparaten die de versie hebben geïnstalleerd, behouden die.',
    },
    resume: {
      title: (version) => `Uitrol van versie ${version} hervatten`,
      button: 'Uitrol hervatten',
      effects: [
        'De huidige fase begint opnieuw met de volledige minimale duur. De volgende fasen volgen zonder verdere bevestiging.',
      ],
      wayBack:
        'U kunt de uitrol altijd pauzeren of stopzetten. Apparaten die de versie hebben geïnstalleerd, behouden die.',
    },
    pause: {
      title: (version) => `Uitrol van versie ${version} pauzeren`,
      button: 'Uitrol pauzeren',
      effects: [
        'De volgende fase begint niet.',
        'Apparaten waaraan de versie nu wordt aangeboden, blijven die aangeboden krijgen.',
      ],
      wayBack: 'U kunt de uitrol daarna hervatten.',
    },
    halt: {
      title: (version) => `Uitrol van versie ${version} stopzetten`,
      link: 'Stopzetten',
      button: 'Uitrol stopzetten',
      effects: [
        'Vanaf hun volgende synchronisatie krijgen apparaten de versie niet meer aangeboden.',
        'Apparaten die de versie hebben geïnstalleerd, behouden die.',
      ],
      wayBack: 'U kunt de uitrol daarna hervatten.',
    },
    finish: {
      title: (version) => `Uitrol van versie ${version} voltooien`,
      button: 'Nu voltooien',
      effects: [
        'De overige fasen worden overgeslagen. Alle apparaten krijgen de versie bij hun volgende synchronisatie aangeboden.',
        'De server let niet meer op problemen met deze versie.',
      ],
      wayBack:
        'Een voltooide uitrol kan niet worden hervat of stopgezet. Wilt u de versie niet meer aanbieden, wijzig dan de release-instellingen van de versie.',
    },
  },
  reach: {
    stages: (devices) =>
      devices === 0
        ? 'Dit heeft geen gevolgen voor apparaten.'
        : `De versie wordt fase voor fase aangeboden aan ${count(devices, 'apparaat', 'apparaten')}.`,
    first: (devices, share) =>
      devices === 0
        ? `De fase die nu begint (${share}), bereikt er mogelijk nog geen.`
        : `De fase die nu begint (${share}), bereikt er ongeveer ${format(devices)}.`,
    all: (devices) =>
      devices === 0
        ? 'Dit heeft geen gevolgen voor apparaten.'
        : `De versie wordt bij de volgende synchronisatie aangeboden aan ${count(devices, 'apparaat', 'apparaten')}.`,
    /** By saving a draft, of devices whose version is blocked. */
    held: (devices) =>
      devices === 1
        ? '1 apparaat zou nu naar deze versie worden bijgewerkt. Het wacht tot de uitrol het bereikt.'
        : `${format(devices)} apparaten zouden nu naar deze versie worden bijgewerkt. Ze wachten tot de uitrol ze bereikt.`,
    /** By removing it. */
    released: (devices) =>
      devices === 1
        ? 'Zonder de uitrol wordt 1 apparaat bij de volgende synchronisatie naar de versie bijgewerkt.'
        : `Zonder de uitrol worden ${format(devices)} apparaten bij hun volgende synchronisatie naar de versie bijgewerkt.`,
  },
  effects: {
    recommended: (version) =>
      `De connectors op deze apparaten raden een update naar versie ${version} aan.`,
    mandatory: (version) =>
      `De connectors op deze apparaten stoppen tot ze zijn bijgewerkt naar versie ${version}.`,
  },
  remove: {
    title: (version) => `Uitrol van versie ${version} verwijderen`,
    about:
      'De versie zelf blijft bestaan. Zonder uitrol gelden de release-instellingen van de versie weer voor alle apparaten.',
    /** Of one that was halted. */
    results: 'De resultaten van de uitrol worden ook verwijderd.',
    wayBack: 'Dit kan niet ongedaan worden gemaakt, maar u kunt de uitrol opnieuw maken.',
    button: 'Uitrol verwijderen',
  },
  form: {
    newTitle: 'Een uitrol maken',
    editTitle: (version) => `Uitrol van versie ${version} bewerken`,
    button: 'Uitrol opslaan',
    next: 'Met opslaan start u de uitrol nog niet. Dat doet u op de volgende pagina.',
    confirmTitle: (version) => `Versie ${version} tegenhouden`,
    wayBack: 'U kunt de uitrol bewerken of verwijderen tot u die start.',
    version: 'Versie',
    versionHint: 'Een toegestane versie die niet aanbevolen en niet vereist is.',
    noVersion:
      'Er is geen versie om uit te rollen. Een versie voor een uitrol moet toegestaan zijn, niet aanbevolen en niet vereist, en nieuwer dan de versies waarnaar uw apparaten nu worden bijgewerkt. Registreer eerst de nieuwe versie.',
    flag: 'Releasestatus',
    flags: {
      recommended: 'Aanbevolen: connectors tonen een updatemelding',
      mandatory: 'Vereist: connectors stoppen tot ze zijn bijgewerkt',
    },
    stages: {
      legend: 'Fasen',
      hint: 'Elke fase bereikt een groter deel van alle apparaten dan de vorige. De laatste bereikt 100%. De volgende fase begint na de minimale duur. Laat rijen leeg die u niet nodig hebt.',
      caption: 'Fasen op volgorde',
      stage: 'Fase',
      share: 'Deel van de apparaten (%)',
      hold: 'Minimale duur (uren)',
      devices: 'Apparaten',
      devicesOf: (stage) => `Apparaten in fase ${format(stage)}`,
      groupHint:
        'U kunt de eerste fasen beperken tot een groep. Het deel heeft dan betrekking op de apparaten van die groep.',
      shareOf: (stage) => `Deel van de apparaten in fase ${format(stage)}, in procent`,
      holdOf: (stage) => `Minimale duur van fase ${format(stage)}, in uren`,
    },
    rates: {
      summary: 'Foutpercentages',
      about:
        'De server toetst welk van de twee percentages het best bij de resultaten past. Hoe dichter ze bij elkaar liggen, hoe meer apparaten de test nodig heeft.',
      good: 'Aanvaardbaar foutpercentage',
      goodHint:
        'Een versie die op hoogstens dit deel van de apparaten problemen geeft, geldt nog als goed.',
      bad: 'Onaanvaardbaar foutpercentage',
      badHint:
        'Een versie die op dit deel van de apparaten problemen geeft, is slecht. De server zet de uitrol stop zodra de resultaten duidelijk beter bij dit percentage passen dan bij het andere.',
    },
  },
  ofVersion: {
    draft: (link) => (
      <>
        De {link('uitrol')} van deze versie is nog niet gestart. Er worden nog geen apparaten naar
        deze versie bijgewerkt.
      </>
    ),
    running: (link) => (
      <>
        Voor deze versie loopt {link('een uitrol')}. De versie wordt maar aan een deel van uw
        apparaten aangeboden.
      </>
    ),
    paused: (link) => (
      <>
        De {link('uitrol')} van deze versie is gepauzeerd. De versie wordt aan een deel van uw
        apparaten aangeboden.
      </>
    ),
    halted: (link) => (
      <>
        De {link('uitrol')} van deze versie is stopgezet. De versie wordt aan geen enkel apparaat
        aangeboden.
      </>
    ),
  },
}
