/** The texts of the screen of the signing keys. */

export const signingKeys = {
  title: 'Signing keys',
}
