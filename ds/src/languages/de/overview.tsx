/** The texts of the overview in German. */
import type { Texts } from '../en/catalog.ts'
import { createNumbers } from '../numbers.ts'

const { choose, count } = createNumbers('de')

export const overview: Texts['overview'] = {
  title: 'Übersicht',
  updatedAt: (time) => <>Stand: {time}.</>,
  firstSteps: (link) => (
    <>
      Noch hat sich kein Connector registriert. Beginnen Sie mit den {link('ersten Schritten')}.
      Fügen Sie eine Organisation, eine Anwendung und eine Version hinzu und installieren Sie dann
      einen Connector.
    </>
  ),
  whereItAppears: (devices, rejections) => (
    <>
      Jeder Connector, der sich registriert, erscheint unter {devices('Geräte')}. Wenn einer fehlt,
      finden Sie den Grund unter {rejections('Abgelehnte Registrierungen')}.
    </>
  ),
  figures: {
    devices: (count) => choose(count, 'Gerät', 'Geräte'),
    faulty: () => 'mit Fehlern',
    silent: () => 'inaktiv',
    unserved: () => 'mit nicht registrierter Version',
    waiting: () => 'mit ausstehender Genehmigung',
    blocked: () => 'gesperrt',
  },
  nextTitle: 'Nächste Schritte',
  next: {
    withoutInstaller: 'Installationsprogramme für Geräte hinzufügen, deren Connector beendet wurde',
    unserved:
      'Geräte prüfen, die sich nicht synchronisieren können, weil ihre Version nicht registriert ist',
    approve: 'Geräte mit ausstehender Genehmigung prüfen',
    faulty: 'Geräte mit Fehlern prüfen',
    refused: 'Abgelehnte Registrierungen prüfen',
    silent: 'Inaktive Geräte prüfen',
  },
  keystores: {
    link: (version) => `Keystore für Version ${version} ersetzen`,
    expires: (time) => <>(läuft am {time} ab)</>,
    expired: (time) => <>(abgelaufen am {time})</>,
    more: (others) => count(others, 'weiterer Keystore', 'weitere Keystores'),
  },
  files: {
    missing:
      'Eine Datei, auf die eine Version oder ein Keystore verweist, fehlt. Welche es ist, steht im Serverprotokoll.',
    unreachable:
      'Installationsprogramme und Keystores können gerade nicht gelesen werden. Der Grund steht im Serverprotokoll.',
  },
  allClear:
    'Alles in Ordnung. Keine Fehler, abgelehnten Registrierungen oder ausstehenden Genehmigungen.',
  /** How far a rollout is. */
  rolloutShare: (share) => `${share} der Geräte`,
  refusedTitle: 'Zuletzt abgelehnt',
  refusal: (time, device, reason) => (
    <>
      {time}, {device}: {reason}
    </>
  ),
  allRefused: 'Alle abgelehnten Registrierungen',
  fleet: {
    title: 'Installierte Versionen',
    about: 'Geräte nach Tag und Version. Die Zahlen für heute sind noch unvollständig.',
    chart: 'Geräte, die sich am jeweiligen Tag gemeldet haben, nach Version',
    description: (days, today) => `${count(days, 'Tag', 'Tage')}. Heute bisher: ${today}.`,
    asTable: 'Als Tabelle anzeigen',
    caption: 'Geräte, die sich gemeldet haben, nach Tag und Version',
    day: 'Tag',
    others: 'Andere Versionen',
  },
}
