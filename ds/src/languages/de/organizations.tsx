/** The texts of the screens of organizations in German. */
import type { Texts } from '../en/catalog.ts'
import { createNumbers } from '../numbers.ts'

const { count } = createNumbers('de')

export const organizations: Texts['organizations'] = {
  title: 'Organisationen',
  about: 'Zu einer Organisation gehören Anwendungen. Jede Anwendung hat einen API-Schlüssel.',
  empty:
    'Noch keine Organisationen. Fügen Sie unten die erste hinzu und danach eine Anwendung für sie.',
  noMatch: 'Keine passenden Organisationen. Suchen Sie nach einem anderen Teil des Namens.',
  id: 'ID',
  name: 'Name',
  nameHint:
    'Anzeigename. Die ID wird beim Hinzufügen daraus abgeleitet und ändert sich danach nicht mehr.',
  addTitle: 'Organisation hinzufügen',
  addButton: 'Organisation hinzufügen',
  applications: {
    title: 'Anwendungen',
    empty: 'Noch keine Anwendungen. Fügen Sie eine hinzu, um einen API-Schlüssel zu erhalten.',
    all: (total) => `Alle ${count(total, 'Anwendung', 'Anwendungen')} anzeigen`,
    add: 'Anwendung hinzufügen',
  },
  rename: {
    hint: 'Anzeigename. Die ID ändert sich nicht.',
    title: 'Umbenennen',
    conflictTitle: (name) => `${name} umbenennen`,
    button: 'Organisation umbenennen',
  },
  remove: {
    title: 'Entfernen',
    confirmTitle: (name) => `${name} entfernen`,
    button: 'Organisation entfernen',
    about:
      'Die Organisation hat keine Anwendungen. Der Änderungsverlauf bleibt im Audit-Protokoll.',
    applicationsFirst: (total, link) => (
      <>
        Die Organisation hat noch {count(total, 'Anwendung', 'Anwendungen')}.{' '}
        {link('Entfernen Sie zuerst ihre Anwendungen')}.
      </>
    ),
  },
}
