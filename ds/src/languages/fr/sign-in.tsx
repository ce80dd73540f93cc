/** The texts of the pages to sign in and out, in French. */
import type { Texts } from '../en/catalog.ts'

export const signIn: Texts['signIn'] = {
  title: 'Connexion',
  button: 'Se connecter',
  userName: 'Nom d’utilisateur',
  password: 'Mot de passe',
  code: 'Code d’authentification',
  codeHint:
    'À saisir si l’authentification à deux facteurs est activée pour votre compte. Si vous n’avez pas votre téléphone, saisissez un code de récupération.',
  codeMissing:
    'Ce compte utilise l’authentification à deux facteurs. Saisissez de nouveau votre mot de passe, ainsi que le code de votre application d’authentification.',
  wrongPassword: 'Le nom d’utilisateur ou le mot de passe est incorrect.',
  wrongCode:
    'Le nom d’utilisateur, le mot de passe ou le code est incorrect. Chaque code ne fonctionne qu’une seule fois.',
  plainHttp:
    'Cette page a été ouverte en HTTP non chiffré. Votre mot de passe pourrait être intercepté, et les navigateurs ne gardent pas votre session ouverte. Ouvrez la console d’administration en HTTPS ou sur le serveur même.',
  noClient: (setting) =>
    `Les administrateurs se connectent par l’intermédiaire d’un fournisseur d’identité externe, mais aucun client n’est configuré pour les navigateurs. Définissez ${setting}.`,
  external: {
    about: 'Connectez-vous avec le compte de votre organisation.',
    begin: 'Se connecter avec votre fournisseur d’identité',
    plainHttp: (setting) =>
      `L’URL de ce service est en HTTP non chiffré. Vos identifiants pourraient être interceptés, et les navigateurs ne gardent pas votre session ouverte. Indiquez une URL HTTPS dans ${setting}.`,
    breakGlass: 'Se connecter avec le compte de secours',
    doneTitle: 'Connexion réussie',
    next: 'Continuer',
  },
  signedOut: {
    title: 'Déconnexion effectuée',
    about: 'Vous êtes déconnecté de la console d’administration.',
    provider: (link) => (
      <>
        Votre session auprès du fournisseur d’identité est peut-être encore ouverte.{' '}
        {link('Fermez-la aussi')}.
      </>
    ),
  },
}
