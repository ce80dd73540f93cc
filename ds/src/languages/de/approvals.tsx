/** The texts of changes that need a second administrator in German. */
import type { Texts } from '../en/catalog.ts'
import { createNumbers } from '../numbers.ts'

const { choose, count } = createNumbers('de')

export const approvals: Texts['approvals'] = {
  title: 'Genehmigungen',
  about:
    'Diese Änderungen betreffen so viele Geräte, dass eine zweite Person mit der Rolle Administrator oder Herausgeber sie genehmigen muss. Ein Antrag verfällt nach 24 Stunden.',
  empty: 'Es wartet keine Änderung auf eine Genehmigung.',
  requested: (who, time) => (
    <>
      Beantragt von {who}: {time}.
    </>
  ),
  expires: (time) => <>Verfällt: {time}.</>,
  reach: (devices) =>
    `Beim Antrag ${choose(devices, 'war', 'waren')} ${count(devices, 'Gerät', 'Geräte')} betroffen.`,
  reachNow: (devices) =>
    `Jetzt ${choose(devices, 'ist', 'sind')} ${count(devices, 'Gerät', 'Geräte')} betroffen.`,
  changedSince:
    'Seitdem haben sich Versionen, Rollouts, Gruppen, Konfigurationen oder Installationsprogramme geändert. Die Änderung muss erneut beantragt werden.',
  own: 'Eine zweite Person mit der Rolle Administrator oder Herausgeber muss sie genehmigen.',
  state: (state) => `Neuer Status: ${state}`,
  approve: 'Genehmigen',
  decline: 'Ablehnen',
  cancel: 'Zurückziehen',
  next: 'Änderungen prüfen, die auf Genehmigung warten',
}
