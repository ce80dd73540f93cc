/** The texts of the screen of the keystore in Dutch. */
import type { Texts } from '../en/catalog.ts'

export const keystore: Texts['keystore'] = {
  title: 'Keystore',
  uploadTitle: 'Een keystore uploaden',
  about:
    'Connectors gebruiken voor de verbinding met pagina’s de sleutel en het certificaat uit dit bestand, in plaats van die zelf te genereren.',
  noVersions: 'Een keystore hoort bij een versie. Registreer eerst een versie.',
  noPermission: 'U bent niet gemachtigd om configuraties te bewerken.',
  file: 'Keystore (PKCS #12)',
  version: 'Versie',
  name: 'Bestandsnaam (optioneel)',
  nameHint: 'Kies een nieuwe naam. Een keystore die in gebruik is, kunt u niet vervangen.',
  password: 'Wachtwoord van de keystore',
  passwordHint: 'Wordt versleuteld opgeslagen en nooit meer getoond.',
  passwordMissing: 'Voer het wachtwoord van de keystore in',
  button: 'Keystore opslaan',
  stored: {
    title: (version) => `Keystore voor versie ${version}`,
    about: (version) =>
      `Connectors met versie ${version} krijgen deze keystore bij hun volgende synchronisatie.`,
    file: 'Bestand',
    copyUrl: 'URL kopiëren',
    noHash: 'Niet ingesteld',
    password: 'Wachtwoord',
    passwordSaved: 'Opgeslagen en niet meer zichtbaar',
  },
}
