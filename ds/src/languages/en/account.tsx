/** The texts of the screen of the own account. */

export const account = {
  title: 'Your account',
}
