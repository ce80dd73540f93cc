/** The texts of changes that need a second administrator in German. */
import type { Texts } from '../en/catalog.ts'
import { createNumbers } from '../numbers.ts'

const { choose, count } = createNumbers('de')

export const approvals: Texts['approvals'] = {
  title: 'Genehmigungen',
  about:
    'Diese Änderungen betreffen so viele Geräte, dass ein zweiter Administrator oder Herausgeber sie genehmigen muss. Ein Antrag verfällt nach 24 Stunden.',
  empty: 'Keine ausstehenden Genehmigungen.',
  requested: (who, time) => (
    <>
      Beantragt von {who} am {time}.
    </>
  ),
  expires: (time) => <>Verfällt am {time}.</>,
  reach: (devices) =>
    `Zum Zeitpunkt des Antrags ${choose(devices, 'wäre', 'wären')} ${count(devices, 'Gerät', 'Geräte')} betroffen gewesen.`,
  reachNow: (devices) =>
    `Jetzt ${choose(devices, 'wäre', 'wären')} ${count(devices, 'Gerät', 'Geräte')} betroffen.`,
  changedSince:
    'Seit dem Antrag haben sich Versionen, Rollouts, Gruppen, Konfigurationen oder Installationsprogramme geändert. Die Änderung muss erneut beantragt werden.',
  own: 'Ein anderer Administrator oder Herausgeber muss die Änderung genehmigen.',
  state: (state) => `Neuer Status: ${state}`,
  approve: 'Genehmigen',
  decline: 'Ablehnen',
  cancel: 'Antrag zurückziehen',
  next: 'Änderungen mit ausstehender Genehmigung prüfen',
}
