/** The texts of the screens of organizations in French. */
import type { Texts } from '../en/catalog.ts'
import { createNumbers } from '../numbers.ts'

const { count } = createNumbers('fr')

export const organizations: Texts['organizations'] = {
  title: 'Organisations',
  about: 'Une organisation possède des applications. Chaque application a une clé d’API.',
  empty:
    'Aucune organisation pour l’instant. Ajoutez la première ci-dessous, puis ajoutez-lui une application.',
  noMatch: 'Aucune organisation ne correspond à la recherche. Essayez une autre partie du nom.',
  id: 'ID',
  name: 'Nom',
  nameHint:
    'Nom affiché. Lors de l’ajout, le service crée l’ID à partir de ce nom. L’ID ne changera plus.',
  addTitle: 'Ajouter une organisation',
  addButton: 'Ajouter l’organisation',
  applications: {
    title: 'Applications',
    empty: 'Aucune application pour l’instant. Ajoutez-en une pour obtenir une clé d’API.',
    all: (total) => `Tout afficher (${count(total, 'application', 'applications')})`,
    add: 'Ajouter une application',
  },
  rename: {
    hint: 'Nom affiché. L’ID ne change pas.',
    title: 'Renommer',
    conflictTitle: (name) => `Renommer ${name}`,
    button: 'Renommer l’organisation',
  },
  remove: {
    title: 'Supprimer',
    confirmTitle: (name) => `Supprimer ${name}`,
    button: 'Supprimer l’organisation',
    about:
      'Elle n’a aucune application. L’historique de ses modifications reste dans le journal d’audit.',
    applicationsFirst: (total, link) => (
      <>
        Elle possède encore {count(total, 'application', 'applications')}. Commencez par{' '}
        {link('supprimer ses applications')}.
      </>
    ),
  },
}
