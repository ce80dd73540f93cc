/** What the doctor found, in German: a sentence, and what the person can do. */
import type { FindingTexts } from './findings-english.ts'

export const germanFindings: FindingTexts = {
  'card-service-good': { title: 'Der Kartendienst antwortet' },
  'readers-good': { title: 'Ein Kartenleser ist angeschlossen' },
  'root-good': { title: 'Das Stammzertifikat dieses Computers ist gültig' },
  'leaf-good': { title: 'Das Zertifikat der Verbindung ist gültig' },
  'trust-good': { title: 'Browser vertrauen Cardwire' },
  'keystore-good': { title: 'Das Zertifikat Ihrer Organisation ist gültig' },
  'api-good': { title: 'Cardwire antwortet' },
  'registry-good': { title: 'Webseiten finden Cardwire' },
  'registry-port-free': { title: 'Der Port, an dem Webseiten Cardwire suchen, ist frei' },
  'clipboard-good': { title: 'Cardwire kann die Zwischenablage lesen' },
  'service-none': { title: 'Cardwire arbeitet ohne Organisation' },
  'service-good': { title: 'Der Dienst Ihrer Organisation antwortet' },
  registered: { title: 'Dieser Computer ist registriert' },
  synchronized: { title: 'Es gab Kontakt mit Ihrer Organisation' },
  'updates-not-offered': {
    title: 'Kein Fenster bietet Updates an: Ihre Organisation installiert sie',
  },
  'machine-synchronized': {
    title: 'Der Dienst dieses Computers hatte Kontakt mit Ihrer Organisation',
  },
  'machine-keystore-good': { title: 'Das Zertifikat dieses Computers ist gültig' },
  'card-service-down': {
    title: 'Der Kartendienst dieses Computers antwortet nicht',
    todo: 'Starten Sie den Computer neu. Hilft das nicht, fragen Sie Ihren Administrator.',
  },
  'card-service-forbidden': {
    title: 'Sie dürfen den Kartendienst dieses Computers nicht benutzen',
    todo: 'Melden Sie sich am Computer selbst an, nicht von einem anderen aus. Hilft das nicht, fragen Sie Ihren Administrator.',
  },
  'card-service-missing': {
    title: 'Dieser Computer hat keinen Kartendienst',
    todo: 'Bitten Sie Ihren Administrator, ihn zu installieren.',
  },
  'readers-none': {
    title: 'Kein Kartenleser ist angeschlossen',
    todo: 'Schließen Sie einen Kartenleser an. Erscheint er nicht, fragen Sie Ihren Administrator, ob sein Treiber installiert ist.',
  },
  'root-broken': {
    title: 'Das Stammzertifikat dieses Computers ist unbrauchbar',
    todo: 'Starten Sie Cardwire. Bleibt das so, fragen Sie Ihren Administrator.',
  },
  'leaf-broken': {
    title: 'Das Zertifikat der Verbindung ist unbrauchbar',
    todo: 'Starten Sie Cardwire. Bleibt das so, fragen Sie Ihren Administrator.',
  },
  'files-open': {
    title: 'Andere können Schlüssel von Cardwire lesen',
    todo: 'Starten Sie Cardwire: Es schützt sie. Sagen Sie Ihrem Administrator, dass sie lesbar waren.',
  },
  'trust-missing': {
    title: 'Ein Browser vertraut Cardwire noch nicht',
    todo: 'Drücken Sie den Knopf unten, schließen Sie dann den Browser ganz und öffnen Sie ihn wieder.',
  },
  'trust-none': {
    title: 'Keiner Ihrer Browser vertraut Cardwire',
    todo: 'Drücken Sie den Knopf unten, schließen Sie dann den Browser ganz und öffnen Sie ihn wieder.',
  },
  'trust-unreadable': {
    title: 'Ob ein Browser Cardwire vertraut, lässt sich nicht feststellen',
    todo: 'Fragen Sie Ihren Administrator: Dafür fehlt ein Programm.',
  },
  'keystore-expired': {
    title: 'Das Zertifikat Ihrer Organisation ist abgelaufen',
    todo: 'Bitten Sie Ihren Administrator um ein neues.',
  },
  'keystore-missing': {
    title: 'Das Zertifikat Ihrer Organisation fehlt',
    todo: 'Bitten Sie Ihren Administrator darum.',
  },
  'not-running': { title: 'Cardwire läuft nicht', todo: 'Starten Sie es mit dem Knopf oben.' },
  'not-running-no-port': {
    title: 'Cardwire läuft nicht, und seine üblichen Ports sind belegt',
    todo: 'Starten Sie es mit dem Knopf oben: Es nimmt einen anderen Port.',
  },
  'not-running-masked': {
    title: 'Cardwire läuft nicht: Jemand hat es abgeschaltet',
    todo: 'Der Knopf oben startet es nicht. Fragen Sie Ihren Administrator.',
  },
  'api-silent': {
    title: 'Cardwire läuft und antwortet nicht',
    todo: 'Melden Sie sich am Computer ab und wieder an.',
  },
  'registry-down': {
    title: 'Webseiten finden Cardwire nicht: Ein Dienst dieses Computers läuft nicht',
    todo: 'Bitten Sie Ihren Administrator, ihn zu starten.',
  },
  'registry-foreign': {
    title: 'Webseiten finden das Cardwire von jemand anderem auf diesem Computer',
    todo: 'Bitten Sie Ihren Administrator, es zu einem Dienst des Computers zu machen.',
  },
  'registry-port-taken': {
    title: 'Webseiten finden Cardwire nicht: Ein anderes Programm hat seinen Port',
    todo: 'Fragen Sie Ihren Administrator: Unten steht, welches Programm es ist.',
  },
  'clipboard-unreadable': {
    title: 'Cardwire kann die Zwischenablage nicht lesen, darum können Sie keine Seite zulassen',
    todo: 'Fragen Sie Ihren Administrator: Unten steht, was fehlt.',
  },
  'clock-jumped': {
    title: 'Die Uhr dieses Computers ist gesprungen',
    todo: 'Stellen Sie sie richtig. Geht sie richtig, lassen Sie Cardwire einige Stunden laufen.',
  },
  'file-damaged': {
    title: 'Eine Datei von Cardwire war beschädigt und wurde ersetzt',
    todo: 'Bitten Sie Ihren Administrator, die Festplatte zu prüfen.',
  },
  'no-pages-allowed': {
    title: 'Noch darf keine Webseite Cardwire benutzen',
    todo: 'Geben Sie unten Adresse und Schlüssel Ihrer Organisation ein.',
  },
  'tokens-off': {
    title: 'Webseiten brauchen keine Erlaubnis einer Organisation',
    todo: 'Haben Sie das nicht selbst so eingestellt, sagen Sie es Ihrem Administrator.',
  },
  'token-keys-missing': {
    title: 'Cardwire kann die Erlaubnis von Webseiten nicht prüfen',
    todo: 'Geben Sie unten Adresse und Schlüssel Ihrer Organisation ein.',
  },
  'service-unreachable': {
    title: 'Der Dienst Ihrer Organisation antwortet nicht',
    todo: 'Prüfen Sie Ihr Netz. Geht es, fragen Sie Ihren Administrator.',
  },
  unregistered: {
    title: 'Dieser Computer ist nicht bei Ihrer Organisation registriert',
    todo: 'Starten Sie Cardwire. Bleibt das so, fragen Sie Ihren Administrator.',
  },
  'never-synchronized': {
    title: 'Es gab noch keinen Kontakt mit Ihrer Organisation',
    todo: 'Prüfen Sie Ihr Netz und prüfen Sie dann noch einmal.',
  },
  'not-synchronized': {
    title: 'Im Augenblick gibt es keinen Kontakt mit Ihrer Organisation',
    todo: 'Prüfen Sie noch einmal. Bleibt das so, fragen Sie Ihren Administrator.',
  },
  'policy-ending': {
    title: 'Webseiten können Cardwire nur noch einige Tage benutzen',
    todo: 'Verbinden Sie diesen Computer mit dem Netz Ihrer Organisation.',
  },
  'policy-expired': {
    title: 'Webseiten können Cardwire nicht benutzen: Der letzte Kontakt ist zu lange her',
    todo: 'Verbinden Sie diesen Computer mit dem Netz Ihrer Organisation.',
  },
  'version-recommended': {
    title: 'Ihre Organisation empfiehlt eine andere Version',
    todo: 'Installieren Sie sie: siehe unten.',
  },
  'version-forbidden': {
    title: 'Diese Version von Cardwire darf nicht mehr benutzt werden',
    todo: 'Installieren Sie eine andere: siehe unten.',
  },
  'version-unknown': {
    title: 'Ihre Organisation kennt diese Version von Cardwire nicht',
    todo: 'Bitten Sie Ihren Administrator, sie zu registrieren, oder um eine andere.',
  },
  'key-missing': {
    title: 'Der Installationsschlüssel fehlt',
    todo: 'Geben Sie ihn unten ein; Ihr Administrator hat ihn.',
  },
  'key-refused': {
    title: 'Ihre Organisation nimmt den Installationsschlüssel nicht an',
    todo: 'Fragen Sie Ihren Administrator nach dem aktuellen und geben Sie ihn unten ein.',
  },
  'key-used-up': {
    title: 'Ihre Organisation registriert heute keine Computer mehr',
    todo: 'Warten Sie bis morgen, oder fragen Sie Ihren Administrator.',
  },
  'device-blocked': {
    title: 'Ihre Organisation hat diesen Computer gesperrt',
    todo: 'Bitten Sie Ihren Administrator, ihn zu entsperren.',
  },
  'clock-skewed': {
    title: 'Die Uhr dieses Computers geht falsch',
    todo: 'Stellen Sie sie richtig.',
  },
  'machine-settings-ignored': {
    title: 'Einstellungen dieses Computers zählen nicht',
    todo: 'Fragen Sie Ihren Administrator: Unten steht, warum.',
  },
  'machine-not-synchronized': {
    title: 'Der Dienst dieses Computers hat keinen Kontakt mit Ihrer Organisation',
    todo: 'Prüfen Sie Ihr Netz. Geht es, fragen Sie Ihren Administrator.',
  },
  'machine-fault': {
    title: 'Der Dienst dieses Computers meldet einen Fehler',
    todo: 'Fragen Sie Ihren Administrator: Unten steht, welchen.',
  },
  'machine-keystore-expired': {
    title: 'Das Zertifikat dieses Computers ist abgelaufen',
    todo: 'Bitten Sie Ihren Administrator um ein neues.',
  },
  'settings-invalid': {
    title: 'Einstellungen von Cardwire sind unbrauchbar, darum kann es nicht starten',
    todo: 'Fragen Sie Ihren Administrator: Unten steht, welche.',
  },
  'check-failed': {
    title: 'Etwas konnte nicht geprüft werden',
    todo: 'Prüfen Sie noch einmal. Bleibt das so, fragen Sie Ihren Administrator.',
  },
  'check-late': {
    title: 'Eine Prüfung hat zu lange gedauert',
    todo: 'Prüfen Sie noch einmal. Bleibt das so, fragen Sie Ihren Administrator.',
  },
}
