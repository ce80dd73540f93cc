/** The texts of reviews before a change, of what was saved, and of the history in French. */
import type { Texts } from '../en/catalog.ts'
import type { Wrap } from '../markup.ts'
import { createNumbers } from '../numbers.ts'

const { format, count } = createNumbers('fr')

export const history: Texts['history'] = {
  link: 'Historique et restauration',
  title: (name: string) => `Historique : ${name}`,
  about: 'Chaque modification enregistrée crée une révision que vous pouvez restaurer.',
  audit: (link: Wrap) => (
    <>Pour les autres modifications, consultez le {link('journal d’audit')}.</>
  ),
  caption: 'Révisions, de la plus récente à la plus ancienne',
  columns: {
    revision: 'Révision',
    time: 'Date et heure',
    who: 'Auteur',
    action: 'Modification',
    actions: 'Actions',
  },
  numbered: (revision: number) => `Révision ${format(revision)}`,
  current: 'Actuelle',
  removed: 'Supprimée',
  revisionTitle: (revision: number, name: string) => `Révision ${format(revision)} : ${name}`,
  savedBy: (who: string) => `Enregistrée par ${who}`,
  since: (revision: number) => `Modifications depuis la révision ${format(revision)}`,
  value: 'Réglages de cette révision',
  same: 'Il n’y a aucune différence.',
  noEarlier: 'Il n’y a pas de révision antérieure.',
  removal: 'Dans cette révision, la configuration a été supprimée.',
  part: 'Réglage',
  removedLines: 'Supprimé',
  addedLines: 'Ajouté',
  passwordFrom: (revision: number) => `Défini dans la révision ${format(revision)}`,
  password: 'Mot de passe',
  restore: 'Restaurer',
  restoreTitle: (revision: number, name: string) =>
    `Restaurer la révision ${format(revision)} : ${name}`,
  restoreCurrent: 'Ces réglages sont déjà en vigueur. Il n’y a rien à restaurer.',
  restoreAbout: 'Les réglages antérieurs sont enregistrés comme nouvelle révision.',
  missingFiles: (link: Wrap) => (
    <>Ces fichiers n’existent plus. Commencez par {link('les importer de nouveau')}.</>
  ),
  restoreButton: 'Restaurer',
  added: 'Ajouté. Prend effet à la prochaine synchronisation de chaque connecteur.',
  saved: 'Enregistré. Prend effet à la prochaine synchronisation de chaque connecteur.',
  unchanged: 'Vous n’avez rien modifié. Rien n’a donc été enregistré.',
  removedNote:
    'Configuration supprimée. La suppression prend effet à la prochaine synchronisation de chaque connecteur.',
  undo: 'Annuler la modification',
  review: {
    title: 'Vérifier les modifications',
    reach: (devices: number) =>
      devices === 0
        ? 'Aucun appareil n’a encore cette version.'
        : count(
            devices,
            'appareil recevra cette modification à sa prochaine synchronisation.',
            'appareils recevront cette modification à leur prochaine synchronisation.',
          ),
    offered: (devices) =>
      count(
        devices,
        'appareil se voit proposer une mise à jour vers cette version et recevra la modification avec elle.',
        'appareils se voient proposer une mise à jour vers cette version et recevront la modification avec elle.',
      ),
    waiting: (devices) =>
      count(
        devices,
        'appareil en attente d’approbation recevra le magasin de clés une fois approuvé.',
        'appareils en attente d’approbation recevront le magasin de clés une fois approuvés.',
      ),
    lost: (sites: number) =>
      count(
        sites,
        'site ne pourra plus utiliser les lecteurs de cartes.',
        'sites ne pourront plus utiliser les lecteurs de cartes.',
      ),
    caption: 'Ce qui change',
    apply: 'Appliquer les modifications',
    passwordAgain: 'Ressaisissez le mot de passe du magasin de clés',
    passwordHint: 'Pour des raisons de sécurité, la page ne le conserve pas.',
  },
}
