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
    failing: 'Gestört',
    disabled: 'Ausgeschaltet',
  },
  types: {
    'rollout.halted': 'Ein Rollout wird gestoppt',
    'device-faults.raised': 'Viele Geräte einer Version melden Störungen',
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
      'Sie muss mit https:// beginnen. Private und lokale Adressen sind standardmäßig nicht erlaubt.',
    enabled: 'Ereignisse senden',
    enabledHint:
      'Solange dies ausgeschaltet ist, werden Ereignisse aufbewahrt und später gesendet.',
    on: 'Ein',
    off: 'Aus',
    conflictTitle: 'Der Webhook wurde inzwischen geändert',
  },
  page: {
    failingNote:
      'Der Empfänger hat das älteste Ereignis seit mehr als einem Tag nicht angenommen. Der Server versucht es einmal pro Stunde erneut, und die nächsten Ereignisse warten. Wenn Sie den Webhook speichern, versucht er es sofort.',
    disabledNote:
      'Es werden keine Ereignisse gesendet. Sie werden aufbewahrt und gesendet, sobald Sie den Webhook wieder einschalten.',
    testButton: 'Testereignis senden',
    bothUntil: 'Beide Secrets signieren bis',
  },
  secret: {
    heading: 'Secret',
    button: 'Secret ersetzen',
    title: 'Secret des Webhooks',
    copy: 'Secret kopieren',
    warning: 'Kopieren Sie das Secret jetzt. Es wird nicht noch einmal angezeigt.',
    use: 'Damit prüft Ihr Empfänger die Anfragen.',
    done: 'Zum Webhook',
    confirmTitle: (name: string) => `Secret ersetzen: ${name}`,
    about:
      'Tragen Sie das neue Secret bei Ihrem Empfänger ein, bevor das alte nicht mehr signiert.',
    overlap: 'So lange zusätzlich mit dem alten Secret signieren',
    overlaps: { none: 'Gar nicht', hour: 'Eine Stunde', day: 'Einen Tag', week: 'Eine Woche' },
  },
  remove: {
    title: (name: string) => `Webhook entfernen: ${name}`,
    about: 'Ausstehende Ereignisse werden nicht gesendet.',
    button: 'Webhook entfernen',
  },
  attempts: {
    title: 'Versuche',
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
      'tls-failed': 'TLS fehlgeschlagen',
      timeout: 'Keine rechtzeitige Antwort',
    },
  },
}
