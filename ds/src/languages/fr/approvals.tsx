/** The texts of changes that need a second administrator in French. */
import type { Texts } from '../en/catalog.ts'
import { createNumbers } from '../numbers.ts'

const { count } = createNumbers('fr')

export const approvals: Texts['approvals'] = {
  title: 'Approbations',
  about:
    'Ces modifications concernent tant d’appareils qu’un deuxième administrateur ou éditeur doit les approuver. Une demande expire au bout de 24 heures.',
  empty: 'Aucune modification n’attend d’approbation.',
  requested: (who, time) => (
    <>
      Demandée par {who}, le {time}.
    </>
  ),
  expires: (time) => <>Expire le {time}.</>,
  reach: (devices) =>
    `Lors de la demande, ${count(devices, 'appareil était concerné', 'appareils étaient concernés')}.`,
  reachNow: (devices) =>
    `Actuellement, ${count(devices, 'appareil est concerné', 'appareils sont concernés')}.`,
  changedSince:
    'Des versions, des déploiements, des groupes, des configurations ou des programmes d’installation ont changé depuis. Il faut demander de nouveau la modification.',
  own: 'Un autre administrateur ou éditeur doit l’approuver.',
  state: (state) => `Nouvel état\u202f: ${state}`,
  approve: 'Approuver',
  decline: 'Refuser',
  cancel: 'Retirer la demande',
  next: 'Examiner les modifications en attente d’approbation',
}
