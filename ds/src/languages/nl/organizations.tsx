/** The texts of the screens of organizations in Dutch. */
import type { Texts } from '../en/catalog.ts'
import { createNumbers } from '../numbers.ts'

const { count } = createNumbers('nl')

export const organizations: Texts['organizations'] = {
  title: 'Organisaties',
  about: 'Een organisatie heeft toepassingen. Elke toepassing heeft een API-sleutel.',
  empty:
    'Er zijn nog geen organisaties. Voeg hieronder de eerste toe en daarna een toepassing van die organisatie.',
  noMatch: 'Geen organisaties gevonden. Zoek op een ander deel van de naam.',
  id: 'ID',
  name: 'Naam',
  nameHint:
    'Weergavenaam. De ID wordt er bij het toevoegen van afgeleid en verandert daarna niet meer.',
  addTitle: 'Een organisatie toevoegen',
  addButton: 'Organisatie toevoegen',
  applications: {
    title: 'Toepassingen',
    empty: 'Er zijn nog geen toepassingen. Voeg er een toe om een API-sleutel te krijgen.',
    all: (total) => `Alles tonen (${count(total, 'toepassing', 'toepassingen')})`,
    add: 'Toepassing toevoegen',
  },
  rename: {
    hint: 'Weergavenaam. De ID verandert niet.',
    title: 'Hernoemen',
    conflictTitle: (name) => `${name} hernoemen`,
    button: 'Organisatie hernoemen',
  },
  remove: {
    title: 'Verwijderen',
    confirmTitle: (name) => `${name} verwijderen`,
    button: 'Organisatie verwijderen',
    about:
      'De organisatie heeft geen toepassingen. De wijzigingsgeschiedenis blijft in het auditlogboek staan.',
    applicationsFirst: (total, link) => (
      <>
        De organisatie heeft nog {count(total, 'toepassing', 'toepassingen')}.{' '}
        {link('Verwijder die eerst')}.
      </>
    ),
  },
}
