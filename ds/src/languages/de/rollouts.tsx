/** The texts of the screens of rollouts in German. */
import type { Texts } from '../en/catalog.ts'
import { createNumbers } from '../numbers.ts'

const { count, format } = createNumbers('de')

export const rollouts: Texts['rollouts'] = {
  title: 'Rollouts',
  list: {
    about:
      'Ein Rollout bietet einem wachsenden Anteil Ihrer Geräte eine Version an. Der Server stoppt ihn, wenn die Version auf zu vielen davon Fehler verursacht.',
    empty:
      'Ein Rollout bietet einem wachsenden Anteil Ihrer Geräte eine neue Version an und vergleicht diese Geräte mit Geräten, die sie noch nicht haben. Verursacht die Version auf zu vielen Geräten Fehler, stoppt der Server den Rollout und bietet die Version nicht mehr an.',
    newLink: 'Rollout erstellen',
    caption: 'Rollouts, neueste zuerst',
    columns: {
      version: 'Version',
      state: 'Status',
      share: 'Aktueller Anteil',
      reached: 'Erreichte Geräte',
      updated: 'Geändert',
      actions: 'Aktionen',
    },
  },
  states: {
    draft: 'Nicht gestartet',
    running: 'Läuft',
    paused: 'Pausiert',
    halted: 'Gestoppt',
    finished: 'Abgeschlossen',
  },
  inGroup: {
    running: (share, group) =>
      `Läuft. Die Version wird ${share} der Geräte in der Gruppe ${group} angeboten.`,
    paused: (share, group) =>
      `Pausiert. Die Version wird weiterhin ${share} der Geräte in der Gruppe ${group} angeboten. Die nächste Stufe beginnt erst, wenn Sie den Rollout fortsetzen.`,
  },
  inWords: {
    draft: () =>
      'Dieser Rollout wurde noch nicht gestartet. Keinem Gerät wird die Version angeboten.',
    running: (share) => `Läuft. Die Version wird ${share} Ihrer Geräte angeboten.`,
    paused: (share) =>
      `Pausiert. Die Version wird weiterhin ${share} Ihrer Geräte angeboten. Die nächste Stufe beginnt erst, wenn Sie den Rollout fortsetzen.`,
    halted: () =>
      'Gestoppt. Die Version wird nicht mehr angeboten. Geräte, die sie haben, behalten sie.',
    finished: () => 'Abgeschlossen. Die Version wird allen Geräten angeboten.',
  },
  halt: {
    byService: (time) => <>Vom Server am {time} gestoppt.</>,
    byAdministrator: (who, time) => (
      <>
        Gestoppt von {who} am {time}.
      </>
    ),
    ratio: (ratio) => `Der Testwert betrug ${ratio}.`,
    next: (link) => (
      <>
        Prüfen Sie die {link('Fehler der Geräte, die diese Version haben')}. Um mit derselben
        Version weiterzumachen, setzen Sie den Rollout fort. Um sie zu ersetzen, registrieren Sie
        eine neue Version und erstellen Sie dafür einen Rollout.
      </>
    ),
  },
  page: {
    title: (version) => `Rollout der Version ${version}`,
    state: 'Status',
    version: 'Version',
    rates: 'Fehlerquoten',
    ratesValue: (good, bad) => `Akzeptabel: ${good}, inakzeptabel: ${bad}`,
    editLink: 'Rollout bearbeiten',
  },
  stages: {
    title: 'Stufen',
    caption: 'Stufen des Rollouts',
    stage: 'Stufe',
    devices: 'Geräte',
    share: 'Anteil der Geräte',
    hold: 'Mindestdauer',
    when: 'Fortschritt',
    about:
      'Wenn Sie den Rollout pausieren, verschieben sich diese Zeiten nach hinten. Eine Stufe mit mehr als 10 % Ihrer Geräte wartet außerdem, bis die meisten Geräte mit der Version sie seit 5 Tagen haben. Erst dann weiß der Server, welche sich nicht mehr synchronisieren.',
    done: 'Erledigt',
    skipped: 'Übersprungen',
    current: {
      running: 'Aktuelle Stufe.',
      paused: 'Hier pausiert.',
      halted: 'Hier gestoppt.',
    },
    nextAt: (time) => <>Nächste Stufe frühestens: {time}</>,
    finishes: (time) => <>Abschluss: {time}</>,
    startsAt: (time) => <>Beginn frühestens: {time}</>,
  },
  evidence: {
    title: 'Ergebnisse',
    test: {
      title: 'Testwert zwischen seinen beiden Grenzen',
      good: 'Gut',
      bad: 'Stopp',
      description: (ratio, good, bad) =>
        `Der Wert beträgt ${ratio}. Er liegt zwischen ${good} für eine gute Version und ${bad}, bei dem der Rollout gestoppt wird.`,
      about: (ratio, good, bad) =>
        `Der Testwert beträgt ${ratio}. Er steigt mit jedem Gerät, auf dem die Version Fehler verursacht, und sinkt mit jedem, auf dem sie funktioniert. Bei ${bad} stoppt der Server den Rollout. Bei ${good} gilt die Version als gut.`,
      failed: (failures, tested) =>
        `Fehler auf ${failures} von ${tested} Geräten, für die es ein Ergebnis gibt.`,
      noControl:
        'Es gibt keine Geräte zum Vergleich, deshalb kann der Server den Rollout in dieser Stufe nicht stoppen. Prüfen Sie die Fehler selbst.',
      verdicts: {
        none: 'Noch keine Ergebnisse.',
        open: 'Für eine Entscheidung gibt es noch zu wenige Ergebnisse.',
        accept: 'Die Version scheint gut zu sein.',
        halt: 'Die Version verursacht zu oft Fehler.',
      },
    },
    table: {
      caption: 'Erreichte Geräte und Vergleichsgruppe',
      measure: 'Geräte',
      reached: 'Erreicht',
      control: 'Vergleichsgruppe',
      notOffered: 'Nicht angeboten',
      measures: {
        devices: 'Insgesamt',
        installed: 'Haben die Version installiert',
        successes: 'Funktionieren',
        faults: 'Mit neuem Fehler',
        wentBack: 'Zu einer früheren Version zurückgekehrt',
        silent: 'Seit 5 Tagen nicht synchronisiert',
      },
      about:
        'Der Vergleichsgruppe wird die Version nicht angeboten. Probleme, die auch dort auftreten, werden der Version nicht angelastet.',
    },
  },
  course: {
    title: 'Verlauf',
    about: {
      hour: 'Gesamtzahl der Geräte nach jeder Stunde.',
      day: 'Gesamtzahl der Geräte am Ende jedes Tages (UTC).',
    },
    hour: 'Stunde',
    devices: 'Geräte im Zeitverlauf',
    description: (from, to, last) => `Vom ${from} bis zum ${to}. Am Ende: ${last}.`,
    series: {
      offered: 'Angeboten',
      installed: 'Installiert',
      successes: 'Funktionieren',
      failures: 'Mit Fehlern',
      silent: 'Seit 5 Tagen nicht synchronisiert',
    },
    ratio: 'Testwert im Zeitverlauf',
    ratioName: 'Testwert',
    ratioDescription: (from, to, ratio) =>
      `Vom ${from} bis zum ${to}. Am Ende beträgt der Testwert ${ratio}.`,
    notYet:
      'Die Version wurde noch keinem Gerät angeboten. Die Diagramme erscheinen, sobald sich Geräte synchronisieren, die der Rollout erreicht.',
    none: 'Keine Daten nach Stunden. Die Version wurde keinem Gerät angeboten, oder der Rollout lief mit einer älteren Version des Servers.',
  },
  acts: {
    /** Where the version lacks an installer or an allowlist. */
    force: 'Trotzdem fortfahren',
    /** After it was halted. */
    startsOver: 'Die bisherigen Ergebnisse werden verworfen, und der Test beginnt von vorn.',
    notPossible: (state) => `Das ist jetzt nicht möglich. Status des Rollouts: ${state}.`,
    start: {
      title: (version) => `Rollout der Version ${version} starten`,
      button: 'Rollout starten',
      effects: ['Die Stufen beginnen nacheinander, ohne weitere Bestätigung.'],
      wayBack:
        'Sie können den Rollout jederzeit pausieren oder stoppen. Geräte, die die Version installiert haben, behalten sie.',
    },
    resume: {
      title: (version) => `Rollout der Version ${version} fortsetzen`,
      button: 'Rollout fortsetzen',
      effects: [
        'Die aktuelle Stufe beginnt erneut mit ihrer vollen Mindestdauer. Die nächsten Stufen folgen ohne weitere Bestätigung.',
      ],
      wayBack:
        'Sie können den Rollout jederzeit pausieren oder stoppen. Geräte, die die Version installiert haben, behalten sie.',
    },
    pause: {
      title: (version) => `Rollout der Version ${version} pausieren`,
      button: 'Rollout pausieren',
      effects: [
        'Die nächste Stufe beginnt nicht.',
        'Geräte, denen die Version jetzt angeboten wird, bekommen sie weiterhin angeboten.',
      ],
      wayBack: 'Sie können den Rollout danach fortsetzen.',
    },
    halt: {
      title: (version) => `Rollout der Version ${version} stoppen`,
      link: 'Stoppen',
      button: 'Rollout stoppen',
      effects: [
        'Die Version wird den Geräten ab der nächsten Synchronisierung nicht mehr angeboten.',
        'Geräte, die die Version installiert haben, behalten sie.',
      ],
      wayBack: 'Sie können den Rollout danach fortsetzen.',
    },
    finish: {
      title: (version) => `Rollout der Version ${version} abschließen`,
      button: 'Jetzt abschließen',
      effects: [
        'Die übrigen Stufen werden übersprungen. Allen Geräten wird die Version bei der nächsten Synchronisierung angeboten.',
        'Der Server achtet nicht mehr auf Fehler dieser Version.',
      ],
      wayBack:
        'Ein abgeschlossener Rollout kann nicht fortgesetzt oder gestoppt werden. Um die Version nicht mehr anzubieten, ändern Sie ihre Freigabeeinstellungen.',
    },
  },
  reach: {
    stages: (devices) =>
      devices === 0
        ? 'Es sind keine Geräte betroffen.'
        : `Die Version wird nach und nach ${count(devices, 'Gerät', 'Geräten')} angeboten.`,
    first: (devices, share) =>
      devices === 0
        ? `Die Stufe, die jetzt beginnt (${share}), erreicht möglicherweise noch keines davon.`
        : `Die Stufe, die jetzt beginnt (${share}), erreicht etwa ${format(devices)} davon.`,
    all: (devices) =>
      devices === 0
        ? 'Es sind keine Geräte betroffen.'
        : `Die Version wird ${count(devices, 'Gerät', 'Geräten')} bei der nächsten Synchronisierung angeboten.`,
    /** By saving a draft, of devices whose version is blocked. */
    held: (devices) =>
      devices === 1
        ? '1 Gerät würde jetzt auf diese Version aktualisiert. Es wartet, bis der Rollout es erreicht.'
        : `${format(devices)} Geräte würden jetzt auf diese Version aktualisiert. Sie warten, bis der Rollout sie erreicht.`,
    /** By removing it. */
    released: (devices) =>
      devices === 1
        ? 'Ohne den Rollout wird 1 Gerät bei der nächsten Synchronisierung auf die Version aktualisiert.'
        : `Ohne den Rollout werden ${format(devices)} Geräte bei der nächsten Synchronisierung auf die Version aktualisiert.`,
  },
  effects: {
    recommended: (version) =>
      `Die Connectors auf diesen Geräten empfehlen ein Update auf Version ${version}.`,
    mandatory: (version) =>
      `Die Connectors auf diesen Geräten werden beendet und laufen erst nach einem Update auf Version ${version} wieder.`,
  },
  remove: {
    title: (version) => `Rollout der Version ${version} entfernen`,
    about:
      'Die Version selbst bleibt erhalten. Ohne Rollout gelten ihre Freigabeeinstellungen wieder für alle Geräte.',
    /** Of one that was halted. */
    results: 'Seine Ergebnisse werden ebenfalls entfernt.',
    wayBack:
      'Das kann nicht rückgängig gemacht werden, aber Sie können den Rollout erneut erstellen.',
    button: 'Rollout entfernen',
  },
  form: {
    newTitle: 'Rollout erstellen',
    editTitle: (version) => `Rollout der Version ${version} bearbeiten`,
    button: 'Rollout speichern',
    next: 'Der Rollout wird durch das Speichern nicht gestartet. Sie starten ihn auf der nächsten Seite.',
    confirmTitle: (version) => `Version ${version} zurückhalten`,
    wayBack: 'Bis Sie den Rollout starten, können Sie ihn bearbeiten oder entfernen.',
    version: 'Version',
    versionHint: 'Eine freigegebene Version, die weder empfohlen noch erforderlich ist.',
    noVersion:
      'Es gibt keine Version für einen Rollout. Eine Version für einen Rollout muss freigegeben sein und darf weder empfohlen noch erforderlich sein. Außerdem muss sie neuer sein als die Versionen, auf die Ihre Geräte jetzt aktualisiert werden. Registrieren Sie zuerst die neue Version.',
    flag: 'Freigabestatus',
    flags: {
      recommended: 'Empfohlen: Connectors weisen auf das Update hin',
      mandatory: 'Erforderlich: Connectors werden beendet und laufen erst nach dem Update wieder',
    },
    stages: {
      legend: 'Stufen',
      hint: 'Jede Stufe erreicht einen größeren Anteil aller Geräte als die vorherige. Die letzte erreicht 100\u00a0%. Nach der Mindestdauer beginnt die nächste Stufe. Lassen Sie Zeilen leer, die Sie nicht benötigen.',
      caption: 'Stufen der Reihe nach',
      stage: 'Stufe',
      share: 'Anteil der Geräte (%)',
      hold: 'Mindestdauer (Stunden)',
      devices: 'Geräte',
      devicesOf: (stage) => `Geräte in Stufe ${format(stage)}`,
      groupHint:
        'Sie können die ersten Stufen auf eine Gruppe beschränken. Der Anteil bezieht sich dann auf die Geräte dieser Gruppe.',
      shareOf: (stage) => `Anteil der Geräte in Stufe ${format(stage)}, in Prozent`,
      holdOf: (stage) => `Mindestdauer von Stufe ${format(stage)}, in Stunden`,
    },
    rates: {
      summary: 'Fehlerquoten',
      about:
        'Der Server prüft, welche der beiden Quoten besser zu den Ergebnissen passt. Je näher sie beieinander liegen, desto mehr Geräte braucht der Test.',
      good: 'Akzeptable Fehlerquote (%)',
      goodHint:
        'Eine Version gilt noch als gut, wenn sie auf höchstens diesem Anteil der Geräte Fehler verursacht.',
      bad: 'Inakzeptable Fehlerquote (%)',
      badHint:
        'Eine Version, die auf diesem Anteil der Geräte Fehler verursacht, ist schlecht. Der Server stoppt den Rollout, sobald die Ergebnisse deutlich besser zu dieser Quote passen als zur anderen.',
    },
  },
  ofVersion: {
    draft: (link) => (
      <>
        Für diese Version gibt es {link('einen Rollout')}, der noch nicht gestartet wurde. Noch wird
        kein Gerät auf sie aktualisiert.
      </>
    ),
    running: (link) => (
      <>
        Für diese Version läuft {link('ein Rollout')}. Sie wird nur einem Teil Ihrer Geräte
        angeboten.
      </>
    ),
    paused: (link) => (
      <>
        Für diese Version gibt es {link('einen Rollout')}, der pausiert ist. Sie wird einem Teil
        Ihrer Geräte angeboten.
      </>
    ),
    halted: (link) => (
      <>
        Für diese Version gibt es {link('einen Rollout')}, der gestoppt wurde. Sie wird keinem Gerät
        angeboten.
      </>
    ),
  },
}
