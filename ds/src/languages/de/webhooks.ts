/** The texts of the screens of webhooks. */
import type { Texts } from '../en/catalog.ts'

export const webhooks: Texts['webhooks'] = {
  title: 'Webhooks',
  name: 'Name',
  url: 'URL',
  events: 'Ereignisse',
  state: 'Status',
  lastFailure: 'Letzter Fehler',
  list: {
    about: 'Der Server sendet Ereignisse in signierten Anfragen an diese URLs.',
    empty:
      'Über einen Webhook erfahren Ihre Systeme zum Beispiel, dass ein Rollout gestoppt wurde oder ein Keystore bald abläuft.',
    caption: 'Webhooks',
    newLink: 'Webhook hinzufügen',
  },
  states: {
    active: 'Aktiv',
    failing: 'Fehlerhaft',
    disabled: 'Deaktiviert',
  },
  types: {
    'rollout.halted': 'Ein Rollout wird gestoppt',
    'device-faults.raised': 'Viele Geräte einer Version melden Fehler',
    'registrations.rejected': 'Eine Registrierung wird abgelehnt',
    'keystore.expiring': 'Ein Keystore läuft bald ab',
    'signing-key.expiring': 'Ein Signaturschlüssel sollte bald rotiert werden',
    'administrator.added': 'Ein Administrator wird hinzugefügt',
    'device.approved': 'Ein Gerät wird genehmigt',
    'webhook.test': 'Testereignis',
  },
  form: {
    newTitle: 'Webhook hinzufügen',
    editTitle: 'Webhook bearbeiten',
    button: 'Webhook speichern',
    urlHint:
      'Die URL muss mit https:// beginnen. Private und lokale Adressen sind standardmäßig nicht erlaubt.',
    enabled: 'Ereignisse senden',
    enabledHint:
      'Solange diese Option deaktiviert ist, werden Ereignisse aufbewahrt und später gesendet.',
    on: 'Ein',
    off: 'Aus',
    conflictTitle: 'Jemand anderes hat den Webhook geändert',
  },
  page: {
    failingNote:
      'Der Empfänger hat das älteste Ereignis seit mehr als einem Tag nicht angenommen. Der Server versucht es einmal pro Stunde erneut. Die folgenden Ereignisse werden erst danach gesendet. Wenn Sie den Webhook speichern, versucht es der Server sofort erneut.',
    disabledNote:
      'Es werden keine Ereignisse gesendet. Der Server bewahrt sie auf und sendet sie, sobald Sie den Webhook wieder aktivieren.',
    testButton: 'Testereignis senden',
    bothUntil: 'Mit beiden Secrets signiert bis',
  },
  secret: {
    heading: 'Secret',
    button: 'Secret ersetzen',
    title: 'Secret des Webhooks',
    copy: 'Secret kopieren',
    warning: 'Kopieren Sie das Secret jetzt. Es wird nicht noch einmal angezeigt.',
    use: 'Damit prüft Ihr Empfänger die Anfragen.',
    done: 'Zum Webhook',
    confirmTitle: (name: string) => `Secret von ${name} ersetzen`,
    about:
      'Tragen Sie das neue Secret bei Ihrem Empfänger ein, solange der Server auch noch mit dem alten signiert.',
    overlap: 'Weiterhin auch mit dem alten Secret signieren',
    overlaps: { none: 'Gar nicht', hour: 'Eine Stunde', day: 'Einen Tag', week: 'Eine Woche' },
  },
  remove: {
    title: (name: string) => `Webhook ${name} entfernen`,
    about: 'Ausstehende Ereignisse werden nicht mehr gesendet.',
    button: 'Webhook entfernen',
  },
  attempts: {
    title: 'Zustellversuche',
    empty: 'Es wurde noch nichts gesendet.',
    time: 'Zeit',
    event: 'Ereignis',
    result: 'Ergebnis',
    actions: 'Aktionen',
    again: 'Erneut senden',
    outcomes: {
      delivered: 'Zugestellt',
      failed: 'Fehlgeschlagen',
      rejected: 'Abgelehnt',
    },
    reasons: {
      'address-refused': 'Adresse nicht erlaubt',
      'name-unknown': 'Unbekannter Hostname',
      'connection-failed': 'Verbindung fehlgeschlagen',
      'tls-failed': 'TLS-Verbindung fehlgeschlagen',
      timeout: 'Zeitüberschreitung',
    },
  },
}
