/** The texts of dialogs and notices in German. */
import type { Catalog } from '../en/catalog.ts'
import { createCount, range } from '../numbers.ts'

const count = createCount('de')

export const dialogs: Catalog['dialogs'] = {
  program: 'Ein Programm auf diesem Computer',
  card: (name) => `Karte: ${name}`,
  reader: (name) => `Kartenleser: ${name}`,
  cancel: 'Abbrechen',
  close: 'Schließen',
  cards: {
    piv: 'PIV-Karte',
    beid: 'Belgischer Personalausweis',
    openpgp: 'OpenPGP-Karte',
    emv: 'Zahlungskarte',
  },
  pin: {
    purpose: {
      check: (who) => `${who} möchte Ihre PIN prüfen.`,
      authenticate: (who) =>
        `${who} bittet Sie, sich anzumelden. Dabei geben Sie Ihren Namen und Ihr Zertifikat weiter.`,
      sign: (who) => `${who} bittet um Ihre Unterschrift.`,
    },
    tries: (left) =>
      left === 1 ? 'Das ist Ihr letzter Versuch.' : `Noch ${count(left, 'Versuch', 'Versuche')}.`,
    signatures: (made) =>
      `Ihre PIN wird für ${count(made, 'Unterschrift', 'Unterschriften')} verwendet.`,
    typeAtReader: (times) =>
      `Geben Sie Ihre PIN auf dem Tastenfeld des Kartenlesers ein.${times > 1 ? ` Der Kartenleser fragt ${times}-mal danach, einmal für jede Unterschrift.` : ''}`,
    kept: (signatures, seconds) =>
      `Ihre PIN wird ohne erneute Abfrage für bis zu ${count(signatures, 'Unterschrift', 'Unterschriften')} verwendet. Nach ${count(seconds, 'Sekunde', 'Sekunden')} ohne Unterschrift fragt Cardwire erneut nach der PIN.`,
    checkOnly: 'Die PIN wird nur geprüft. Zum Unterschreiben geben Sie sie noch einmal ein.',
    wrongForm: (min, max, digits) =>
      `Die PIN dieser Karte hat ${range(min, max, 'bis')} ${digits ? 'Ziffern' : 'Zeichen'}.`,
    prompt: 'PIN:',
    submit: { check: 'Prüfen', authenticate: 'Anmelden', sign: 'Unterschreiben' },
    attempt: {
      reasons: {
        last: 'Das ist Ihr letzter Versuch. Wenn die PIN falsch ist, wird sie gesperrt.',
        refused: 'Die zuletzt eingegebene PIN war falsch.',
        early:
          'Sie haben getippt, bevor das PIN-Fenster bereit war. Ihre Eingabe wurde deshalb nicht verwendet.',
      },
      question: 'Möchten Sie fortfahren?',
      accept: 'Fortfahren',
    },
  },
  key: {
    purposes: {
      sign: (who) => `${who} bittet um Ihre Unterschrift mit einem Zertifikat auf diesem Computer.`,
      authenticate: (who) =>
        `${who} bittet Sie, sich mit einem Zertifikat auf diesem Computer anzumelden. Dabei geben Sie Ihren Namen und das Zertifikat weiter.`,
      check: (who) =>
        `${who} möchte prüfen, ob ein Zertifikat auf diesem Computer funktioniert. Es wird nichts unterschrieben.`,
    },
    certificate: (name) => `Zertifikat: ${name}`,
    issuer: (name) => `Ausgestellt von: ${name}`,
    question: 'Einmal erlauben?',
    accept: 'Erlauben',
    refuse: 'Nicht erlauben',
  },
  identity: {
    purpose: (who) => `${who} möchte Ihre Identitätsdaten lesen.`,
    data: (what: string) => `Auf Ihrer Karte: ${what}.`,
    holder: {
      biometric:
        'Name, Geschlecht, Geburtsdatum und -ort, Nationalität, National- und Kartennummer, Titel, Status',
      address: 'Adresse',
      picture: 'Foto',
      payment: 'Name, Kartennummer, Land, Sprache und Gültigkeitsdauer',
    },
    and: (first: string, last: string) => `${first} und ${last}`,
    untilRevoked:
      'Diese Website kann dann jede Karte dieser Art ohne Nachfrage lesen, bis die Zustimmung abläuft oder widerrufen wird.',
    once: 'Das Programm kann die Karte dann einmal lesen.',
    question: 'Diese Daten freigeben?',
    accept: 'Freigeben',
    refuse: 'Nicht freigeben',
  },
  folder: {
    title: (origin) => `${origin}: Ordner wählen`,
    purpose: (origin) => `${origin} kann dann Dateien in diesem Ordner lesen und schreiben:`,
    extent:
      'Das gilt auch für alle Unterordner. Die Website kann Dateien auch umbenennen und verschieben, aber nicht überschreiben oder löschen. Der Zugriff endet, wenn die Zustimmung der Website abläuft oder widerrufen wird.',
    question: 'Zugriff erlauben?',
    accept: 'Erlauben',
    refuse: 'Nicht erlauben',
    unsuitable:
      'Websites können diesen Ordner nicht verwenden, weil er Einstellungen, Programme oder alle Ihre Dateien enthalten kann.',
    choose: 'Anderen Ordner wählen',
  },
  notifications: {
    consent: (origin) =>
      `${origin} kann jetzt Ihre Kartenleser verwenden. In Cardwire können Sie den Zugriff widerrufen.`,
    fileWritten: (origin, name) => `${origin} hat die Datei ${name} gespeichert`,
    fileRead: (origin, name) => `${origin} hat die Datei ${name} gelesen`,
  },
  verdict: {
    canBeUpdated: 'Für Cardwire ist ein Update verfügbar',
    mustBeUpdated: 'Cardwire muss aktualisiert werden',
    recommend: (version) =>
      `Sie verwenden Cardwire ${version}. Ihre Organisation empfiehlt eine andere Version.`,
    require: (version) =>
      `Cardwire ${version} ist zu alt und wird jetzt beendet. Ihre Organisation verlangt eine andere Version.`,
    stop: (version) =>
      `Ihre Organisation hat Cardwire ${version} gesperrt. Cardwire wird jetzt beendet.`,
    install: (version) => `${version} installieren`,
    canBeInstalled: (version) =>
      `Sie können Version ${version} jetzt installieren. Dafür sind Administratorrechte nötig.`,
    askAdministrator: 'Bitten Sie Ihren Administrator um das Update.',
  },
  update: {
    title: 'Cardwire-Update',
    accept: 'Installieren',
    unmanaged:
      'Cardwire ist mit keiner Organisation verbunden. Updates erhalten Sie auf demselben Weg wie Cardwire selbst.',
    unregistered:
      'Dieser Computer ist nicht bei Ihrer Organisation registriert. Starten Sie Cardwire. Wenn das nicht hilft, wenden Sie sich an Ihren Administrator.',
    unanswered: (reason) =>
      `Der Server Ihrer Organisation hat nicht mitgeteilt, welche Version vorgesehen ist. Versuchen Sie es später erneut oder wenden Sie sich an Ihren Administrator. Details für Ihren Administrator (auf Englisch): ${reason}`,
    unknown:
      'Ob es eine neuere Version gibt, ist noch nicht bekannt. Versuchen Sie es später erneut.',
    current: (version) => `Cardwire ist auf dem neuesten Stand (Version ${version}).`,
    missing:
      'Für diesen Computer gibt es kein Installationsprogramm. Wenden Sie sich an Ihren Administrator.',
    verdict: {
      recommend: (version) =>
        `Sie verwenden Version ${version}. Ihre Organisation empfiehlt eine andere.`,
      require: (version) =>
        `Version ${version} ist zu alt. Ihre Organisation verlangt eine andere.`,
      stop: (version) => `Ihre Organisation hat Version ${version} gesperrt.`,
    },
    downloading: (version) => `Version ${version} wird heruntergeladen`,
    withoutDigest:
      'Cardwire kann das Installationsprogramm nicht prüfen, weil Ihre Organisation die Daten für diese Prüfung nicht veröffentlicht hat. Fragen Sie im Zweifel zuerst Ihren Administrator',
    older: (version) => `Die angebotene Version ist älter als Ihre (${version})`,
    question: (version) => `Version ${version} jetzt installieren?`,
    nothing: 'Es wurde nichts installiert.',
    failed: (reason) =>
      `Es wurde nichts installiert. Versuchen Sie es erneut oder wenden Sie sich an Ihren Administrator. (${reason})`,
    withoutInstaller: (path) =>
      `Dieser Computer kann das Update nicht installieren. Bitten Sie Ihren Administrator, diese Datei zu installieren: ${path}`,
    needsAdministrator: (command) =>
      `Ein Administrator muss die Version mit diesem Befehl installieren: ${command}`,
    installed: (version) => `Version ${version} ist installiert.`,
    otherInstalled: (version) =>
      `Das Update wurde nicht wirksam. Installiert ist Version ${version}. Wenden Sie sich an Ihren Administrator.`,
    ended: (status) =>
      `Die Installation ist mit Status ${status} fehlgeschlagen. Versuchen Sie es erneut. Wenn das nicht hilft, nennen Sie Ihrem Administrator diese Zahl.`,
  },
}
