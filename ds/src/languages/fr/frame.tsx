/** The texts that every page of the admin console may have, in French. */
import type { Texts } from '../en/catalog.ts'
import { createNumbers } from '../numbers.ts'

const { format } = createNumbers('fr')

export const frame: Texts['frame'] = {
  product: 'Service de distribution Cardwire',
  menu: 'Menu',
  about: (version) => `Cardwire ${version}`,
  api: 'Référence de l’API',
  skip: 'Aller au contenu',
  screens: 'Rubriques',
  signOut: 'Se déconnecter',
  trail: 'Fil d’Ariane',
  noRole: 'aucun rôle',
  roles: {
    viewer: 'Observateur : lecture seule',
    publisher: 'Éditeur : gère les versions et les configurations',
    administrator: 'Administrateur',
  },
  groups: {
    fleet: 'Parc',
    releases: 'Publication',
    applications: 'Applications',
    service: 'Service',
  },
  copy: 'Copier',
  copied: 'Copié',
  notCopied: 'La copie a échoué. Sélectionnez le texte et copiez-le.',
  history: 'Modifications dans le journal d’audit',
  pages: 'Pages de la liste',
  previous: 'Précédent',
  next: 'Suivant',
  page: (page, last, total, isMore) =>
    `Page ${format(page)} sur ${format(last)}, ${isMore ? 'plus de ' : ''}${format(total)} au total`,
  search: 'Rechercher',
  showAll: 'Tout afficher',
  all: 'Tout',
  nameOrId: 'Nom ou ID',
  added: 'Ajout',
  changed: 'Dernière modification',
  field: (name, value) => `${name} : ${value}`,
  cancel: 'Annuler',
  wayBack: {
    none: 'Cette action est irréversible.',
    undo: 'Vous pourrez ensuite annuler cette modification.',
  },
  confirmName: (name) => `Saisissez « ${name} » pour confirmer`,
  wrongName: (name) => `Le nom ne correspond pas à « ${name} »`,
  wrongNumber: (number) => `Le nombre ne correspond pas à « ${number} »`,
  otherEffect:
    'Les effets de cette modification ont changé depuis votre vérification. Rien n’a été enregistré. Vérifiez-la de nouveau.',
  noPermission:
    'Vous n’avez pas les droits nécessaires pour effectuer cette action. Adressez-vous à un administrateur.',
  conflict: {
    title: 'Quelqu’un d’autre a modifié ces données.',
    kept: 'Vos modifications ne sont pas encore enregistrées.',
    last: (who, at) => (
      <>
        Dernière modification par {who}, le {at}.
      </>
    ),
    caption: 'Les deux versions',
    field: 'Champ',
    stored: 'Valeur enregistrée',
    mine: 'Votre valeur',
    same: 'identique',
    empty: '(vide)',
    overwrite: 'Écraser',
    keepEditing: 'Continuer à modifier',
    discard: 'Abandonner mes modifications',
  },
  errors: {
    refusedTitle: 'Rien n’a été modifié',
    refused: (link) => (
      <>
        La requête venait d’un autre site. {link('Ouvrez la console d’administration')} et
        réessayez.
      </>
    ),
    unknownTitle: 'Page introuvable',
    unknown: 'L’URL est incorrecte ou l’élément a été supprimé.',
    notFoundTitle: 'Introuvable',
    failedTitle: 'Un problème est survenu',
    failed: 'Une erreur inattendue s’est produite. Consultez le journal du serveur.',
    request: 'ID de requête',
  },
}
