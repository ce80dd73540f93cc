/** The texts of the overview in French. */
import type { Texts } from '../en/catalog.ts'
import { createNumbers } from '../numbers.ts'

const { choose, count } = createNumbers('fr')

export const overview: Texts['overview'] = {
  title: 'Vue d’ensemble',
  updatedAt: (time) => <>Dernière mise à jour le {time}.</>,
  firstSteps: (link) => (
    <>
      Aucun connecteur ne s’est encore enregistré. Suivez les {link('premiers pas')} : ajoutez une
      organisation, une application et une version, puis installez un connecteur.
    </>
  ),
  whereItAppears: (devices, rejections) => (
    <>
      Chaque connecteur qui s’enregistre apparaît dans {devices('Appareils')}. S’il en manque un,
      consultez {rejections('Enregistrements rejetés')} pour en connaître la raison.
    </>
  ),
  figures: {
    devices: (count) => choose(count, 'appareil', 'appareils'),
    faulty: () => 'en erreur',
    silent: (count) => choose(count, 'inactif', 'inactifs'),
    unserved: () => 'dont la version n’est pas enregistrée',
    waiting: () => 'en attente d’approbation',
    blocked: (count) => choose(count, 'bloqué', 'bloqués'),
  },
  nextTitle: 'À faire',
  next: {
    withoutInstaller:
      'Ajouter des programmes d’installation pour les appareils dont le connecteur est arrêté',
    unserved:
      'Examiner les appareils qui ne peuvent pas se synchroniser parce que leur version n’est pas enregistrée',
    approve: 'Examiner les appareils en attente',
    faulty: 'Examiner les appareils en erreur',
    refused: 'Examiner les enregistrements rejetés',
    silent: 'Examiner les appareils inactifs',
  },
  keystores: {
    link: (version) => `Remplacer le magasin de clés de la version ${version}`,
    expires: (time) => <>(expire le {time})</>,
    expired: (time) => <>(expiré le {time})</>,
    more: (others) => count(others, 'autre magasin de clés', 'autres magasins de clés'),
  },
  files: {
    missing:
      'Un fichier auquel renvoie une version ou un magasin de clés est introuvable. Le journal du serveur indique lequel.',
    unreachable:
      'Les programmes d’installation et les magasins de clés ne peuvent pas être lus pour le moment. Le journal du serveur en donne la raison.',
  },
  allClear:
    'Tout est en ordre. Aucune erreur, aucun enregistrement rejeté, aucun appareil en attente d’approbation.',
  /** How far a rollout is. */
  rolloutShare: (share) => `${share} des appareils`,
  refusedTitle: 'Rejets récents',
  refusal: (time, device, reason) => (
    <>
      {time}, {device} : {reason}
    </>
  ),
  allRefused: 'Tous les enregistrements rejetés',
  fleet: {
    title: 'Versions installées',
    about: 'Appareils par version et par jour. Les chiffres d’aujourd’hui sont provisoires.',
    chart: 'Appareils connectés chaque jour, par version',
    description: (days, today) =>
      `${count(days, 'jour', 'jours')}. Aujourd’hui, pour l’instant : ${today}.`,
    asTable: 'Afficher sous forme de tableau',
    caption: 'Appareils connectés, par jour et par version',
    day: 'Jour',
    others: 'Autres versions',
  },
}
