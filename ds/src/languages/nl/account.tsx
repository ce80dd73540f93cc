/** The texts of the screen of the own account in Dutch. */
import type { Texts } from '../en/catalog.ts'
import { createNumbers } from '../numbers.ts'

const { count } = createNumbers('nl')

const signedOut = (sessions: number) =>
  `U bent afgemeld bij ${count(sessions, 'andere sessie', 'andere sessies')}.`

export const account: Texts['account'] = {
  title: 'Uw account',
  name: 'Gebruikersnaam',
  role: 'Rol',
  external: 'Uw identiteitsprovider beheert uw wachtwoord en uw tweefactorauthenticatie.',
  language: {
    title: 'Taal',
    label: 'Weergavetaal',
    hint: 'Geldt alleen voor deze browser.',
    ofBrowser: 'Taal van de browser',
    button: 'Taal wijzigen',
  },
  password: {
    title: 'Wachtwoord',
    current: 'Huidig wachtwoord',
    new: 'Nieuw wachtwoord',
    newHint: 'Minstens 12 tekens. U wordt afgemeld bij uw andere sessies.',
    again: 'Nieuw wachtwoord herhalen',
    button: 'Wachtwoord wijzigen',
    differs: 'De nieuwe wachtwoorden komen niet overeen',
    same: 'Kies een ander wachtwoord dan het huidige',
    done: (sessions) =>
      sessions === 0
        ? 'Uw wachtwoord is gewijzigd.'
        : `Uw wachtwoord is gewijzigd. ${signedOut(sessions)}`,
  },
  secondFactor: {
    title: 'Tweefactorauthenticatie',
    on: 'Aan',
    onAbout: (field) => (
      <>
        Bij elke aanmelding voert u een code uit uw authenticator-app in. Programma’s sturen die
        code mee als {field}.
      </>
    ),
    off: 'Uit',
    offAbout:
      'Beveilig uw account met een extra code uit een authenticator-app. Met alleen een gestolen wachtwoord kan niemand zich dan aanmelden.',
    password: 'Uw wachtwoord',
    setUp: 'Tweefactorauthenticatie instellen',
    turnOn: 'Tweefactorauthenticatie inschakelen',
    turnOff: 'Tweefactorauthenticatie uitschakelen',
    scan: 'Scan deze QR-code met een authenticator-app of kopieer de geheime sleutel naar de app. U krijgt de geheime sleutel niet opnieuw te zien.',
    qrCode: 'QR-code voor een authenticator-app',
    copySecret: 'Geheime sleutel kopiëren',
    parameters: 'Tijdgebaseerd, 6 cijfers, 30 seconden, SHA-1.',
    code: 'Code uit de app',
    turnedOn: (sessions) =>
      sessions === 0
        ? 'Tweefactorauthenticatie is ingeschakeld.'
        : `Tweefactorauthenticatie is ingeschakeld. ${signedOut(sessions)}`,
    turnedOff: 'Tweefactorauthenticatie is uitgeschakeld.',
    recovery: (command) => (
      <>
        Bent u uw telefoon en uw herstelcodes kwijt, vraag dan een andere beheerder om uw
        tweefactorauthenticatie te resetten, of voer {command} uit op de server.
      </>
    ),
  },
  recoveryCodes: {
    title: 'Herstelcodes',
    left: (codes) =>
      codes === 0
        ? 'U hebt geen herstelcodes meer. Maak nieuwe codes aan.'
        : `U hebt nog ${count(codes, 'herstelcode', 'herstelcodes')}. Met elke code kunt u zich één keer aanmelden zonder uw telefoon.`,
    used: (time, address) => (
      <>
        Gebruikt op {time} vanaf {address}
      </>
    ),
    renewAbout: 'Nieuwe herstelcodes vervangen de huidige.',
    renew: 'Nieuwe herstelcodes aanmaken',
    password: 'Nogmaals uw wachtwoord',
    code: 'Huidige code uit de app',
    warning:
      'Bewaar deze herstelcodes nu. U krijgt ze niet opnieuw te zien. Bent u uw telefoon kwijt, gebruik dan een herstelcode in plaats van de verificatiecode. Elke code werkt één keer. Bewaar de codes niet bij uw wachtwoord.',
    copy: 'Herstelcodes kopiëren',
    done: 'Ik heb de herstelcodes bewaard',
  },
  firstSteps: {
    password: {
      title: 'Kies een nieuw wachtwoord',
      about:
        'Iemand anders heeft uw huidige wachtwoord ingesteld. Kies er een dat alleen u kent. Daarna kunt u verder.',
      button: 'Opslaan en doorgaan',
    },
    secondFactor: {
      title: 'Stel tweefactorauthenticatie in',
      about:
        'Uw organisatie vereist tweefactorauthenticatie. U hebt een authenticator-app op uw telefoon nodig. Daarna kunt u verder.',
      button: 'Tweefactorauthenticatie instellen',
    },
  },
  sessions: {
    title: 'Sessies',
    caption: 'Waar u bent aangemeld',
    session: 'Sessie',
    address: 'IP-adres',
    began: 'Aangemeld op',
    lastUsed: 'Laatst gebruikt',
    actions: 'Acties',
    current: 'Deze sessie',
    program: 'Programma dat de API gebruikt',
    browser: 'Onbekende browser',
    browserOn: (browser, system) => `${browser} op ${system}`,
    end: 'Afmelden',
    endLabel: (session) => `Afmelden: ${session}`,
    endOthers: (sessions) =>
      sessions === undefined
        ? 'Afmelden bij andere sessies'
        : `Afmelden bij ${count(sessions, 'andere sessie', 'andere sessies')}`,
    ended: 'De sessie is beëindigd.',
    othersEnded: (sessions) =>
      sessions === 0 ? 'U hebt geen andere sessies.' : signedOut(sessions),
  },
}
