/** The texts of the screen of the keystore in Dutch. */
import type { Texts } from '../en/catalog.ts'

export const keystore: Texts['keystore'] = {
  title: 'Keystores',
  uploadTitle: 'Een keystore uploaden',
  about:
    'Een keystore is een bestand met een sleutel en een certificaat. Connectors gebruiken die voor de verbinding met pagina’s, in plaats van ze zelf te genereren.',
  noVersions: 'Een keystore hoort bij een versie. Registreer eerst een versie.',
  noPermission: 'U bent niet gemachtigd om configuraties te bewerken. Vraag het aan een beheerder.',
  file: 'Keystore (PKCS #12)',
  version: 'Versie',
  name: 'Bestandsnaam (optioneel)',
  nameHint:
    'Laat dit leeg om de naam van het bestand te gebruiken. Een keystore die in gebruik is, kunt u niet vervangen. Geef een nieuwe een andere naam.',
  password: 'Wachtwoord van de keystore',
  passwordHint: 'Wordt versleuteld opgeslagen en kan daarna niet meer worden bekeken.',
  passwordMissing: 'Voer het wachtwoord van de keystore in',
  button: 'Keystore opslaan',
  another: 'Een andere keystore uploaden',
  list: {
    caption: 'Keystores per versie',
    version: 'Versie',
    file: 'Bestand',
    expires: 'Verloopt op',
    unknown: 'Onbekend',
    empty: 'Er is nog geen versie met een keystore.',
  },
  certificate: {
    subject: 'Certificaat',
    names: 'Hostnamen',
    issuer: 'Uitgever',
    selfSigned: 'Geen: zelfondertekend. Browsers weigeren het, tenzij de computer het vertrouwt.',
    notBefore: 'Geldig vanaf',
    notAfter: 'Verloopt op',
    key: 'Sleutel',
    keyKind: (algorithm, bits) => `${algorithm}, ${bits} bits`,
    expired: 'Deze keystore is verlopen. Connectors gebruiken hem niet meer. Upload een nieuwe.',
    expires: (time) => <>Deze keystore verloopt op {time}. Upload vóór die tijd een nieuwe.</>,
    early: (time) => <>Deze keystore is nog niet geldig. Connectors gebruiken hem vanaf {time}.</>,
    elsewhere:
      'Deze keystore staat op een andere server, dus deze server leest het bestand niet. Connectors controleren het wanneer ze het downloaden.',
    notOpened:
      'Deze keystore is opgeslagen door een eerdere versie van de server. Sla de keystore opnieuw op met het wachtwoord om het certificaat te zien.',
  },
}
