/** The texts of the pages to sign in and out, in Dutch. */
import type { Texts } from '../en/catalog.ts'

export const signIn: Texts['signIn'] = {
  title: 'Aanmelden',
  button: 'Aanmelden',
  userName: 'Gebruikersnaam',
  password: 'Wachtwoord',
  code: 'Verificatiecode',
  codeHint:
    'Alleen als uw account tweefactorauthenticatie gebruikt. Hebt u uw telefoon niet bij de hand, voer dan een herstelcode in.',
  codeMissing:
    'Dit account gebruikt tweefactorauthenticatie. Voer uw wachtwoord opnieuw in, samen met de code uit uw authenticator-app.',
  wrongPassword: 'De gebruikersnaam of het wachtwoord is onjuist.',
  wrongCode:
    'De gebruikersnaam, het wachtwoord of de code is onjuist. Elke code werkt maar één keer.',
  plainHttp:
    'Deze pagina is geopend via een onversleutelde HTTP-verbinding. Uw wachtwoord kan worden onderschept, en u blijft niet aangemeld. Open de beheerconsole via HTTPS of op de server zelf.',
  noClient: (setting) =>
    `Beheerders melden zich aan via een externe identiteitsprovider, maar er is geen client voor browsers geconfigureerd. Stel ${setting} in.`,
  external: {
    about: 'Meld u aan met het account van uw organisatie.',
    begin: 'Aanmelden bij uw identiteitsprovider',
    plainHttp: (setting) =>
      `De URL van deze server gebruikt HTTP zonder versleuteling. Uw aanmelding kan worden onderschept, en u blijft niet aangemeld. Stel ${setting} in op een HTTPS-URL.`,
    breakGlass: 'Aanmelden met het noodaccount',
    doneTitle: 'Aangemeld',
    next: 'Doorgaan',
  },
  signedOut: {
    title: 'Afgemeld',
    about: 'U bent afgemeld bij de beheerconsole.',
    provider: (link) => (
      <>U bent misschien nog aangemeld bij uw identiteitsprovider. {link('Meld u ook daar af')}.</>
    ),
  },
}
