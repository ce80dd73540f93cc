/** The texts of the page to sign in. */

export const signIn = {
  title: 'Sign in',
}
