/** The texts of the emergency stop in French. */
import type { Texts } from '../en/catalog.ts'
import { createNumbers } from '../numbers.ts'

const { count } = createNumbers('fr')

export const stop: Texts['stop'] = {
  title: 'Arrêt d’urgence',
  about:
    'Ici, vous pouvez arrêter tous les déploiements et bloquer une version qui cause des dommages. Vous vérifiez d’abord quels appareils sont concernés.',
  caption: 'Déploiements qui seront arrêtés',
  offered: 'Proposée, non installée',
  installed: 'Version installée',
  noRollouts: 'Aucun déploiement n’est en cours.',
  version: 'Version à bloquer',
  versionHint:
    'Les connecteurs de cette version s’arrêtent. Ils peuvent passer à la dernière version autorisée, même si elle est antérieure à la leur.',
  noVersion: 'Aucune (arrêter uniquement les déploiements)',
  reviewButton: 'Vérifier',
  waysBack: 'Annuler un arrêt d’urgence',
  order: 'Pour reprendre le déploiement d’une version bloquée, autorisez d’abord cette version.',
  allow: (version) => `Autoriser de nouveau la version ${version}`,
  reviewTitle: 'Vérifier l’arrêt d’urgence',
  nothing:
    'Il n’y a rien à arrêter. Aucun déploiement n’est en cours et aucune version n’est sélectionnée.',
  reach: (devices) =>
    devices === 0
      ? 'Aucun appareil n’est concerné.'
      : `${count(devices, 'appareil est concerné', 'appareils sont concernés')}.`,
  when: 'Les connecteurs qui ont une connexion ouverte avec le service appliquent en général cet arrêt en moins d’une minute, les autres à leur prochaine synchronisation.',
  halts:
    'Ces déploiements seront arrêtés. Les versions ne seront plus proposées aux appareils. Les appareils qui les ont installées les conservent.',
  blocks: (version) => `La version ${version} sera bloquée.`,
  wayBack: 'Vous pourrez ensuite reprendre chaque déploiement et autoriser de nouveau la version.',
  button: 'Arrêter maintenant',
}
