/** The texts of the screen of the keystore in German. */
import type { Texts } from '../en/catalog.ts'

export const keystore: Texts['keystore'] = {
  title: 'Keystore',
  uploadTitle: 'Keystore hochladen',
  about:
    'Connectors verwenden für Verbindungen mit Webseiten den Schlüssel und das Zertifikat aus dieser Datei, statt beides selbst zu erzeugen.',
  noVersions: 'Ein Keystore gehört zu einer Version. Registrieren Sie zuerst eine Version.',
  noPermission: 'Sie sind nicht berechtigt, Konfigurationen zu bearbeiten.',
  file: 'Keystore (PKCS #12)',
  version: 'Version',
  name: 'Dateiname (optional)',
  nameHint: 'Muss eindeutig sein, weil ein verwendeter Keystore nicht ersetzt werden kann.',
  password: 'Keystore-Passwort',
  passwordHint: 'Wird verschlüsselt gespeichert und nie wieder angezeigt.',
  passwordMissing: 'Geben Sie das Keystore-Passwort ein',
  button: 'Keystore speichern',
  stored: {
    title: (version) => `Keystore für Version ${version}`,
    about: (version) =>
      `Connectors mit Version ${version} erhalten diesen Keystore bei der nächsten Synchronisierung.`,
    file: 'Datei',
    copyUrl: 'URL kopieren',
    noHash: 'Nicht festgelegt',
    password: 'Passwort',
    passwordSaved: 'Gespeichert; wird nie wieder angezeigt',
  },
}
