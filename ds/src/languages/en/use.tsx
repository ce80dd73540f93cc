/** The texts of the screen of counted uses. */

export const use = {
  title: 'Usage',
}
