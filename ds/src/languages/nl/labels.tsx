/** The texts of the screens of applications, which the API calls labels, in Dutch. */
import type { Texts } from '../en/catalog.ts'
import { createNumbers } from '../numbers.ts'

const { format } = createNumbers('nl')

export const labels: Texts['labels'] = {
  title: 'Toepassingen',
  about:
    'Elke toepassing heeft een API-sleutel. Daarmee haalt de back-end tokens op voor de pagina’s. In de API heet een toepassing ‘label’.',
  inTheApi: 'In de API heet dit ‘label’.',
  empty:
    'Er zijn nog geen toepassingen. Zonder toepassing krijgen pagina’s geen tokens. Voeg een organisatie toe en daarna een toepassing.',
  noMatch: 'Geen toepassingen gevonden. Wijzig de zoekopdracht of toon alles.',
  id: 'ID',
  name: 'Naam',
  nameHint:
    'Weergavenaam. De ID wordt er bij het toevoegen van afgeleid en verandert daarna niet meer. De tokens van de toepassing bevatten de ID.',
  organization: 'Organisatie',
  apiKey: 'API-sleutel',
  keyLastUsed: 'Sleutel laatst gebruikt',
  replacedKey: 'Oude sleutel',
  worksUntil: (time) => <>Werkt tot {time}</>,
  never: 'Nooit',
  keyWorks: 'Actief',
  keyRevoked: 'Ingetrokken',
  add: {
    link: 'Toepassing toevoegen',
    title: 'Een toepassing toevoegen',
    noOrganizations: 'Een toepassing hoort bij een organisatie. Voeg eerst een organisatie toe.',
    addOrganization: 'Organisatie toevoegen',
    note: 'Op de volgende pagina ziet u één keer de API-sleutel.',
    button: 'Toepassing toevoegen',
  },
  key: {
    title: (name) => `API-sleutel voor ${name}`,
    copy: 'API-sleutel kopiëren',
    warning:
      'Kopieer deze sleutel nu. U krijgt die niet opnieuw te zien, want de server bewaart er alleen een hash van. Zet de sleutel op de plaats waar de toepassing haar geheimen bewaart.',
    oldKey: (time) => <>De oude sleutel werkt tot {time}.</>,
    done: 'Ik heb de sleutel opgeslagen',
    use: (header, request) => (
      <>
        De back-end van de toepassing stuurt de sleutel in de header {header} naar {request} en
        krijgt zo tokens voor de pagina’s.
      </>
    ),
  },
  uses: {
    title: 'Gebruik in de laatste 30 dagen',
    chart: (name) => `Gebruik per dag, met tokens voor ${name}`,
    description: (total, first, last) =>
      `${format(total)} keer gebruikt van ${first} tot en met ${last}`,
    series: 'Aantal keer gebruikt',
    total: (total, link) => (
      <>
        {format(total)} keer gebruikt. {link('Als tabel tonen')}
      </>
    ),
  },
  rename: {
    hint: 'Weergavenaam. De ID verandert niet.',
    title: 'Hernoemen',
    conflictTitle: (name) => `${name} hernoemen`,
    button: 'Toepassing hernoemen',
  },
  recentUse: (lastUsed, uses, mark) => (
    <>
      {lastUsed === undefined
        ? 'De sleutel is nog nooit gebruikt.'
        : `De sleutel is het laatst gebruikt op ${lastUsed}.`}{' '}
      Pagina’s van de toepassing hebben in de laatste 30 dagen {mark(format(uses))} keer een
      kaartlezer gebruikt.
    </>
  ),
  /** After what was used lately. */
  reportedLater:
    'Apparaten melden gebruik pas bij de synchronisatie. Het recentste gebruik kan daarom nog ontbreken.',
  replaceKey: {
    newLink: 'Nieuwe sleutel maken',
    title: (name) => `API-sleutel voor ${name} vervangen`,
    about:
      'Op de volgende pagina ziet u één keer de nieuwe sleutel. Kies hoelang de oude sleutel nog werkt. De toepassing heeft die nodig tot u de nieuwe hebt ingesteld.',
    overlap: 'Oude sleutel',
    overlaps: {
      none: 'Vervalt meteen',
      hour: 'Werkt nog een uur',
      day: 'Werkt nog een dag',
      week: 'Werkt nog een week',
      month: 'Werkt nog 30 dagen',
    },
    button: 'Sleutel vervangen',
  },
  revokeKey: {
    title: (name) => `API-sleutel voor ${name} intrekken`,
    about:
      'De toepassing krijgt dan geen nieuwe tokens meer en verliest de toegang tot kaartlezers wanneer de huidige tokens verlopen. U kunt later een nieuwe sleutel maken.',
    button: 'Sleutel intrekken',
  },
  remove: {
    title: 'Verwijderen',
    confirmTitle: (name) => `${name} verwijderen`,
    about:
      'De API-sleutel werkt dan niet meer en de toepassing verliest de toegang tot kaartlezers wanneer de huidige tokens verlopen. De gebruiksgegevens blijven bewaard.',
    button: 'Toepassing verwijderen',
  },
}
