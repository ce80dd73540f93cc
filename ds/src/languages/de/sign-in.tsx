/** The texts of the pages to sign in and out, in German. */
import type { Texts } from '../en/catalog.ts'

export const signIn: Texts['signIn'] = {
  title: 'Anmeldung',
  button: 'Anmelden',
  userName: 'Benutzername',
  password: 'Passwort',
  code: 'Zwei-Faktor-Code',
  codeHint:
    'Falls für Ihr Konto aktiviert. Ohne Smartphone geben Sie einen Wiederherstellungscode ein.',
  codeMissing:
    'Dieses Konto verwendet die Zwei-Faktor-Authentifizierung. Geben Sie Ihr Passwort noch einmal und zusätzlich den Code aus Ihrer Authentifizierungs-App ein.',
  wrongPassword: 'Benutzername oder Passwort ist falsch.',
  wrongCode: 'Benutzername, Passwort oder Code ist falsch. Jeder Code gilt nur einmal.',
  plainHttp:
    'Diese Seite wurde über unverschlüsseltes HTTP geöffnet. Ihr Passwort könnte unterwegs mitgelesen werden, und die Anmeldung bleibt im Browser nicht bestehen. Öffnen Sie die Admin-Konsole über HTTPS oder direkt auf dem Server.',
  noClient: (setting) =>
    `Administratoren melden sich über einen externen Identitätsanbieter an, aber für Browser ist kein Client konfiguriert. Legen Sie ${setting} fest.`,
  external: {
    about: 'Melden Sie sich mit dem Konto Ihrer Organisation an.',
    begin: 'Über Ihren Identitätsanbieter anmelden',
    plainHttp: (setting) =>
      `Dieser Server hat eine unverschlüsselte HTTP-URL. Ihre Anmeldung könnte unterwegs mitgelesen werden und bleibt im Browser nicht bestehen. Legen Sie für ${setting} eine HTTPS-URL fest.`,
    breakGlass: 'Mit dem Notfallkonto anmelden',
    doneTitle: 'Angemeldet',
    next: 'Weiter',
  },
  signedOut: {
    title: 'Abgemeldet',
    about: 'Sie sind jetzt von der Admin-Konsole abgemeldet.',
    provider: (link) => (
      <>
        Möglicherweise sind Sie bei Ihrem Identitätsanbieter noch angemeldet.{' '}
        {link('Auch dort abmelden')}.
      </>
    ),
  },
}
