/** The texts of the emergency stop in German. */
import type { Texts } from '../en/catalog.ts'
import { createNumbers } from '../numbers.ts'

const { count } = createNumbers('de')

export const stop: Texts['stop'] = {
  title: 'Notfallstopp',
  about:
    'Hier können Sie alle Rollouts stoppen und eine Version sperren, die Schaden anrichtet. Zuvor prüfen Sie, welche Geräte betroffen sind.',
  caption: 'Rollouts, die gestoppt werden',
  offered: 'Angeboten, nicht installiert',
  installed: 'Version installiert',
  noRollouts: 'Es läuft kein Rollout.',
  version: 'Zu sperrende Version',
  versionHint:
    'Connectors mit dieser Version werden beendet. Danach können sie zur neuesten freigegebenen Version wechseln, auch wenn diese älter ist.',
  noVersion: 'Keine, nur Rollouts stoppen',
  reviewButton: 'Prüfen',
  waysBack: 'Einen Notfallstopp rückgängig machen',
  order:
    'Wenn Sie den Rollout einer gesperrten Version fortsetzen möchten, geben Sie zuerst die Version frei.',
  allow: (version) => `Version ${version} wieder freigeben`,
  reviewTitle: 'Notfallstopp prüfen',
  nothing: 'Es gibt nichts zu stoppen. Es läuft kein Rollout, und es ist keine Version ausgewählt.',
  reach: (devices) =>
    devices === 0
      ? 'Es sind keine Geräte betroffen.'
      : `${count(devices, 'Gerät ist', 'Geräte sind')} betroffen.`,
  when: 'Connectors mit einer offenen Verbindung zum Server übernehmen dies in der Regel innerhalb einer Minute, alle anderen bei der nächsten Synchronisierung.',
  halts:
    'Diese Rollouts werden gestoppt. Die Versionen werden nicht mehr angeboten. Geräte, die sie installiert haben, behalten sie.',
  blocks: (version) => `Version ${version} wird gesperrt.`,
  wayBack: 'Sie können danach jeden Rollout fortsetzen und die Version wieder freigeben.',
  button: 'Jetzt stoppen',
}
