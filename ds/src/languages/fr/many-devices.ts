/** The texts of changes of many devices in French. */
import type { Texts } from '../en/catalog.ts'
import { createNumbers } from '../numbers.ts'

const { count, format } = createNumbers('fr')

export const manyDevices: Texts['manyDevices'] = {
  matching: 'Modifier ces appareils',
  all: 'Modifier tous les appareils',
  changes: {
    approve: {
      title: 'Approuver les appareils',
      effects: [
        'À sa prochaine synchronisation, chaque appareil reçoit le magasin de clés de sa version avec le mot de passe.',
        'Cette action est irréversible. Bloquer ou supprimer les appareils par la suite n’efface pas leurs magasins de clés.',
      ],
      done: (devices) => count(devices, 'appareil approuvé.', 'appareils approuvés.'),
    },
    block: {
      title: 'Bloquer les appareils',
      effects: [
        'Les appareils ne peuvent plus se connecter. Leurs données d’utilisation y restent conservées.',
        'Chaque appareil tente de se connecter une fois par cycle de synchronisation. À sa prochaine tentative, les sites perdent l’accès à ses lecteurs de cartes.',
        'Pendant 30 jours, vous pouvez débloquer exactement ces appareils.',
      ],
      done: (devices) => count(devices, 'appareil bloqué.', 'appareils bloqués.'),
    },
    unblock: {
      title: 'Débloquer les appareils',
      effects: [
        'Les appareils peuvent de nouveau se connecter. Chacun se reconnecte au cours du cycle de synchronisation suivant et envoie les données d’utilisation qu’il a conservées.',
      ],
      done: (devices) => count(devices, 'appareil débloqué.', 'appareils débloqués.'),
    },
    remove: {
      title: 'Supprimer les appareils',
      effects: [
        'Les appareils et leurs journaux sont supprimés. Les données d’utilisation déjà envoyées sont conservées.',
        'Les appareils dont le connecteur est actif et la clé d’installation valide s’enregistrent de nouveau comme nouveaux appareils. Pour l’éviter, bloquez-les plutôt.',
        'Cette action est irréversible.',
      ],
      done: (devices) => count(devices, 'appareil supprimé.', 'appareils supprimés.'),
    },
  },
  reach: (devices) =>
    devices === 0
      ? 'Aucun appareil ne sera modifié.'
      : count(devices, 'appareil sera modifié.', 'appareils seront modifiés.'),
  largest: 'Le tableau ne montre que les groupes les plus grands.',
  progress: {
    title: 'Modification des appareils',
    done: (done, reach) => `Appareils traités : ${format(done)} sur ${format(reach)}.`,
    next: 'Choisissez « Continuer » jusqu’à ce que tous les appareils soient traités. Si vous arrêtez maintenant, les autres appareils restent inchangés.',
    button: 'Continuer',
  },
  show: 'Afficher ces appareils',
  undo: 'Annuler la modification',
}
