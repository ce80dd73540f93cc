/** The texts of the screens of webhooks. */
import type { Texts } from '../en/catalog.ts'

export const webhooks: Texts['webhooks'] = {
  title: 'Webhooks',
  name: 'Naam',
  url: 'URL',
  events: 'Gebeurtenissen',
  state: 'Status',
  lastFailure: 'Laatste fout',
  list: {
    about: 'De server stuurt gebeurtenissen in ondertekende verzoeken naar deze URL’s.',
    empty:
      'Via een webhook krijgen uw systemen bericht, bijvoorbeeld als een uitrol wordt stopgezet of als een keystore binnenkort verloopt.',
    caption: 'Webhooks',
    newLink: 'Webhook toevoegen',
  },
  states: {
    active: 'Actief',
    failing: 'Bezorging mislukt',
    disabled: 'Uitgeschakeld',
  },
  types: {
    'rollout.halted': 'Een uitrol wordt stopgezet',
    'device-faults.raised': 'Veel apparaten met dezelfde versie melden fouten',
    'registrations.rejected': 'Een registratie wordt geweigerd',
    'keystore.expiring': 'Een keystore verloopt binnenkort',
    'signing-key.expiring': 'Een ondertekeningssleutel moet binnenkort worden geroteerd',
    'administrator.added': 'Er wordt een beheerder toegevoegd',
    'device.approved': 'Een apparaat wordt goedgekeurd',
    'webhook.test': 'Testgebeurtenis',
  },
  form: {
    newTitle: 'Webhook toevoegen',
    editTitle: 'Webhook bewerken',
    button: 'Webhook opslaan',
    urlHint:
      'De URL moet met https:// beginnen. Privé- en lokale adressen zijn standaard niet toegestaan.',
    enabled: 'Gebeurtenissen versturen',
    enabledHint: 'Zolang dit uitstaat, worden gebeurtenissen bewaard en later verstuurd.',
    on: 'Aan',
    off: 'Uit',
    conflictTitle: 'Iemand anders heeft de webhook gewijzigd',
  },
  page: {
    failingNote:
      'De ontvanger heeft de oudste gebeurtenis al meer dan een dag niet geaccepteerd. De server probeert het één keer per uur opnieuw, en de volgende gebeurtenissen wachten. Als u de webhook opslaat, probeert de server het meteen opnieuw.',
    disabledNote:
      'Er worden geen gebeurtenissen verstuurd. Ze blijven bewaard en worden verstuurd zodra u de webhook weer inschakelt.',
    testButton: 'Testgebeurtenis versturen',
    bothUntil: 'Met beide geheimen ondertekend tot',
  },
  secret: {
    heading: 'Geheim',
    button: 'Geheim vervangen',
    title: 'Geheim van de webhook',
    copy: 'Geheim kopiëren',
    warning: 'Kopieer dit geheim nu. U krijgt het niet opnieuw te zien.',
    use: 'Uw ontvanger controleert hiermee de verzoeken.',
    done: 'Naar de webhook',
    confirmTitle: (name: string) => `Geheim van ${name} vervangen`,
    about:
      'Stel het nieuwe geheim in bij uw ontvanger voordat de server niet meer met het oude ondertekent.',
    overlap: 'Ook nog met het oude geheim ondertekenen',
    overlaps: { none: 'Niet', hour: 'Een uur', day: 'Een dag', week: 'Een week' },
  },
  remove: {
    title: (name: string) => `Webhook ${name} verwijderen`,
    about: 'Wachtende gebeurtenissen worden niet verstuurd.',
    button: 'Webhook verwijderen',
  },
  attempts: {
    title: 'Pogingen',
    empty: 'Er is nog niets verstuurd.',
    time: 'Tijdstip',
    event: 'Gebeurtenis',
    result: 'Resultaat',
    actions: 'Acties',
    again: 'Opnieuw versturen',
    outcomes: {
      delivered: 'Bezorgd',
      failed: 'Mislukt',
      rejected: 'Geweigerd',
    },
    reasons: {
      'address-refused': 'Adres niet toegestaan',
      'name-unknown': 'Onbekende hostnaam',
      'connection-failed': 'Verbinding mislukt',
      'tls-failed': 'TLS-verbinding mislukt',
      timeout: 'Niet op tijd gereageerd',
    },
  },
}
