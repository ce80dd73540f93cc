/** The texts of the screen of the keystore in German. */
import type { Texts } from '../en/catalog.ts'

export const keystore: Texts['keystore'] = {
  title: 'Keystores',
  uploadTitle: 'Keystore hochladen',
  about:
    'Ein Keystore ist eine Datei mit einem Schlüssel und einem Zertifikat. Connectors verwenden beides für Verbindungen mit Webseiten, statt es selbst zu erzeugen.',
  noVersions: 'Ein Keystore gehört zu einer Version. Registrieren Sie zuerst eine Version.',
  noPermission:
    'Sie sind nicht berechtigt, Konfigurationen zu bearbeiten. Wenden Sie sich an einen Administrator.',
  file: 'Keystore (PKCS #12)',
  version: 'Version',
  name: 'Dateiname (optional)',
  nameHint:
    'Ohne Angabe wird der Dateiname verwendet. Ein Keystore, der verwendet wird, kann nicht ersetzt werden. Geben Sie dem neuen deshalb einen anderen Namen.',
  password: 'Keystore-Passwort',
  passwordHint: 'Wird verschlüsselt gespeichert und kann danach nicht mehr angezeigt werden.',
  passwordMissing: 'Geben Sie das Keystore-Passwort ein',
  button: 'Keystore speichern',
  another: 'Anderen Keystore hochladen',
  list: {
    caption: 'Keystores nach Version',
    version: 'Version',
    file: 'Datei',
    expires: 'Läuft ab am',
    unknown: 'Nicht bekannt',
    empty: 'Noch hat keine Version einen Keystore.',
  },
  certificate: {
    subject: 'Zertifikat',
    names: 'Hostnamen',
    issuer: 'Aussteller',
    selfSigned:
      'Keiner (selbstsigniert). Browser lehnen das Zertifikat ab, wenn der Computer ihm nicht vertraut.',
    notBefore: 'Gültig ab',
    notAfter: 'Läuft ab am',
    key: 'Schlüssel',
    keyKind: (algorithm, bits) => `${algorithm}, ${bits} Bit`,
    expired:
      'Dieser Keystore ist abgelaufen. Connectors verwenden ihn nicht mehr. Laden Sie einen neuen hoch.',
    expires: (time) => <>Dieser Keystore läuft am {time} ab. Laden Sie vorher einen neuen hoch.</>,
    early: (time) => (
      <>Dieser Keystore ist noch nicht gültig. Connectors verwenden ihn ab {time}.</>
    ),
    elsewhere:
      'Dieser Keystore liegt auf einem anderen Server, daher liest dieser Server ihn nicht. Connectors prüfen die Datei beim Herunterladen.',
    notOpened:
      'Dieser Keystore wurde mit einer früheren Version des Servers gespeichert. Speichern Sie ihn erneut mit seinem Passwort, um das Zertifikat zu sehen.',
  },
}
