/** The texts of dialogs and notices in German. */
import type { Catalog } from '../en/catalog.ts'
import { createCount, range } from '../numbers.ts'

const count = createCount('de')

export const dialogs: Catalog['dialogs'] = {
  program: 'Ein Programm auf diesem Computer',
  card: (name) => `Karte: ${name}`,
  reader: (name) => `Kartenleser: ${name}`,
  cancel: 'Abbrechen',
  pin: {
    purpose: {
      check: (who) => `${who} möchte Ihre PIN prüfen.`,
      authenticate: (who) => `${who} möchte wissen, wer Sie sind.`,
      sign: (who) => `${who} bittet um Ihre Unterschrift.`,
    },
    tries: (left) =>
      left === 1 ? 'Das ist der letzte Versuch.' : `Noch ${count(left, 'Versuch', 'Versuche')}.`,
    signatures: (made) =>
      `Mit Ihrer PIN werden ${count(made, 'Unterschrift', 'Unterschriften')} geleistet.`,
    typeAtReader: (times) =>
      `Geben Sie Ihre PIN auf den Tasten des Kartenlesers ein.${times > 1 ? ` Er fragt ${times}-mal danach, einmal für jede Unterschrift.` : ''}`,
    kept: (signatures, seconds) =>
      `Mit Ihrer PIN werden ohne weitere Frage bis zu ${count(signatures, 'Unterschrift', 'Unterschriften')} geleistet, bis ${count(seconds, 'Sekunde', 'Sekunden')} lang keine dazukommt.`,
    checkOnly: 'Die PIN wird nur geprüft. Eine Unterschrift fragt noch einmal danach.',
    wrongForm: (min, max, digits) =>
      `Die PIN dieser Karte hat ${range(min, max, 'bis')} ${digits ? 'Ziffern' : 'Zeichen'}.`,
    prompt: 'PIN:',
    submit: { check: 'Prüfen', authenticate: 'Anmelden', sign: 'Unterschreiben' },
    attempt: {
      reasons: {
        last: 'Dies ist der letzte Versuch: Eine falsche PIN sperrt die Karte.',
        refused: 'Die zuletzt eingegebene PIN war falsch.',
        early:
          'Das Fenster für die PIN war gerade erst geöffnet. Ihre Eingabe wurde nicht verwendet.',
      },
      question: 'Möchten Sie fortfahren?',
      accept: 'Fortfahren',
    },
  },
  key: {
    purposes: {
      sign: (who) => `${who} möchte Ihre Signatur mit einem Zertifikat dieses Computers.`,
      authenticate: (who) =>
        `${who} möchte mit einem Zertifikat dieses Computers nachweisen, wer Sie sind.`,
      check: (who) =>
        `${who} möchte wissen, ob ein Zertifikat dieses Computers benutzt werden kann. Es wird nichts signiert.`,
    },
    certificate: (name) => `Zertifikat: ${name}`,
    issuer: (name) => `Ausgestellt von: ${name}`,
    question: 'Erlauben Sie das, einmal?',
    accept: 'Erlauben',
    refuse: 'Ablehnen',
  },
  identity: {
    purpose: (who) => `${who} möchte lesen, wer Sie sind.`,
    data: (what: string) => `Das ist, was Ihre Karte über Sie sagt: ${what}.`,
    holder: {
      biometric: 'Name, Geburt, Staatsangehörigkeit, Nummern',
      address: 'Adresse',
      picture: 'Bild',
      payment: 'Name, Nummer, Land, Sprache und Gültigkeit',
    },
    and: (first: string, last: string) => `${first} und ${last}`,
    untilRevoked:
      'Jede Karte dieser Art kann dann ohne neue Frage gelesen werden, bis die Zustimmung endet oder Sie sie widerrufen.',
    once: 'Die Karte kann dann einmal gelesen werden.',
    question: 'Geben Sie diese Daten frei?',
    accept: 'Freigeben',
    refuse: 'Nicht freigeben',
  },
  folder: {
    title: (origin) => `${origin}: Ordner, dessen Dateien es lesen und schreiben darf`,
    purpose: (origin) => `${origin} darf dann Dateien in diesem Ordner lesen und schreiben:`,
    extent:
      'Das gilt auch für alle Ordner darin. Ersetzen oder löschen kann es keine Datei. Es endet mit der Zustimmung dieser Seite, oder wenn Sie es widerrufen.',
    question: 'Erlauben Sie das?',
    accept: 'Erlauben',
    refuse: 'Nicht erlauben',
    unsuitable:
      'Diesen Ordner darf keine Seite haben: In ihm liegt mehr als Dateien für eine Seite, etwa Einstellungen, Programme oder alles von Ihnen.',
    choose: 'Anderen Ordner wählen',
  },
  notifications: {
    consent: (origin) =>
      `${origin} kann ab jetzt Ihre Kartenleser verwenden. Widerrufen: cardwire consents revoke ${origin}`,
    fileWritten: (origin, name) => `${origin} hat die Datei ${name} gespeichert`,
    fileRead: (origin, name) => `${origin} hat die Datei ${name} gelesen`,
  },
  verdict: {
    canBeUpdated: 'Cardwire kann aktualisiert werden',
    mustBeUpdated: 'Cardwire muss aktualisiert werden',
    recommend: (version) =>
      `Auf diesem Computer läuft Version ${version} von Cardwire, und eine andere wird empfohlen.`,
    require: (version) => `Version ${version} von Cardwire ist zu alt und wird jetzt beendet.`,
    stop: (version) =>
      `Version ${version} von Cardwire darf nicht mehr benutzt werden und endet jetzt.`,
    install: (version) => `${version} installieren`,
    canBeInstalled: (version) =>
      `Version ${version} kann jetzt installiert werden. Das System fragt nach einem Administrator.`,
    askAdministrator: 'Fragen Sie Ihren Administrator nach einer anderen Version.',
  },
  update: {
    title: 'Aktualisierung von Cardwire',
    accept: 'Installieren',
    unmanaged:
      'Cardwire hat keinen Dienst, der Aktualisierungen anbietet: Holen Sie sie dort, wo Sie Cardwire bekommen haben.',
    unregistered:
      'Cardwire ist bei seinem Dienst nicht angemeldet: Starten Sie es. Hilft das nicht, fragen Sie Ihren Administrator.',
    unanswered: (reason) =>
      `Der Dienst sagt nicht, welche Version er will. Fragen Sie Ihren Administrator. (${reason})`,
    unknown:
      'Der Dienst hat noch keine Regeln für diese Version. Versuchen Sie es später noch einmal.',
    current: (version) => `Version ${version} ist aktuell: Es gibt nichts zu aktualisieren.`,
    missing:
      'Für dieses System gibt es kein Installationsprogramm: Fragen Sie Ihren Administrator.',
    verdict: {
      recommend: (version) => `Eine andere Version als ${version} wird empfohlen.`,
      require: (version) => `Version ${version} ist zu alt, um benutzt zu werden.`,
      stop: (version) => `Version ${version} darf nicht mehr benutzt werden.`,
    },
    downloading: (what) => `Wird heruntergeladen: ${what}`,
    withoutDigest: 'Der Dienst nennt keine Prüfsumme dafür',
    older: (version) => `Sie ist älter als ${version}`,
    question: (version) => `Version ${version} jetzt installieren?`,
    nothing: 'Es wurde nichts installiert.',
    failed: (reason) => `Es wurde nichts installiert. (${reason})`,
    withoutInstaller: (path) =>
      `Dieses System hat kein Programm, das sie installiert; die Datei ist ${path}`,
    needsAdministrator: (command) => `Ein Administrator muss sie installieren: ${command}`,
    installed: (version) => `Version ${version} ist installiert.`,
    otherInstalled: (version) =>
      `Die Installation ist zu Ende, und installiert ist Version ${version}.`,
    ended: (status) => `Die Installation ist fehlgeschlagen, mit Status ${status}.`,
  },
}
