/** The texts of the screens of administrators in Dutch. */
import type { Texts } from '../en/catalog.ts'
import { createNumbers } from '../numbers.ts'

const { count, format } = createNumbers('nl')

export const administrators: Texts['administrators'] = {
  title: 'Beheerders',
  about: 'Accounts waarmee beheerders zich hier aanmelden en de API aanroepen, met hun rollen.',
  programs: (link) => <>Gebruik voor programma’s zoals CI-pipelines {link('API-clients')}.</>,
  caption: 'Accounts',
  name: 'Gebruikersnaam',
  role: 'Rol',
  roles: { viewer: 'Lezer', publisher: 'Releasebeheerder', administrator: 'Beheerder' },
  roleChoices: {
    viewer: 'Lezer: alleen bekijken',
    publisher: 'Releasebeheerder: beheert releases en configuraties',
    administrator: 'Beheerder: volledige toegang',
  },
  roleHint:
    'Releasebeheerders beheren versies en hun uitrol, groepen, installatieprogramma’s, keystores en configuraties, en kunnen wijzigingen goedkeuren. Alleen beheerders kunnen logboeken van apparaten bekijken, en apparaten, tags, organisaties, toepassingen, sleutels en accounts beheren.',
  secondFactor: 'Tweefactorauthenticatie',
  on: 'Aan',
  off: 'Uit',
  passwordDue: 'Wachtwoord moet worden gewijzigd',
  openSessions: 'Open sessies',
  you: '(u)',
  external: {
    about:
      'Gebruikers die zich hier via uw identiteitsprovider hebben aangemeld, de meest recente eerst. De rollen zijn die van de laatste aanmelding. Gebruikers toevoegen, wijzigen en verwijderen doet u bij de provider.',
    caption: 'Recente aanmeldingen',
    lastSignIn: 'Laatste aanmelding',
    subject: 'Subject',
    note: 'Uw identiteitsprovider beheert deze gebruiker. Beëindigt u hier de sessies, dan kan de gebruiker zich opnieuw aanmelden tot u de gebruiker bij de provider blokkeert.',
  },
  add: {
    title: 'Een account toevoegen',
    note: 'Op de volgende pagina ziet u één keer een gegenereerd wachtwoord. De eigenaar van het account moet dat wachtwoord bij de eerste aanmelding wijzigen.',
    button: 'Account toevoegen',
  },
  password: {
    label: 'Wachtwoord',
    title: (name) => `Wachtwoord voor ${name}`,
    copy: 'Wachtwoord kopiëren',
    warning: (name) =>
      `Kopieer dit wachtwoord nu. U krijgt het niet opnieuw te zien, want de server bewaart er alleen een hash van. Stuur het via een veilig kanaal naar ${name}.`,
    done: 'Ik heb het wachtwoord opgeslagen',
  },
  history: (by, to) => (
    <>
      {by('Wijzigingen door dit account')} en {to('wijzigingen aan dit account')}
    </>
  ),
  own: (link) => (
    <>
      Dit is uw eigen account. Uw wachtwoord en tweefactorauthenticatie wijzigt u onder{' '}
      {link('Uw account')}. Alleen een andere beheerder kan uw rol wijzigen of het account
      verwijderen.
    </>
  ),
  changeRole: 'Rol wijzigen',
  changeRoleNote: 'De nieuwe rol geldt meteen, ook in open sessies.',
  access: 'Toegang',
  acts: {
    password: {
      title: (name) => `Nieuw wachtwoord instellen voor ${name}`,
      button: 'Nieuw wachtwoord instellen',
      about:
        'Het huidige wachtwoord vervalt meteen. Op de volgende pagina ziet u één keer het nieuwe wachtwoord. De eigenaar van het account moet dat bij de volgende aanmelding wijzigen.',
    },
    secondFactor: {
      title: (name) => `Tweefactorauthenticatie resetten voor ${name}`,
      button: 'Tweefactorauthenticatie resetten',
      about:
        'Tot de eigenaar van het account tweefactorauthenticatie opnieuw instelt, is voor het aanmelden alleen het wachtwoord nodig. Ga na of de eigenaar hier zelf om heeft gevraagd.',
    },
    remove: {
      title: (name) => `${name} verwijderen`,
      button: 'Account verwijderen',
      about:
        'Aanmelden met dit account is dan niet meer mogelijk. De wijzigingen van het account blijven in het auditlogboek staan.',
    },
  },
  sessionsEnd: (sessions) =>
    sessions === 0
      ? 'Het account heeft geen open sessies.'
      : `${count(sessions, 'open sessie wordt', 'open sessies worden')} meteen beëindigd.`,
  sessions: {
    title: 'Open sessies',
    empty: 'Geen open sessies.',
    caption: 'Sessies',
    began: 'Aangemeld op',
    agent: 'Browser of programma',
    program: 'Programma',
    address: 'IP-adres',
    lastUsed: 'Laatst gebruikt',
    ends: 'Verloopt op',
    actions: 'Acties',
    end: 'Sessie beëindigen',
    endLabel: (began) => `Sessie van ${began} beëindigen`,
    endAll: (sessions) =>
      sessions === 1 ? '1 sessie beëindigen' : `Alle ${format(sessions)} sessies beëindigen`,
  },
}
