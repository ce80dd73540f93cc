/** The texts of the screen of the keystore. */

export const keystore = {
  title: 'Keystore',
}
